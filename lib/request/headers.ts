/** Valid header values, and the media type in a content type. */

import { misuse } from "../fault.ts"

/** RFC 9110 §5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Returns true for a token: a method, a header name, a subprotocol, a cookie name. */
export function isToken(value: unknown): value is string {
  return typeof value === "string" && token.test(value)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 9110 §5.5 forbids them, so they must be named.
const forbidden = /[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/

/**
 * Returns a header name in lower case.
 *
 * @throws TypeError for a name that is not a token (RFC 9110 §5.1).
 */
export function headerName(name: string): string {
  if (!isToken(name)) throw misuse("header.name", name)
  return name.toLowerCase()
}

/**
 * Returns a header value unchanged. The value is never in the message, because it may be a secret.
 *
 * @throws TypeError for CR, LF, NUL, other control characters and characters beyond U+00FF (RFC 9110 §5.5).
 */
export function headerValue(name: string, value: unknown): string {
  if (typeof value !== "string") throw misuse("header.type", name, value)
  if (forbidden.test(value)) throw misuse("header.value", name)
  return value
}

/** Returns the media type of a Content-Type, in lower case and without its parameters. */
export function mediaType(contentType: string): string {
  return (contentType.split(";", 1)[0] as string).trim().toLowerCase()
}

/** Returns true if a Content-Type is `application/json` or ends in `+json` (RFC 6839 §3.1). */
export function isJSONType(contentType: string): boolean {
  return /^\s*application\/(?:[^;]*\+)?json\s*(?:;|$)/i.test(contentType)
}

/** The statuses of a redirect to a URL (RFC 9110 §15.4). */
export const redirects: readonly number[] = [301, 302, 303, 307, 308]

/**
 * Returns a URL as a `Location` header, with other characters than ASCII percent-encoded.
 *
 * @param url a text that is not blank, or a URL object.
 * @throws TypeError for anything else, for control characters and backslashes, with which browsers read another URL than it
 * seems to be, and for half of a surrogate pair, which has no UTF-8.
 */
export function locationValue(url: unknown): string {
  const text = url instanceof URL ? url.href : url
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be refused.
  if (typeof text !== "string" || !/^(?!\s*$)[^\x00-\x1f\x7f\\\ud800-\udfff]+$/u.test(text))
    throw misuse("redirect.url", text)
  return text.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
}
