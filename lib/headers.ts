/** What may stand in a header, and what a content type says. Used wherever a program's text becomes a header. */

import { misuse } from "./fault.ts"

/** RFC 9110 §5.6.2. */
export const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 9110 §5.5 forbids them, so they must be named.
const forbidden = /[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/

/**
 * A header's name in lower case.
 *
 * @throws TypeError for what is no token (RFC 9110 §5.1).
 */
export function headerName(name: string): string {
  if (!token.test(name)) throw misuse("header.name", name)
  return name.toLowerCase()
}

/**
 * A header's value, as it was given. The value itself is never in the message: it may be a secret.
 *
 * @throws TypeError for CR, LF, NUL, other control characters and characters beyond U+00FF (RFC 9110 §5.5).
 */
export function headerValue(name: string, value: string): string {
  if (typeof value !== "string") throw misuse("header.type", name, typeof value)
  if (forbidden.test(value)) throw misuse("header.value", name)
  return value
}

/** The media type of a Content-Type, in lower case and without its parameters. */
export function mediaType(contentType: string): string {
  return (contentType.split(";", 1)[0] as string).trim().toLowerCase()
}

/** Whether a Content-Type is `application/json` or a `+json` kind of it (RFC 6839 §3.1). */
export function isJSONType(contentType: string): boolean {
  return /^application\/(?:.*\+)?json$/.test(mediaType(contentType))
}

/**
 * A URL as a `Location` header: what is not ASCII is percent-encoded.
 *
 * @throws TypeError for control characters and backslashes, which browsers read as another URL than it seems to be.
 */
export function locationValue(url: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be refused.
  if (/[\x00-\x1f\x7f\\]/.test(url)) {
    throw misuse("redirect.url")
  }
  return url.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
}
