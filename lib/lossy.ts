/** Finds what JSON changes without a word. */

/** A part of a value that is something else in JSON. */
export interface Lossy {
  /** Its kind: `NaN`, `a Map`, `a promise`. */
  readonly what: string
  /** The JSON of it. */
  readonly becomes: "null" | "{}"
  /** Data to pass in its place. */
  readonly instead: string
}

/**
 * Returns the first part of a value that its JSON does not hold; undefined if there is none.
 *
 * @param text the value as JSON.
 * @param kinds what it looks for.
 */
export function lossyIn(
  value: unknown,
  text: string,
  kinds: readonly Lossy["becomes"][] = ["null", "{}"],
): Lossy | undefined {
  if (!kinds.some((kind) => text.includes(kind))) return undefined
  let found: Lossy | undefined
  JSON.stringify(value, (_, inner: unknown) => {
    const lossy = found ? undefined : lossyOf(inner)
    if (lossy && kinds.includes(lossy.becomes)) found = lossy
    return inner
  })
  return found
}

function lossyOf(inner: unknown): Lossy | undefined {
  if (typeof inner === "number" && !Number.isFinite(inner))
    return { what: String(inner), becomes: "null", instead: "null or a string" }
  if (inner instanceof Map) return { what: "a Map", becomes: "{}", instead: "Object.fromEntries(map)" }
  if (inner instanceof Set) return { what: "a Set", becomes: "{}", instead: "[...set]" }
  if (inner instanceof Promise) return { what: "a promise", becomes: "{}", instead: "its awaited value" }
  return undefined
}
