/** Reads the limits and annotations in the tags of a comment. */
import { listTexts, parseExample, readComment } from "./comment.ts"

/** Limits of a value, under their names in JSON Schema. */
export interface Limits {
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly format?: string
  readonly pattern?: string
}

/** Keywords that describe a property without limiting it, under their names in JSON Schema. */
export interface Annotations {
  readonly default?: unknown
  readonly deprecated?: true
  readonly examples?: readonly unknown[]
}

/** Tags whose value is a number. */
export const numberTags: readonly string[] = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
]

export function readLimits(comment: string | undefined): Limits {
  if (!comment?.includes("@")) return {}
  const found: { [name: string]: unknown } = {}
  for (const { name, text } of readComment(comment).tags) {
    if (numberTags.includes(name) && Number.isFinite(Number(text)) && text !== "") found[name] = Number(text)
    else if (name === "format") found.format = text
    else if (name === "pattern") found.pattern = readPattern(text).source
  }
  return found
}

/**
 * Returns the regular expression and the flags of `@pattern`. It may be written as in JavaScript, `/^a$/`: a slash
 * before `^` or after `$` can only be a delimiter.
 */
export function readPattern(text: string): { readonly source: string; readonly flags: string } {
  const [, source, flags = ""] = /^\/(\^[\s\S]*|[\s\S]*(?<!\\)\$)\/([dgimsuvy]*)$/.exec(text) ?? []
  return source === undefined ? { source: text, flags: "" } : { source, flags }
}

/** Returns the annotations in a comment. */
export function readAnnotations(comment: string | undefined): Annotations {
  if (!comment?.includes("@")) return {}
  const read = readComment(comment)
  const [given] = listTexts(read, "default").slice(-1)
  const examples = listTexts(read, "example").map(parseExample)
  return {
    ...(given !== undefined && { default: parseExample(given) }),
    ...(listTexts(read, "deprecated").length > 0 && { deprecated: true }),
    ...(examples.length > 0 && { examples }),
  }
}
