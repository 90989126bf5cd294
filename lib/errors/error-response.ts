/** Makes the responses to errors. */
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
 * Returns the response `{error, message}`. If the error's own headers or issues cannot be sent, that is a bug: it is
 * reported, and the response is a 500.
 */
export function sendPlainError(c: Context, visibleError: HttpError): Response {
  try {
    return sendError(c, visibleError, c.json(visibleError.status, visibleError))
  } catch (again) {
    platform.report(again)
    return sendError(c, bugError, c.json(bugError.status, bugError))
  }
}

/** The message of a 404 without a route, which tells a visitor nothing. */
export function formatNoRoute(c: Context): string {
  return `no route matches ${shortenText(c.method)} ${shortenText(c.path)}`
}

/** Returns the error that a client may see: an HttpError as it is, and no details of any other. */
export function toVisibleError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  return toOutageError(error) || bugError
}

/**
 * Adds the context's headers to an error's response, and then the error's own, which are only for this
 * response.
 *
 * @param pick selects some of the error's own headers. A response that the program made gets only those that it lacks:
 *   a 401 needs `WWW-Authenticate` (RFC 9110 §15.5.2), a 405 needs `Allow` (§15.5.6).
 */
export function sendError(
  c: Context,
  { headers = {} }: HttpError,
  answer: Response,
  pick?: typeof findMissingChanges,
): Response {
  const own = Object.entries(headers).map(([key, value]): HeaderChange => {
    const name = toHeaderName(key)
    // `Vary` and cookies are added to existing ones.
    return { name, value: checkHeaderValue(name, value), append: name === "vary" || name === "set-cookie" }
  })
  const response = access.addPendingHeaders(c, answer, true)
  return access.getExchange(c).addHeaders(response, pick ? pick(response, own) : own)
}
