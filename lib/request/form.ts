/** Parsing the bytes of a form, after its parts are counted: parsers take memory and time for each part. */
import { badRequest, HttpError } from "../errors.ts"
import type { ResponseBody } from "../exchange.ts"
import { mediaType } from "./headers.ts"

/** A form's media type in lower case; null for a Content-Type of anything else. */
export function formType(contentType: string): FormType | null {
  const media = mediaType(contentType)
  return media === "multipart/form-data" || media === "application/x-www-form-urlencoded" ? media : null
}

/** The media types that HTML forms have. */
export type FormType = "multipart/form-data" | "application/x-www-form-urlencoded"

/**
 * Parses the body of a form.
 *
 * @param contentType the request's whole Content-Type, of a {@link FormType}.
 * @param most parts, fields and files together, that the form may have.
 * @throws HttpError 413 for more parts, 400 for a broken form.
 */
export async function parseForm(bytes: Uint8Array, contentType: string, most: number): Promise<FormData> {
  const media = formType(contentType)
  const boundary = media === "multipart/form-data" ? boundaryOf(contentType) : ""
  if (boundary === null) throw broken(media)
  // The last delimiter ends the form (RFC 2046 §5.1.1), and the last field has no ampersand.
  const parts = boundary === "" ? count(bytes, "&", most) + 1 : count(bytes, `--${boundary}`, most + 1) - 1
  if (parts > most) throw new HttpError(413, `the form has more than ${most} parts`)
  // The boundary that was counted, so that no parser finds another one in the header.
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
 * The boundary of a multipart Content-Type; null for none and for one that is not valid. RFC 2046 §5.1.1 allows 70
 * characters. Some clients use others than it lists, such as `*`, so only those that a quoted string must escape are refused.
 */
function boundaryOf(contentType: string): string | null {
  const [, quoted, bare = ""] = /;\s*boundary=(?:"([^"]*)"|([^;]*))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare.trim()
  return /^[\x20-\x7e]{1,70}$/.test(boundary) && !/["\\]/.test(boundary) ? boundary : null
}

/**
 * How often a text of ASCII occurs in bytes; stops after `most` + 1. Each byte is read once: a search that starts again
 * after a partial match would be slow for a body that is made of them (Knuth, Morris and Pratt).
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

/** For each length of a partial match: how much of it can be the beginning of another one. */
function fallbacksOf(wanted: Uint8Array): number[] {
  const fallbacks = [0]
  for (let i = 1, matched = 0; i < wanted.length; i++) {
    while (matched > 0 && wanted[i] !== wanted[matched]) matched = fallbacks[matched - 1] as number
    if (wanted[i] === wanted[matched]) matched++
    fallbacks.push(matched)
  }
  return fallbacks
}
