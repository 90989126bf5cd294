/** Finds parts of a value that JSON would change without an error. */

/** A part of a value that JSON changes. */
export interface LossyPart {
  /** A description of the part: `NaN`, `a Map`, `a promise`. */
  readonly what: string
  /** The position in the value: ` at user.tags[0]`, or `""` for the whole value. */
  readonly at: string
  /** The JSON that the part becomes. */
  readonly becomes: "null" | "{}"
  /** What the program should pass in place of the part. */
  readonly instead: string
}

/**
 * Returns the first part of a value that JSON would change; undefined if there is none.
 *
 * @param text the value as JSON.
 * @param kinds the results to look for.
 */
export function findLossyPart(
  value: unknown,
  text: string,
  kinds: readonly LossyPart["becomes"][] = ["null", "{}"],
): LossyPart | undefined {
  if (!kinds.some((kind) => text.includes(kind))) return undefined
  let found: Omit<LossyPart, "at"> | undefined
  let visits = 0
  JSON.stringify(value, (_, inner: unknown) => {
    const lossy = found ? undefined : explainLoss(inner)
    if (lossy && kinds.includes(lossy.becomes)) found = lossy
    if (!found) visits += 1
    return inner
  })
  return found && { ...found, at: findPath(value, visits) }
}

/**
 * Returns the path of the part that JSON.stringify() visits after `before` other parts. This converts the value
 * once more, but only if there is a part to report.
 */
function findPath(value: unknown, before: number): string {
  const paths = new Map<unknown, string>()
  let visits = 0
  let place = ""
  JSON.stringify(value, function (this: unknown, key, inner: unknown) {
    const outer = paths.get(this)
    const path = Array.isArray(this) ? `${outer}[${key}]` : outer ? `${outer}.${key}` : key
    paths.set(inner, path)
    if (visits === before && path) place = ` at ${path}`
    visits += 1
    return inner
  })
  return place
}

function explainLoss(inner: unknown): Omit<LossyPart, "at"> | undefined {
  if (typeof inner === "number" && !Number.isFinite(inner))
    return { what: String(inner), becomes: "null", instead: "null or a string" }
  if (inner instanceof Map) return { what: "a Map", becomes: "{}", instead: "Object.fromEntries(map)" }
  if (inner instanceof Set) return { what: "a Set", becomes: "{}", instead: "[...set]" }
  if (inner instanceof Promise) return { what: "a promise", becomes: "{}", instead: "its awaited value" }
  return undefined
}
