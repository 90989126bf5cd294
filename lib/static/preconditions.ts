/** Evaluates the preconditions of a request in the order of RFC 9110 §13: entity tags, then dates. */
import { parseEntityTags, type ReadHeader, readDate, trimBlanks } from "../request/header-grammar.ts"

/** The values with which conditions are compared. */
export interface Validators {
  /** The tag with its quotes. */
  readonly etag: string
  /** Milliseconds since 1970, a whole number of seconds; NaN if unknown. */
  readonly modifiedMs: number
}

/**
 * Returns true if a list of entity tags contains the current one, or is `*`. In a strong comparison, weak tags never
 * match (§8.8.3.2).
 */
function matchesETag(list: string, etag: string, isStrong: boolean): boolean {
  if (trimBlanks(list) === "*") return true
  const opaque = etag.replace(/^W\//, "")
  for (const tag of parseEntityTags(list)) {
    if (isStrong ? tag === etag && !etag.startsWith("W/") : tag.replace(/^W\//, "") === opaque) return true
  }
  return false
}

/**
 * Evaluates the preconditions of GET or HEAD in the order of §13.2.2. Returns the status 412 or 304, or null to
 * continue.
 */
export function evaluatePreconditions(readHeader: ReadHeader, { etag, modifiedMs }: Validators): 304 | 412 | null {
  const match = readHeader("if-match")
  if (match !== "") {
    if (!matchesETag(match, etag, true)) return 412
  } else if (modifiedMs > readDate(readHeader("if-unmodified-since"))) {
    return 412
  }
  const noneMatch = readHeader("if-none-match")
  if (noneMatch !== "") return matchesETag(noneMatch, etag, false) ? 304 : null
  return modifiedMs <= readDate(readHeader("if-modified-since")) ? 304 : null
}

/**
 * Returns true if `If-Range` allows to send a range (§13.1.5). A tag must match strongly, and a date must be equal.
 * Whether a date is precise enough only the client can know.
 */
export function isRangeValid(readHeader: ReadHeader, { etag, modifiedMs }: Validators): boolean {
  const condition = trimBlanks(readHeader("if-range"))
  if (condition === "") return true
  if (condition.startsWith('"') || condition.startsWith("W/")) return condition === etag && !etag.startsWith("W/")
  return readDate(condition) === modifiedMs
}
