/** The names by which an adapter's stand-in for a Response is known. */

/** Marks the stand-ins of an adapter, which are sent as they are. */
export const isStandIn: unique symbol = Symbol()

/** The name under which a stand-in has its lines of `Set-Cookie`, which cost less than its headers. */
export const cookieLines: unique symbol = Symbol()
