/** Finds the client's address and scheme, from the connection and from what trusted proxies report. */

import type { Exchange } from "../exchange.ts"
import { type AddressRange, isInRanges, readAddress, readPeer } from "./address.ts"
import { listElements, readParameters } from "./header-grammar.ts"

/**
 * Returns the address of the client. Forwarded addresses are read from right to left, as long as the hop that added one
 * is trusted. So an address that the client itself has written is never trusted.
 *
 * @param peer the address of the connection, or the one that the host has passed.
 * @param forwardedAddresses the addresses in `X-Forwarded-For`, otherwise those in `Forwarded` (`for`, RFC 7239 §5.2),
 * from left to right.
 */
export function findClientAddress(
  peer: string,
  forwardedAddresses: readonly string[],
  trustedRanges: readonly AddressRange[],
): string {
  let address = readPeer(peer)
  for (let i = forwardedAddresses.length - 1; i >= 0 && isInRanges(address, trustedRanges); i--) {
    const next = readAddress(forwardedAddresses[i] as string)
    // Hops may be "unknown" or "_hidden" (RFC 7239). Nothing further to the left can be trusted.
    if (next === "") break
    address = next
  }
  return address
}

/** Returns the client's address from the connection and the headers of trusted proxies. */
export function findForwardedClient(exchange: Exchange, trustedRanges: readonly AddressRange[]): string {
  const { address } = exchange
  if (trustedRanges.length === 0) return readPeer(address)
  return findClientAddress(
    address,
    listForwardedAddresses((name) => exchange.header(name)),
    trustedRanges,
  )
}

/**
 * Returns the scheme and host that the client requested. They are those of the connection, but if a trusted proxy
 * reports another scheme, that one is used.
 */
export function findForwardedOrigin(exchange: Exchange, trustedRanges: readonly AddressRange[]): string {
  const { origin, address } = exchange
  if (trustedRanges.length === 0 || !isInRanges(readPeer(address), trustedRanges)) return origin
  const scheme = findForwardedScheme((name) => exchange.header(name))
  return scheme === "" ? origin : new URL(origin.replace(/^\w+/, scheme)).origin
}

/** Returns the forwarded addresses of a request, from left to right. */
export function listForwardedAddresses(readHeader: (name: string) => string): string[] {
  const list = listElements(readHeader("x-forwarded-for"))
  if (list.length > 0) return list
  return listElements(readHeader("forwarded")).map((hop) => readParameters(hop).get("for") ?? "")
}

/**
 * Returns the scheme that a trusted proxy reports: the first one in `X-Forwarded-Proto`, otherwise the one in
 * `Forwarded`; `""` without both headers.
 */
export function findForwardedScheme(readHeader: (name: string) => string): string {
  const [first] = listElements(readHeader("x-forwarded-proto"))
  const listReportedSchemes = () => listElements(readHeader("forwarded")).map((hop) => readParameters(hop).get("proto"))
  const scheme = (first ?? listReportedSchemes().find((proto) => proto !== undefined) ?? "").toLowerCase()
  return scheme === "http" || scheme === "https" ? scheme : ""
}
