/** The media types of forms. The core recognizes forms by them, even in a bundle without the part that reads forms. */
import { HttpError } from "../errors.ts"
import type { BodySource } from "../exchange.ts"
import { shortenText } from "../text.ts"
import { parseMediaType } from "./header-grammar.ts"

/** Returns a form's media type in lower case; null for any other Content-Type. */
export function findFormType(contentType: string): FormType | null {
  const media = parseMediaType(contentType)
  return media === "multipart/form-data" || media === "application/x-www-form-urlencoded" ? media : null
}

/** Returns the 415 for a body of another type than a reader expects. @param contentType as it was sent. */
export function createWrongTypeError(expected: string, contentType: string): HttpError {
  const given =
    contentType === "" ? "a body without a Content-Type" : `a body of ${shortenText(parseMediaType(contentType))}`
  return new HttpError(415, `expected ${expected}, got ${given}`)
}

/** The media types of HTML forms. */
export type FormType = "multipart/form-data" | "application/x-www-form-urlencoded"

/**
 * Returns true for a form whose Content-Length is larger than `limit`. Only `c.readForm()` can answer it; the other
 * readers refuse it before they read anything.
 */
export function isLargeForm(exchange: BodySource, limit: number): boolean {
  return (
    exchange.hasBody &&
    Number(exchange.header("content-length")) > limit &&
    findFormType(exchange.header("content-type")) !== null
  )
}
