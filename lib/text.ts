/** Values of a program as text: for responses, and as a type in messages. */
import { markPattern } from "./html/deferred-blocks.ts"

/**
 * Returns a value as text; undefined for null, undefined, a function, and an object without its own text,
 * such as a promise.
 */
export function toText(value: unknown): string | undefined {
  const silent = value == null || typeof value === "function" || value.toString === {}.toString
  return silent ? undefined : String(value)
}

/** Returns true for markup with deferred blocks, which only pages complete. */
export function hasDeferredBlocks(value: unknown, text: unknown): boolean {
  return typeof value === "object" && typeof text === "string" && text.search(markPattern) >= 0
}

/** Maximum number of characters of a request that the message of an answer repeats. */
const maxExcerptChars = 200

/** Returns the beginning of a text that a client chose: an answer that repeated all of it could be as long as the request. */
export function shortenText(text: string): string {
  if (text.length <= maxExcerptChars) return text
  // Half of a surrogate pair has no UTF-8.
  return `${text.slice(0, maxExcerptChars).replace(/[\ud800-\udbff]$/, "")}…`
}

/** Returns the type of a value for messages. The value itself is not shown, because it may be a secret. */
export function describeType(given: unknown): string {
  if (given === undefined || given === null) return String(given)
  if (Array.isArray(given)) return "an array"
  if (given instanceof Promise) return "a promise"
  return typeof given === "object" ? "an object" : `a ${typeof given}`
}

/** Returns a number or a text for messages, a text with its quotes. It must not be a secret. Returns the type of any other value. */
export function formatValue(given: unknown): string {
  if (typeof given === "string") return JSON.stringify(given)
  return typeof given === "number" ? String(given) : describeType(given)
}

/** Returns true for a list of texts. */
export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string")
}

/**
 * Checks an object that a program gave per request.
 *
 * @param what the call and its verb, for messages: `c.sse() takes`.
 * @throws TypeError for what is not an object, and for a field that would be ignored.
 */
export function checkFields(given: unknown, known: readonly string[], what: string): void {
  const expected = `an object of ${known.join(", ")}`
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new TypeError(`${what} ${expected}, not ${describeType(given)}`)
  const unknown = Object.keys(given).find((key) => !known.includes(key))
  if (unknown !== undefined) throw new TypeError(`${what} ${expected}, not ${JSON.stringify(unknown)}`)
}
