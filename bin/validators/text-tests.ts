/** Generates code that checks texts. */
import type { TextFormat } from "../openapi/types/text-formats.ts"
import { formatHelpers } from "./text-helpers.ts"
import type { ValidatorFile } from "./validator-file.ts"

/** Returns the condition for a text to match a pattern. */
export function renderPatternTest(pattern: string, x: string, file: ValidatorFile): string {
  return `${file.useConstant(`new RegExp(${toSource(pattern)}, "u")`)}.test(${x})`
}

/** Returns the condition for a text to have a format. */
export function renderFormatTest(format: TextFormat, x: string, file: ValidatorFile): string {
  return `${file.useHelper(`is ${format}`, formatHelpers[format])}(${x})`
}

/** Returns the code of a value. */
export function toSource(value: unknown): string {
  const text = JSON.stringify(value)
  // In the code of an object, `"__proto__": x` would set the prototype.
  return text.includes('"__proto__":') ? `JSON.parse(${JSON.stringify(text)})` : text
}
