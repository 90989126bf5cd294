/** The client's address and scheme: those of the connection, or those that trusted proxies report. */

import type { Exchange } from "../exchange.ts"
import { type AddressRange, isInRanges, readAddress, readPeer } from "./address.ts"
import { listElements, readParameters } from "./header-grammar.ts"

/**
 * Returns the address of the client. Forwarded addresses count from right to left as long as the hop before
 * them is trusted, so an address written by the client itself is never trusted.
 *
 * @param peer the address of the connection, or what a host passes as that.
 * @param forwarded `X-Forwarded-For`, otherwise the `for` parameters of `Forwarded` (RFC 7239 §5.2), left to
 * right.
 */
export function findClientAddress(
  peer: string,
  forwarded: readonly string[],
  trusted: readonly AddressRange[],
): string {
  let address = readPeer(peer)
  for (let i = forwarded.length - 1; i >= 0 && isInRanges(address, trusted); i--) {
    const next = readAddress(forwarded[i] as string)
    // A hop that is not an address (RFC 7239 allows "unknown" and "_hidden") ends the trusted part.
    if (next === "") break
    address = next
  }
  return address
}

/** Returns the client's address from an exchange and the headers of trusted proxies. */
export function findForwardedClient(exchange: Exchange, trusted: readonly AddressRange[]): string {
  const { address } = exchange
  if (trusted.length === 0) return readPeer(address)
  return findClientAddress(
    address,
    listForwardedAddresses((name) => exchange.header(name)),
    trusted,
  )
}

/**
 * Returns scheme and host that the client requested: those of the connection, with the scheme that a trusted
 * proxy reports.
 */
export function findForwardedOrigin(exchange: Exchange, trusted: readonly AddressRange[]): string {
  const { origin, address } = exchange
  if (trusted.length === 0 || !isInRanges(readPeer(address), trusted)) return origin
  const scheme = findForwardedScheme((name) => exchange.header(name))
  return scheme === "" ? origin : new URL(origin.replace(/^\w+/, scheme)).origin
}

/** Returns the forwarded addresses of a request, left to right. */
export function listForwardedAddresses(header: (name: string) => string): string[] {
  const list = listElements(header("x-forwarded-for"))
  if (list.length > 0) return list
  return listElements(header("forwarded")).map((hop) => readParameters(hop).get("for") ?? "")
}

/**
 * Returns the client's scheme as reported by a trusted proxy: the first of `X-Forwarded-Proto`, otherwise of
 * `Forwarded`; `""` without both.
 */
export function findForwardedScheme(header: (name: string) => string): string {
  const [first] = listElements(header("x-forwarded-proto"))
  const reported = () => listElements(header("forwarded")).map((hop) => readParameters(hop).get("proto"))
  const scheme = (first ?? reported().find((proto) => proto !== undefined) ?? "").toLowerCase()
  return scheme === "http" || scheme === "https" ? scheme : ""
}
