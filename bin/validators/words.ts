/** Types in the words of an issue. */
import type { TypeData } from "../../lib/openapi/model.ts"
import type { ValidatorFile } from "./file.ts"

/** Most members of a union that are named. */
const mostNamed = 10

/** Returns what a type expects: `a string`, `"a" or "b"`. */
export function wordsOf(type: TypeData, file: ValidatorFile): string {
  const plain = file.resolved(type)
  switch (plain.kind) {
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
      return "a string (date-time)"
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
      return listOf([...new Set(plain.members.map((member) => wordsOf(member, file)))])
    case "string":
      return plain.pattern
        ? `a string that matches ${plain.pattern}`
        : `a string${plain.format ? ` (${plain.format})` : ""}`
    default:
      return `a ${plain.kind}`
  }
}

/** Returns a list as text: `a, b or c`. */
export function listOf(words: readonly string[]): string {
  if (words.length > mostNamed)
    return `${words.slice(0, mostNamed).join(", ")} or one of ${words.length - mostNamed} others`
  const [last = "nothing", ...others] = [...words].reverse()
  return others.length === 0 ? last : `${others.reverse().join(", ")} or ${last}`
}
