/** Finds parts of a value that JSON would change without an error. */

/** A part of a value that JSON changes. */
export interface LossyPart {
  /** A description of the part: `NaN`, `a Map`, `a promise`. */
  readonly description: string
  /** The position in the value: ` at user.tags[0]`, or `""` for the whole value. */
  readonly position: string
  /** The JSON that the part becomes. */
  readonly json: "null" | "{}"
  /** What the program should pass in place of the part. */
  readonly replacement: string
}

/**
 * Returns the first part of a value that JSON would change; undefined if there is none.
 *
 * @param text the value as JSON.
 * @param results the results to look for.
 */
export function findLossyPart(
  value: unknown,
  text: string,
  results: readonly LossyPart["json"][] = ["null", "{}"],
): LossyPart | undefined {
  if (!results.some((kind) => text.includes(kind))) return undefined
  let firstPart: Omit<LossyPart, "position"> | undefined
  let visits = 0
  JSON.stringify(value, (_, part: unknown) => {
    const lossy = firstPart ? undefined : explainLoss(part)
    if (lossy && results.includes(lossy.json)) firstPart = lossy
    if (!firstPart) visits += 1
    return part
  })
  return firstPart && { ...firstPart, position: findPath(value, visits) }
}

/**
 * Returns the position of the part that JSON.stringify() visits after `skippedVisits` other parts. This converts the
 * value once more, but only if there is a part to report.
 */
function findPath(value: unknown, skippedVisits: number): string {
  const paths = new Map<unknown, string>()
  let visits = 0
  let position = ""
  JSON.stringify(value, function (this: unknown, key, part: unknown) {
    const outer = paths.get(this)
    const path = Array.isArray(this) ? `${outer}[${key}]` : outer ? `${outer}.${key}` : key
    paths.set(part, path)
    if (visits === skippedVisits && path) position = ` at ${path}`
    visits += 1
    return part
  })
  return position
}

function explainLoss(part: unknown): Omit<LossyPart, "position"> | undefined {
  if (typeof part === "number" && !Number.isFinite(part))
    return { description: String(part), json: "null", replacement: "null or a string" }
  if (part instanceof Map) return { description: "a Map", json: "{}", replacement: "Object.fromEntries(map)" }
  if (part instanceof Set) return { description: "a Set", json: "{}", replacement: "[...set]" }
  if (part instanceof Promise) return { description: "a promise", json: "{}", replacement: "its awaited value" }
  return undefined
}
