/** Constraints of a property, in the tags of its comment. */
import { exampleValue, readComment, textsOf } from "./comment.ts"

/** Constraints under their names in JSON Schema. */
export interface Constraints {
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
  readonly default?: unknown
  readonly deprecated?: true
  readonly examples?: readonly unknown[]
}

/** The tags whose value is a number. */
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

/** Returns constraints from the tags of a property, under the names of JSON Schema. */
export function constraintsIn(comment: string | undefined): Constraints {
  if (!comment?.includes("@")) return {}
  const read = readComment(comment)
  const found: { [name: string]: unknown } = {}
  for (const { name, text } of read.tags) {
    if (numberTags.includes(name) && Number.isFinite(Number(text)) && text !== "") found[name] = Number(text)
    else if (name === "format" || name === "pattern") found[name] = text
    else if (name === "default") found.default = exampleValue(text)
    else if (name === "deprecated") found.deprecated = true
  }
  const examples = textsOf(read, "example").map(exampleValue)
  return examples.length > 0 ? { ...found, examples } : found
}
