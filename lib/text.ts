/** Converts values of a program to text, for responses and for messages. */
import { markPattern } from "./html/deferred-blocks.ts"

/**
 * Returns a value as text. Returns undefined for null, undefined, a function, and an object that does not define its
 * text, such as a promise.
 */
export function toText(value: unknown): string | undefined {
  const hasNoText = value == null || typeof value === "function" || value.toString === {}.toString
  return hasNoText ? undefined : String(value)
}

/** Returns true for markup with deferred blocks. They are completed only in the answer with a page. */
export function hasDeferredBlocks(value: unknown, text: unknown): boolean {
  return typeof value === "object" && typeof text === "string" && text.search(markPattern) >= 0
}

/** Maximum number of characters of a request that a message to its client repeats. */
const maxExcerptChars = 200

/** Returns the beginning of a text, for example so that an answer is not as long as the request that it repeats. */
export function shortenText(text: string, maxChars = maxExcerptChars): string {
  if (text.length <= maxChars) return text
  // The cut must not leave half of a surrogate pair, which cannot be encoded.
  return `${text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "")}…`
}

/** Returns the name of a value's type for messages. The value itself is not shown, because it may be a secret. */
export function describeType(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return "an array"
  if (value instanceof Promise) return "a promise"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

/**
 * Returns a number, or a text in quotes, for messages. Use it only for values that are not secret. For any other value,
 * returns its type.
 */
export function formatValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value)
  return typeof value === "number" ? String(value) : describeType(value)
}

/** Returns true for a list of texts. */
export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string")
}

/**
 * Checks the fields of an object that a program has passed during a request.
 *
 * @param subject the call and its verb, for messages: `c.sse() takes`.
 * @throws TypeError for a value that is not an object, and for an unknown field.
 */
export function checkFields(value: unknown, knownNames: readonly string[], subject: string): void {
  const expectedText = `an object of ${knownNames.join(", ")}`
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`${subject} ${expectedText}, not ${describeType(value)}`)
  const unknown = Object.keys(value).find((key) => !knownNames.includes(key))
  if (unknown !== undefined) throw new TypeError(`${subject} ${expectedText}, not ${JSON.stringify(unknown)}`)
}
