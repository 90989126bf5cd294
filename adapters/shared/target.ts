/** What of a request's line and Host can be taken, before anything else looks at it: one rule for every adapter, asked once a request. */
import { HttpError } from "../../lib/errors.ts"

/**
 * Anything but visible ASCII without a backslash. No target may hold more (RFC 9112 §3.2): URL parsers drop tabs, take a
 * backslash for a slash, and nobody knows the encoding of bytes beyond ASCII. node:http's parser refuses most of it already.
 */
const unusual = /[^\x21-\x5b\x5d-\x7e]/

/** A Request can have none of these methods. RFC 9110 §9.3.8: TRACE would send secrets back; CONNECT is for proxies. */
const forbidden = new Set(["TRACE", "CONNECT", "TRACK"])

/** What of a Request's method and Host keeps it from being answered, or null. Runtimes build its URL out of the Host: one that is no host would move the path. */
export function refuseRequest({ method, headers }: Request): HttpError | null {
  return refuseMethod(method) ?? (validHost(headers.get("host") ?? "") ? null : badHost())
}

/** 501 for a method that no app answers, else null. */
export function refuseMethod(method: string): HttpError | null {
  return forbidden.has(method) ? new HttpError(501, `the method ${method} is not implemented`) : null
}

/**
 * What is wrong with a Transfer-Encoding (RFC 9112 §6.1, §6.3), or null. Servers read the chunks of any list that ends in
 * `chunked`, and leave the other codings to the program; some take an empty header for none.
 *
 * @param given the header; null or undefined without one. @param length the Content-Length, which must not be there too.
 */
export function refuseCoding(given?: string | null, length?: string | null): HttpError | null {
  if (typeof given !== "string") return null
  const codings = given
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
  const isFramed = codings.indexOf("chunked") === codings.length - 1
  if (!isFramed || codings.includes("") || typeof length === "string")
    return new HttpError(400, "the Transfer-Encoding does not say where the body ends")
  if (codings.length === 1) return null
  return new HttpError(501, "the only transfer coding that this server knows is chunked")
}

/** 400 for a target that no request may have, else null. */
export function refuseTarget(method: string, target: string): HttpError | null {
  if (unusual.test(target))
    return new HttpError(400, "the request target holds what is to be percent-encoded")
  if (target.charCodeAt(0) === 0x2f || validTarget(method, target)) return null
  return new HttpError(400, "the request target is neither a path nor an http URL")
}

/** Absolute form for any method, `*` for OPTIONS alone (RFC 9112 §3.2.2, §3.2.4). A Request's URL has no user and password. */
function validTarget(method: string, target: string): boolean {
  if (target === "*") return method === "OPTIONS"
  return /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(target) && URL.canParse(target)
}

/** The answer to a Host that is none, or is there twice. */
export function badHost(): HttpError {
  return new HttpError(400, "the Host header is repeated or not a valid host")
}

/** Visible ASCII without what would end the authority of a URL, or hide before it: `/`, `?`, `#`, `@` and a backslash. */
const host = /^[!"$-.0->A-[\]-~]+$/

/** `uri-host [":" port]` of RFC 9110 §7.2, also empty. */
export function validHost(value: string): boolean {
  return value === "" || (host.test(value) && URL.canParse(`http://${value}`))
}
