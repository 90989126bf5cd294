/** Describes types in words, for messages of issues. */
import type { TypeData } from "../openapi/document/model.ts"
import { formatExamples, isTextFormat } from "../openapi/types/text-formats.ts"
import type { ValidatorFile } from "./validator-file.ts"

/** The largest number of union members to name. */
const maxNamedMembers = 10

/** Returns what a type expects, in words: `a string`, `"a" or "b"`. */
export function describeType(type: TypeData, file: ValidatorFile): string {
  const plain = file.resolveName(type)
  switch (plain.kind) {
    case "all":
      return [...new Set(plain.members.map((member) => describeType(member, file)))].join(" and ")
    case "any":
      return "any value"
    case "never":
    case "nothing":
    case "bigint":
      return "nothing"
    case "null":
      return "null"
    case "integer":
      return "an integer"
    case "date":
      return describeText("date-time")
    case "integer-text":
      return "a string with an integer"
    case "binary":
      return "a file"
    case "literal":
      return JSON.stringify(plain.value)
    case "array":
    case "object":
      return `an ${plain.kind}`
    case "tuple":
      return "an array"
    case "union":
      return formatList([...new Set(plain.members.map((member) => describeType(member, file)))])
    case "string":
      return plain.pattern ? `a string that matches ${plain.pattern}` : describeText(plain.format)
    default:
      return `a ${plain.kind}`
  }
}

/**
 * Describes a text with a format, including an example, because the name of a format, such as `date-time`, does not
 * tell that the offset is required.
 */
export function describeText(format: string | undefined): string {
  if (!format) return "a string"
  const example = isTextFormat(format) ? `, such as ${formatExamples[format]}` : ""
  return `a string (${format}${example})`
}

/** Formats a list in words: `a, b or c`. */
export function formatList(words: readonly string[]): string {
  if (words.length > maxNamedMembers)
    return `${words.slice(0, maxNamedMembers).join(", ")} or one of ${words.length - maxNamedMembers} others`
  const [last = "nothing", ...others] = [...words].reverse()
  return others.length === 0 ? last : `${others.reverse().join(", ")} or ${last}`
}
