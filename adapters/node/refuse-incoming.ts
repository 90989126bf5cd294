/** Refuses requests with an invalid request line or Host. node:http accepts them, but apps must not get them. */
import type { IncomingMessage } from "node:http"
import { HttpError } from "../../lib/errors.ts"
import { isKnownOrValidHost } from "../shared/known-host.ts"
import { createHostError, refuseCoding, refuseMethod, refuseTarget } from "../shared/request-line.ts"

/**
 * Returns the error for a request that apps must not get; null for a valid one.
 *
 * @param hasJoinedHeaders true if the server joins repeated headers. A second Host then makes the joined value invalid.
 */
export function refuseIncoming(incoming: IncomingMessage, hasJoinedHeaders: boolean): HttpError | null {
  const method = incoming.method as string
  const refusal = refuseMethod(method)
  if (refusal) return refusal
  // There must be exactly one Host, and it must be valid. HTTP/1.0 needs none (RFC 9112 §3.2).
  const { host, "transfer-encoding": coding, "content-length": length } = incoming.headers
  if (host === undefined) {
    if (incoming.httpVersionMinor > 0) return new HttpError(400, "the request has no Host header")
  } else if (!isKnownOrValidHost(host) || (!hasJoinedHeaders && countHosts(incoming.rawHeaders) > 1))
    return createHostError()
  const framingError = coding === undefined ? null : refuseCoding(coding, length)
  return framingError ?? refuseTarget(method, incoming.url as string)
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts
}
