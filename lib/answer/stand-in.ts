/** The names by which the responses of an adapter are known. */

/** Marks the responses that an adapter makes for the context's methods. It looks at their headers itself before it sends them. */
export const isStandIn: unique symbol = Symbol()

/** The name under which a stand-in has its lines of `Set-Cookie`, which cost less than its headers. */
export const cookieLines: unique symbol = Symbol()
