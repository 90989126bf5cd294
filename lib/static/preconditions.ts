/** Preconditions of a request: entity tags, dates, and their order (RFC 9110 §13). */
import { parseEntityTags, readDate, trimBlanks } from "../request/header-grammar.ts"

/** The values that a request's conditions are compared with. */
export interface Validators {
  /** With its quotes. */
  readonly etag: string
  /** Milliseconds, in whole seconds; NaN if unknown. */
  readonly modified: number
}

type ReadHeader = (name: string) => string

/**
 * Returns true if a list of entity tags, or `*`, contains the current one. Weak tags never match strongly
 * (§8.8.3.2).
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
 * Evaluates the preconditions of a GET or HEAD request in the order of §13.2.2: 412, 304, or null to
 * continue.
 */
export function evaluatePreconditions(header: ReadHeader, { etag, modified }: Validators): 304 | 412 | null {
  const match = header("if-match")
  if (match !== "") {
    if (!matchesETag(match, etag, true)) return 412
  } else if (modified > readDate(header("if-unmodified-since"))) {
    return 412
  }
  const noneMatch = header("if-none-match")
  if (noneMatch !== "") return matchesETag(noneMatch, etag, false) ? 304 : null
  return modified <= readDate(header("if-modified-since")) ? 304 : null
}

/**
 * Returns true if `If-Range` allows the range (§13.1.5): a tag by strong comparison, a date by equality. Only
 * the client knows when it received a date, so it must make sure that the date is strong enough.
 */
export function isRangeValid(header: ReadHeader, { etag, modified }: Validators): boolean {
  const condition = trimBlanks(header("if-range"))
  if (condition === "") return true
  if (condition.startsWith('"') || condition.startsWith("W/")) return condition === etag && !etag.startsWith("W/")
  return readDate(condition) === modified
}
