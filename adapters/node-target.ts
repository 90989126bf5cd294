/** What of a request's line and Host can be taken, before anything else looks at it. Called by `node.ts`, once a request. */
import type { IncomingMessage } from "node:http"
import { HttpError } from "../lib/errors.ts"

/**
 * Anything but visible ASCII without a backslash. No target may hold more (RFC 9112 §3.2): URL parsers drop tabs, take a
 * backslash for a slash, and nobody knows the encoding of bytes beyond ASCII. node:http's parser refuses most of it already.
 */
const unusual = /[^\x21-\x5b\x5d-\x7e]/

/** A Request can have none of these methods. RFC 9110 §9.3.8: TRACE would send secrets back; CONNECT is for proxies. */
const forbidden = new Set(["TRACE", "CONNECT", "TRACK"])

/**
 * What node:http lets through and no request may be: an error to answer with, or null.
 *
 * @param joined repeated headers come joined, so that a second Host shows as one that is not valid.
 */
export function refuse(incoming: IncomingMessage, joined: boolean): HttpError | null {
  const { headers } = incoming
  const method = incoming.method as string
  const target = incoming.url as string
  if (forbidden.has(method)) return new HttpError(501, `the method ${method} is not implemented`)
  // RFC 9112 §3.2: exactly one Host, and a valid one; HTTP/1.0 may go without.
  const { host } = headers
  if (host === undefined) {
    if (incoming.httpVersionMinor > 0) return new HttpError(400, "the request has no Host header")
  } else if (!validHost(host) || (!joined && countHosts(incoming.rawHeaders) > 1)) {
    return new HttpError(400, "the request has more than one Host header, or one that is no valid host")
  }
  if (unusual.test(target))
    return new HttpError(400, "the request target holds what is to be percent-encoded")
  if (target.charCodeAt(0) === 0x2f || validTarget(method, target)) return null
  return new HttpError(400, "the request target is neither a path nor an http URL")
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts
}

const host = /^(?:[\w\-.~!$&'()*+,;=%]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/

let lastHost = ""

/** `uri-host [":" port]` of RFC 9110 §7.2, also empty. One host is asked for again and again: the last good one is remembered. */
function validHost(value: string): boolean {
  if (value === lastHost) return true
  const valid = value === "" || (host.test(value) && URL.canParse(`http://${value}`))
  if (valid) lastHost = value
  return valid
}

/** Absolute form for any method, `*` for OPTIONS alone (RFC 9112 §3.2.2, §3.2.4). A Request's URL has no user and password. */
function validTarget(method: string, target: string): boolean {
  if (target === "*") return method === "OPTIONS"
  return /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(target) && URL.canParse(target)
}
