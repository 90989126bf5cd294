/** Creates the responses to errors. */
import { platform } from "#platform"
import type { HeaderChange } from "../answer/caching.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { bugError, HttpError } from "../errors.ts"
import type { findMissingChanges } from "../exchange.ts"
import { checkHeaderValue, toHeaderName } from "../request/headers.ts"
import { shortenText } from "../text.ts"
import { toOutageError } from "./outage-error.ts"

/**
 * Returns the response `{error, message}`. If the headers or the issues of the error cannot be sent, that is a bug: it
 * is reported, and the response is a 500.
 */
export function createErrorResponse(c: Context, visibleError: HttpError): Response {
  try {
    return addErrorHeaders(c, visibleError, c.json(visibleError.status, visibleError))
  } catch (secondError) {
    platform.report(secondError)
    return addErrorHeaders(c, bugError, c.json(bugError.status, bugError))
  }
}

/** Returns the message of a 404 for a request without a route. It names only what the client has sent. */
export function describeMissingRoute(c: Context): string {
  return `no route matches ${shortenText(c.method)} ${shortenText(c.path)}`
}

/** Returns the error that a client may see: an HttpError itself; for any other error one without its details. */
export function toVisibleError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  return toOutageError(error) || bugError
}

/**
 * Adds headers to the response to an error: first those that were set on the context, then those of the error.
 *
 * @param selectChanges selects some of the error's headers. A response of the program's own gets only those that it
 * does not have yet: a 401 needs `WWW-Authenticate` (RFC 9110 §15.5.2), a 405 needs `Allow` (§15.5.6).
 */
export function addErrorHeaders(
  c: Context,
  { headers = {} }: HttpError,
  answer: Response,
  selectChanges?: typeof findMissingChanges,
): Response {
  const errorHeaders = Object.entries(headers).map(([key, value]): HeaderChange => {
    const name = toHeaderName(key)
    // `Vary` and cookies are added to those that the response has.
    return { name, value: checkHeaderValue(name, value), append: name === "vary" || name === "set-cookie" }
  })
  const response = access.addPendingHeaders(c, answer, true)
  return access
    .getExchange(c)
    .addHeaders(response, selectChanges ? selectChanges(response, errorHeaders) : errorHeaders)
}
