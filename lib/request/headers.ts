/** Checks the headers that a program sets, and the URLs of its redirects. */

import { misuse } from "../errors/fault.ts"
import { isToken, trimBlanks } from "./header-grammar.ts"

/** Returns true for text that a header can contain: Latin-1 without control characters, except tabs (RFC 9110 §5.5). */
export function isHeaderText(text: string): boolean {
  return !forbiddenCharacter.test(text)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 9110 §5.5 forbids them
const forbiddenCharacter = /[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/

/**
 * Returns a header name in lower case.
 *
 * @throws TypeError for a name that is not a token (RFC 9110 §5.1).
 */
export function toHeaderName(name: string): string {
  if (!isToken(name)) throw misuse("header.name", name)
  return name.toLowerCase()
}

/**
 * Schemes that no browser follows from a redirect. A program sends them only if somebody else has chosen the target.
 * Other unusual schemes open apps: `mailto:`, and `myapp://callback` in OAuth.
 */
const unfollowedScheme = /^[\s\p{Cc}]*(?:about|blob|data|file|filesystem|javascript|vbscript|view-source):/iu

/** Headers that send a browser to a URL. `HX-Redirect` is a header of htmx, which would run a `javascript:` URL. */
const redirectHeaders: ReadonlySet<string> = new Set(["location", "hx-redirect"])

/**
 * Returns a header value unchanged if it is valid. The error does not show the value, because it may be a secret.
 *
 * @param name the name in lower case.
 * @throws TypeError for CR, LF, NUL, other control characters and characters beyond U+00FF (RFC 9110 §5.5), and for a
 * redirect to a scheme that no browser follows.
 */
export function checkHeaderValue(name: string, value: unknown): string {
  if (typeof value !== "string") throw misuse("header.type", name, value)
  if (!isHeaderText(value)) throw misuse("header.value", name)
  if (redirectHeaders.has(name)) checkScheme(value)
  return value
}

/** Checks the target of a redirect. @throws TypeError for a scheme that no browser follows. */
export function checkScheme(url: string): void {
  const [scheme] = unfollowedScheme.exec(url) ?? []
  if (scheme !== undefined) throw misuse("redirect.scheme", trimBlanks(scheme).toLowerCase())
}

/** The statuses that redirect to a URL (RFC 9110 §15.4). */
export const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308]

/**
 * Returns a URL as the value of `Location`, with percent-encoding for characters outside ASCII.
 *
 * @param url a text that is not blank, or a URL object.
 * @throws TypeError for any other value; for control characters and backslashes, which make browsers read another URL
 * than people see; for half of a surrogate pair, which cannot be encoded; and for a scheme that no browser follows,
 * such as `javascript:`.
 */
export function toLocation(url: unknown): string {
  const text = url instanceof URL ? url.href : url
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression refuses them
  if (typeof text !== "string" || !/^(?!\s*$)[^\x00-\x1f\x7f\\\ud800-\udfff]+$/u.test(text))
    throw misuse("redirect.url", text)
  checkScheme(text)
  return text.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
}
