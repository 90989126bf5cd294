/** Preconditions of a request: entity tags, dates, and which of them decide (RFC 9110 §13). Called by static files. */

/** What a request's conditions are tested against. */
export interface Validators {
  /** With its quotes. */
  readonly etag: string
  /** Milliseconds, in whole seconds; NaN when unknown. */
  readonly modified: number
}

type Header = (name: string) => string

/** The three spellings of a date (§5.6.7); `Date.parse` alone would take `"1"` for one. */
const httpDate =
  /^[A-Z][a-z]{2,8}, ?\d\d[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d\d) \d\d:\d\d:\d\d GMT$|^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/** An HTTP date in milliseconds; NaN for anything else. */
export function readDate(text: string): number {
  if (!httpDate.test(text)) return Number.NaN
  return Date.parse(text.endsWith("GMT") ? text : `${text} GMT`)
}

/** Whether a list of entity tags, or `*`, names the current one. Weak tags never match strongly (§8.8.3.2). */
function listed(list: string, etag: string, strong: boolean): boolean {
  if (list.trim() === "*") return true
  const opaque = etag.replace(/^W\//, "")
  for (const [tag] of list.matchAll(/(?:W\/)?"[^"]*"/g)) {
    if (strong ? tag === etag && !etag.startsWith("W/") : tag.replace(/^W\//, "") === opaque) return true
  }
  return false
}

/** Evaluates a GET or HEAD request's preconditions in the order of §13.2.2: 412, 304, or null to go on. */
export function precondition(header: Header, { etag, modified }: Validators): 304 | 412 | null {
  const match = header("if-match")
  if (match !== "") {
    if (!listed(match, etag, true)) return 412
  } else if (modified > readDate(header("if-unmodified-since"))) {
    return 412
  }
  const noneMatch = header("if-none-match")
  if (noneMatch !== "") return listed(noneMatch, etag, false) ? 304 : null
  return modified <= readDate(header("if-modified-since")) ? 304 : null
}

/**
 * Whether `If-Range` lets the range stand (§13.1.5): a tag by strong comparison, a date by equality. That a date is
 * strong enough is for the client to see to, which alone knows when it got it.
 */
export function rangeStands(header: Header, { etag, modified }: Validators): boolean {
  const condition = header("if-range").trim()
  if (condition === "") return true
  if (/^(?:W\/)?"/.test(condition)) return condition === etag && !etag.startsWith("W/")
  return readDate(condition) === modified
}
