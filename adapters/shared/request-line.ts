/**
 * Checks the request line and Host of every request before any other code runs. All adapters have the same rules.
 */
import { HttpError } from "../../lib/errors.ts"
import { listElements, trimBlanks } from "../../lib/request/header-grammar.ts"

/**
 * Any character except visible ASCII, and the backslash. A request target may contain none of them (RFC 9112 §3.2). URL
 * parsers drop tabs and read a backslash as a slash, and the encoding of bytes outside of ASCII is not known. node:http
 * refuses most of them itself.
 */
const invalidTargetCharacter = /[^\x21-\x5b\x5d-\x7e]/

/**
 * Methods that a Request cannot have. TRACE would return secrets, and CONNECT is for proxies (RFC 9110 §9.3.6, §9.3.8).
 */
const unsupportedMethod = /^(?:TRACE|CONNECT|TRACK)$/

/**
 * Returns the error for a Request with an invalid method or Host; null if both are valid. Runtimes make the URL from
 * the Host, so an invalid one could change the path.
 */
export function refuseRequest({ method, headers }: Request): HttpError | null {
  return refuseMethod(method) ?? (isValidHost(headers.get("host") ?? "") ? null : createHostError())
}

/** Returns a 501 for a method that no app answers; otherwise null. */
export function refuseMethod(method: string): HttpError | null {
  return unsupportedMethod.test(method) ? new HttpError(501, `the method ${method} is not implemented`) : null
}

/**
 * Returns the error for a Transfer-Encoding (RFC 9112 §6.1, §6.3); null if it is valid. Servers decode the chunks of
 * any list that ends with `chunked`, and leave other codings to the program. Some treat an empty header as a missing
 * one.
 *
 * @param value the value of the Transfer-Encoding.
 * @param length the Content-Length, which must be missing if there is a Transfer-Encoding.
 */
export function refuseCoding(value: string, length?: string | null): HttpError | null {
  const lowerCase = value.toLowerCase()
  if (trimBlanks(lowerCase) === "chunked" && typeof length !== "string") return null
  const codings = listElements(lowerCase)
  const isFramed = codings.length > 1 && codings.indexOf("chunked") === codings.length - 1
  if (!isFramed || typeof length === "string")
    return new HttpError(400, "the Transfer-Encoding does not say where the body ends")
  return new HttpError(501, "the only transfer coding that this server knows is chunked")
}

/** Returns a 400 for an invalid request target; otherwise null. */
export function refuseTarget(method: string, target: string): HttpError | null {
  if (invalidTargetCharacter.test(target))
    return new HttpError(400, "the request target contains characters that must be percent-encoded")
  if (target.charCodeAt(0) === 0x2f || isValidTarget(method, target)) return null
  return new HttpError(400, "the request target is neither a path nor an http URL")
}

/**
 * Returns true for a valid request target. It may be an absolute URL for any method, and `*` only for OPTIONS (RFC 9112
 * §3.2.2, §3.2.4). A URL with a user or a password is refused.
 */
function isValidTarget(method: string, target: string): boolean {
  if (target === "*") return method === "OPTIONS"
  if (isKnownOrigin(target)) return true
  const [origin] = /^https?:\/\/[^/?#@]+(?=[/?#]|$)/i.exec(target) ?? []
  if (origin === undefined || !URL.canParse(target)) return false
  lastOrigin = origin
  return true
}

/**
 * Returns true for a URL with the same scheme and authority as the last valid one. Only this part can make a URL
 * invalid, and it is the same in most requests.
 */
export function isKnownOrigin(target: string): boolean {
  return target.startsWith(lastOrigin) && target.charCodeAt(lastOrigin.length) === 0x2f
}

/** The scheme and authority of the last valid target. Targets that begin with a slash never match the initial value. */
let lastOrigin = "//"

/** Returns the error for a Host that is invalid or repeated. */
export function createHostError(): HttpError {
  return new HttpError(400, "the Host header is repeated or not a valid host")
}

/**
 * Visible ASCII, except characters that end the authority of a URL or hide the text before them: `/`, `?`, `#`, `@` and
 * the backslash.
 */
const hostPattern = /^[!"$-.0->A-[\]-~]+$/

/** Returns true for a valid Host: `uri-host [":" port]` of RFC 9110 §7.2, or an empty text. */
export function isValidHost(value: string): boolean {
  return value === "" || (hostPattern.test(value) && URL.canParse(`http://${value}`))
}
