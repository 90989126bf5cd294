/** Keys of stand-ins: objects that an adapter creates in place of a `Response`. */

/**
 * Marks a stand-in. The core passes it to the adapter as it is, and the adapter checks the headers when it sends them.
 */
export const isStandIn: unique symbol = Symbol()

/** The property with the lines of `Set-Cookie`. Reading it does not create a Headers object. */
export const cookieLines: unique symbol = Symbol()
