/** Messages about values that cannot be in a link. They are mistakes of the program, thrown as a TypeError. */
import { describeType } from "../text.ts"
import type { Messages } from "./message.ts"

export const linkMessages = {
  "link.asset": (path: unknown) => [
    `asset() finds no file for ${JSON.stringify(path)}: write the path of a file as pages do, such as "/static/logo.svg"`,
  ],
  "link.missing": (pattern: string, name: string) => [
    `a link to ${pattern} needs a value for ${name}: write link(${JSON.stringify(pattern)}, { ${formatKey(name)}: … })`,
  ],
  "link.type": (pattern: string, name: string, value: unknown) => [
    `${name} in a link to ${pattern} takes a string, a number or a bigint, not ${describeType(value)}`,
  ],
  "link.empty": (pattern: string, name: string) => [
    `${name} is empty in a link to ${pattern}, and no path with an empty segment matches it. Check the value before the link`,
  ],
  // No other spelling would help: clients resolve "%2E%2E" too.
  "link.dots": (pattern: string, name: string, value: string) => [
    `${name} is ${JSON.stringify(value)} in a link to ${pattern}, which clients resolve to another path. Refuse this value where it comes in`,
  ],
  // The value is not shown, because it may be from a user.
  "link.character": (pattern: string, name: string) => [
    `${name} has a backslash, a NUL or half of a surrogate pair in a link to ${pattern}, which no path may contain. Refuse this value where it comes in`,
  ],
} satisfies Messages

/** Returns a name as the key of an object. */
function formatKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}
