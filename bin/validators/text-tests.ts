/** Source that checks texts, and data as source. */
import type { TextFormat } from "../openapi/types/text-formats.ts"
import type { ValidatorFile } from "./file.ts"
import { textFormats } from "./text-helpers.ts"

/** Returns the condition that a text matches a pattern. */
export function patternTest(pattern: string, x: string, file: ValidatorFile): string {
  return `${file.constant(`new RegExp(${source(pattern)}, "u")`)}.test(${x})`
}

/** Returns the condition that a text has a format. */
export function formatTest(format: TextFormat, x: string, file: ValidatorFile): string {
  return `${file.helper(`is ${format}`, textFormats[format])}(${x})`
}

/** Returns data as source. */
export function source(value: unknown): string {
  const text = JSON.stringify(value)
  // In the source of an object, `"__proto__": x` would set the prototype.
  return text.includes('"__proto__":') ? `JSON.parse(${JSON.stringify(text)})` : text
}
