/** What of a request's line and Host node:http lets through and no app may get. Called by `node.ts`, once a request. */
import type { IncomingMessage } from "node:http"
import { HttpError } from "../../lib/errors.ts"
import { badHost, refuseCoding, refuseMethod, refuseTarget, validHost } from "../shared/target.ts"

/**
 * What node:http lets through and no request may be: an error to answer with, or null.
 *
 * @param joined repeated headers come joined, so that a second Host shows as one that is not valid.
 */
export function refuse(incoming: IncomingMessage, joined: boolean): HttpError | null {
  const method = incoming.method as string
  const refused = refuseMethod(method)
  if (refused) return refused
  // RFC 9112 §3.2: exactly one Host, and a valid one; HTTP/1.0 may go without.
  const { host } = incoming.headers
  if (host === undefined) {
    if (incoming.httpVersionMinor > 0) return new HttpError(400, "the request has no Host header")
  } else if (!isHost(host) || (!joined && countHosts(incoming.rawHeaders) > 1)) return badHost()
  return (
    refuseCoding(incoming.headers["transfer-encoding"], incoming.headers["content-length"]) ??
    refuseTarget(method, incoming.url as string)
  )
}

let lastHost = ""

/** One host is asked for again and again: the last good one is remembered. */
function isHost(value: string): boolean {
  if (value === lastHost) return true
  const valid = validHost(value)
  if (valid) lastHost = value
  return valid
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts
}
