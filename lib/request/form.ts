/** Parses the bytes of a form. */
import { badRequest, HttpError } from "../errors.ts"
import { concatBytes } from "./bytes.ts"
import { findFormType } from "./form-type.ts"
import { readParameterized } from "./header-grammar.ts"
import { decodePartText, Multipart } from "./multipart.ts"

/**
 * Parses the body of a form.
 *
 * @param contentType the whole Content-Type of the request.
 * @param maxParts maximum number of parts, counting fields and files.
 * @throws HttpError 413 for more parts, 400 for an invalid form, 415 for a part in a transfer encoding.
 */
export async function parseForm(bytes: Uint8Array, contentType: string, maxParts: number): Promise<FormData> {
  if (findFormType(contentType) === "multipart/form-data") return parseParts(bytes, contentType, maxParts)
  // Bytes that are not UTF-8 are replaced, as in a query (URL standard, "application/x-www-form-urlencoded parsing").
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  if (text.split("&", maxParts + 1).length > maxParts)
    throw new HttpError(413, `the form has more than ${maxParts} parts`)
  const form = new FormData()
  // Without the `&`, URLSearchParams would drop a question mark at the start of the first name.
  for (const [name, value] of new URLSearchParams(`&${text}`)) form.append(name, value)
  return form
}

/**
 * Parses a multipart form. Files without a type get `text/plain`, as the Fetch standard (`formData()`) and RFC 7578
 * §4.4 require.
 */
async function parseParts(bytes: Uint8Array, contentType: string, maxParts: number): Promise<FormData> {
  const form = new FormData()
  const multipart = new Multipart(bytes, readBoundary(contentType), maxParts)
  for (let head = await multipart.next(); head; head = await multipart.next()) {
    const chunks: Uint8Array<ArrayBuffer>[] = []
    let size = 0
    for (let chunk = await multipart.readChunk(); chunk; chunk = await multipart.readChunk()) {
      chunks.push(chunk as Uint8Array<ArrayBuffer>)
      size += chunk.length
    }
    const { name, filename, type } = head
    if (filename === undefined) form.append(name, decodePartText(concatBytes(chunks, size), head))
    else form.append(name, new File(chunks, filename, { type: type || "text/plain" }))
  }
  return form
}

/**
 * Returns the boundary of a multipart Content-Type. It has at most 70 characters (RFC 2046 §5.1.1). Some clients use
 * characters that the RFC does not allow, such as `*`; they are accepted.
 *
 * @throws HttpError 400 if it is missing or invalid.
 */
export function readBoundary(contentType: string): string {
  const boundary = readParameterized(contentType).parameters.get("boundary") ?? ""
  if (/^[\x20-\x7e]{1,70}$/.test(boundary)) return boundary
  throw badRequest(
    "the Content-Type multipart/form-data has no valid boundary: it needs a parameter boundary of 1 to 70 ASCII characters",
  )
}
