/** `ipRestriction()`: allows or refuses clients by their address. */
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
   * Allowed addresses and CIDR ranges, and `unix` for clients on a Unix socket. Default: every address that {@link
   * deny} does not contain.
   */
  readonly allow?: readonly string[]
  /** Refused addresses and CIDR ranges. They take precedence over {@link allow}. */
  readonly deny?: readonly string[]
  /**
   * Returns the address of a client, in any spelling and with or without a port. Default: `c.clientIP`. Behind a
   * reverse proxy that is the address of the proxy, unless `trustedProxies` contains it.
   */
  readonly address?: (c: Context) => string
}

/**
 * Answers 403 to clients whose address is not allowed. An IPv4 address in IPv6 (`::ffff:10.0.0.1`) counts as IPv4. A
 * client with an unknown address is always refused, even with `deny` only. So is a client on a Unix socket, unless
 * `allow` contains `unix`.
 *
 * @throws FwError `ip_restriction` for an unknown or invalid option, and if there is no range.
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
    const clientAddress: unknown = address(c)
    if (typeof clientAddress !== "string") throw middlewareFault("ip_restriction.address", [clientAddress])
    const client = readPeer(clientAddress)
    // Behind a Unix socket there may be a proxy that forwards anyone's requests. So only `unix` in `allow` lets them
    // pass.
    const isAllowed = allowedRanges ? isInRanges(client, allowedRanges) : client !== "" && client !== unixPeer
    if (isAllowed && !isInRanges(client, deniedRanges)) return next(c)
    // The client knows its own address, so the message tells it nothing new.
    throw new HttpError(403, "requests from this address are not allowed")
  }
}

function parseRanges(option: string, ranges: unknown): AddressRange[] {
  if (!Array.isArray(ranges)) throw middlewareFault("ip_restriction.list", [option, ranges])
  return Array.from(ranges, (text: unknown) => {
    const range = parseRange(text)
    if (typeof range === "string") throw middlewareFault("ip_restriction.range", [text, range])
    return range
  })
}
