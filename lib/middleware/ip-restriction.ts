/** `ipRestriction()`: restricts clients by their address. */
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { HttpError } from "../errors.ts"
import { type AddressRange, isInRanges, parseRange, readPeer, unixPeer } from "../request/address.ts"
import type { MiddlewareFunc } from "../types.ts"
import { middlewareFault } from "./fault.ts"

/**
 * Options of `ipRestriction()`: `allow`, `deny` or both.
 *
 * @example
 * const options: IPRestrictionOptions = { allow: ["10.0.0.0/8"], deny: ["10.6.0.0/16"] }
 * app.use(ipRestriction(options))
 */
export interface IPRestrictionOptions {
  /**
   * Addresses and CIDR ranges that are allowed, and `unix` for the peers on a Unix socket. Default: all that {@link deny}
   * does not contain.
   */
  readonly allow?: readonly string[]
  /** Addresses and CIDR ranges that are refused. It overrides {@link allow}. */
  readonly deny?: readonly string[]
  /**
   * Returns the address of a request, in any spelling and with or without a port. Default: `c.clientIP`. Behind a
   * reverse proxy that is the proxy's address, unless `trustedProxies` lists it.
   */
  readonly address?: (c: Context) => string
}

/**
 * Answers 403 to clients by their address, in IPv4 and IPv6; an IPv4 address in IPv6 (`::ffff:10.0.0.1`)
 * counts as IPv4. A client with an unknown address is refused, also if there is only `deny`; so is a peer on a Unix
 * socket, unless `allow` has `unix`.
 *
 * @throws FwError `ip_restriction` for an unknown or invalid option, and without any range.
 * @example
 * app.group("/admin", (admin) => {
 *   admin.use(ipRestriction({ allow: ["10.0.0.0/8", "::1"] }))
 *   admin.get("/", (c) => c.string(200, "hello"))
 * })
 * const answer = await app.request("/admin", {}, { clientIP: "203.0.113.7" })
 * answer.status // → 403
 */
export function ipRestriction(options: IPRestrictionOptions): MiddlewareFunc & { readonly answers?: 403 } {
  checkKeys(options, ["allow", "deny", "address"], "ip_restriction", "ipRestriction()", {
    address: "function",
  })
  const { allow, deny, address = (c: Context) => c.clientIP } = options
  const allowedRanges = allow === undefined ? undefined : parseRanges("allow", allow)
  const deniedRanges = parseRanges("deny", deny ?? [])
  if (!allowedRanges && deniedRanges.length === 0) throw middlewareFault("ip_restriction.none")
  return (next) => (c) => {
    const given: unknown = address(c)
    if (typeof given !== "string") throw middlewareFault("ip_restriction.address", [given])
    const client = readPeer(given)
    // A peer on a Unix socket may forward the request of anyone, so only its own name lets it pass.
    const isAllowed = allowedRanges ? isInRanges(client, allowedRanges) : client !== "" && client !== unixPeer
    if (isAllowed && !isInRanges(client, deniedRanges)) return next(c)
    // The client knows its own address, so the message reveals nothing.
    throw new HttpError(403, "requests from this address are not allowed")
  }
}

function parseRanges(option: string, given: unknown): AddressRange[] {
  if (!Array.isArray(given)) throw middlewareFault("ip_restriction.list", [option, given])
  return Array.from(given, (text: unknown) => {
    const range = parseRange(text)
    if (typeof range === "string") throw middlewareFault("ip_restriction.range", [text, range])
    return range
  })
}
