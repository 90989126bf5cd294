/** The text of a value that a program sends. */

/** A value as text; undefined for nothing, a function, and an object without a text of its own, such as a promise. */
export function textOf(value: unknown): string | undefined {
  const silent = value == null || typeof value === "function" || value.toString === {}.toString
  return silent ? undefined : String(value)
}
