/** Values of a program as text: what is sent, and the kind that a message names. */

/** A value as text; undefined for nothing, a function, and an object without a text of its own, such as a promise. */
export function textOf(value: unknown): string | undefined {
  const silent = value == null || typeof value === "function" || value.toString === {}.toString
  return silent ? undefined : String(value)
}

/** Names the kind of a value. The value itself is not shown: it may be a secret. */
export function describe(given: unknown): string {
  if (given === undefined || given === null) return String(given)
  if (Array.isArray(given)) return "an array"
  if (given instanceof Promise) return "a promise"
  return typeof given === "object" ? "an object" : `a ${typeof given}`
}
