/** The names by which an adapter's stand-in for a Response is known. */

/** Marks the stand-ins of an adapter, so that they are found without Response: Node loads that when it is first named. */
export const standsIn: unique symbol = Symbol()

/** The name under which a stand-in has its lines of `Set-Cookie`, which cost less than its headers. */
export const cookieLines: unique symbol = Symbol()
