/** The media types of forms. The core needs them to recognise forms, even in a bundle that cannot read forms. */
import { HttpError } from "../errors.ts"
import type { BodySource } from "../exchange.ts"
import { shortenText } from "../text.ts"
import { parseMediaType } from "./header-grammar.ts"

/** Returns the media type of a form in lower case; null for any other Content-Type. */
export function findFormType(contentType: string): FormType | null {
  const media = parseMediaType(contentType)
  return media === "multipart/form-data" || media === "application/x-www-form-urlencoded" ? media : null
}

/** Returns the 415 for a body of a wrong type. @param contentType the header as it was sent. */
export function createWrongTypeError(expectedType: string, contentType: string): HttpError {
  const sentType =
    contentType === "" ? "a body without a Content-Type" : `a body of ${shortenText(parseMediaType(contentType))}`
  return new HttpError(415, `expected ${expectedType}, got ${sentType}`)
}

/** The media types of HTML forms. */
export type FormType = "multipart/form-data" | "application/x-www-form-urlencoded"

/**
 * Returns true for a form whose Content-Length is larger than `limit`. `c.readForm()` can still answer it. All other
 * calls refuse it before they read anything.
 */
export function isLargeForm(exchange: BodySource, limit: number): boolean {
  return (
    exchange.hasBody &&
    Number(exchange.header("content-length")) > limit &&
    findFormType(exchange.header("content-type")) !== null
  )
}
