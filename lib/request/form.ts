/** Parses the bytes of a form after counting its parts, because parsers take memory and time for each part. */
import { badRequest, HttpError } from "../errors.ts"
import type { ResponseBody } from "../exchange.ts"
import { excerpt } from "../text.ts"
import { mediaType, readParameterized } from "./header-grammar.ts"

/** Returns a form's media type in lower case; null for any other Content-Type. */
export function formType(contentType: string): FormType | null {
  const media = mediaType(contentType)
  return media === "multipart/form-data" || media === "application/x-www-form-urlencoded" ? media : null
}

/** Returns the 415 for a body of another type than a reader expects. @param contentType as it was sent. */
export function wrongType(expected: string, contentType: string): HttpError {
  const given =
    contentType === "" ? "a body without a Content-Type" : `a body of ${excerpt(mediaType(contentType))}`
  return new HttpError(415, `expected ${expected}, got ${given}`)
}

/** The media types of HTML forms. */
export type FormType = "multipart/form-data" | "application/x-www-form-urlencoded"

/**
 * Parses the body of a form.
 *
 * @param contentType the request's whole Content-Type, of a {@link FormType}.
 * @param most most parts of the form, fields and files together.
 * @throws HttpError 413 for more parts, 400 for an invalid form.
 */
export async function parseForm(bytes: Uint8Array, contentType: string, most: number): Promise<FormData> {
  const media = formType(contentType)
  const boundary = media === "multipart/form-data" ? boundaryOf(contentType) : ""
  if (boundary === null) throw broken(media)
  // The last delimiter ends the form (RFC 2046 §5.1.1), and the last field has no ampersand.
  const parts = boundary === "" ? count(bytes, "&", most) + 1 : count(bytes, `--${boundary}`, most + 1) - 1
  if (parts > most) throw new HttpError(413, `the form has more than ${most} parts`)
  // The boundary whose parts were counted, so that no parser finds another one in the header.
  const type = boundary === "" ? contentType : `${media}; boundary="${boundary}"`
  try {
    return await new Response(bytes as ResponseBody, { headers: { "content-type": type } }).formData()
  } catch (cause) {
    throw broken(media, cause)
  }
}

function broken(media: string | null, cause?: unknown): HttpError {
  return badRequest(`the body is not valid ${media}`, { cause })
}

/**
 * Returns the boundary of a multipart Content-Type; null if it is missing or invalid. RFC 2046 §5.1.1 allows
 * 70 characters. Some clients use other characters than it lists, such as `*`, so only those that a quoted
 * string must escape are refused.
 */
export function boundaryOf(contentType: string): string | null {
  const boundary = readParameterized(contentType).parameters.get("boundary") ?? ""
  return /^[\x20-\x7e]{1,70}$/.test(boundary) && !/["\\]/.test(boundary) ? boundary : null
}

/**
 * Counts occurrences of ASCII text in bytes; stops after `most` + 1. Each byte is read once: a search that
 * starts again after a partial match would be slow for a body full of them (Knuth, Morris and Pratt).
 */
function count(bytes: Uint8Array, text: string, most: number): number {
  const wanted = new TextEncoder().encode(text)
  const fallbacks = fallbacksOf(wanted)
  let found = 0
  let matched = 0
  for (let i = 0; i < bytes.length && found <= most; i++) {
    while (matched > 0 && bytes[i] !== wanted[matched]) matched = fallbacks[matched - 1] as number
    if (bytes[i] === wanted[matched]) matched++
    if (matched < wanted.length) continue
    found++
    matched = 0
  }
  return found
}

/** Returns, for each length of a partial match, how much of it can begin another one. */
function fallbacksOf(wanted: Uint8Array): number[] {
  const fallbacks = [0]
  for (let i = 1, matched = 0; i < wanted.length; i++) {
    while (matched > 0 && wanted[i] !== wanted[matched]) matched = fallbacks[matched - 1] as number
    if (wanted[i] === wanted[matched]) matched++
    fallbacks.push(matched)
  }
  return fallbacks
}
