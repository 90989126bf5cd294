/** `ipRestriction()`: restricts clients by their address. */
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { HttpError } from "../errors.ts"
import { type AddressRange, isAddress, isTrusted, parseRange } from "../request/client-address.ts"
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
  /** Addresses and CIDR ranges that are allowed. Default: all that {@link deny} does not contain. */
  readonly allow?: readonly string[]
  /** Addresses and CIDR ranges that are refused. It overrides {@link allow}. */
  readonly deny?: readonly string[]
  /**
   * Returns the address of a request. Default: `c.clientIP`. Behind a reverse proxy that is the proxy's
   * address, unless `trustedProxies` lists it.
   */
  readonly address?: (c: Context) => string
}

/**
 * Answers 403 to clients by their address, in IPv4 and IPv6; an IPv4 address in IPv6 (`::ffff:10.0.0.1`)
 * counts as IPv4. A client with an unknown address is refused, also if there is only `deny`.
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
  const allowed = allow === undefined ? undefined : rangesOf("allow", allow)
  const denied = rangesOf("deny", deny ?? [])
  if (!allowed && denied.length === 0) throw middlewareFault("ip_restriction.none")
  return (next) => (c) => {
    const client = address(c)
    const isKnown = typeof client === "string" && isAddress(client)
    if (isKnown && !isTrusted(client, denied) && (!allowed || isTrusted(client, allowed))) return next(c)
    // The client knows its own address, so the message reveals nothing.
    throw new HttpError(403, "requests from this address are not allowed")
  }
}

function rangesOf(option: string, given: unknown): AddressRange[] {
  if (!Array.isArray(given)) throw middlewareFault("ip_restriction.list", [option, given])
  return given.map((text) => {
    const range = typeof text === "string" ? parseRange(text) : null
    if (!range) throw middlewareFault("ip_restriction.range", [text])
    return range
  })
}
