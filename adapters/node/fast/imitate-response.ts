/** Makes stand-ins look like a Response to the program. */

/** Returns the real Response of a stand-in. */
type ToResponse = (standIn: unknown) => object

/**
 * Adds the members of Response that a prototype does not have, including those of later Node versions. They are
 * forwarded to the real Response.
 */
export function imitateResponse(prototype: object, become: ToResponse): void {
  const real = Response.prototype
  for (const key of Reflect.ownKeys(real)) {
    const member = Object.getOwnPropertyDescriptor(real, key) as PropertyDescriptor
    const own = Object.getOwnPropertyDescriptor(prototype, key)
    if (key === Symbol.toStringTag) continue
    // `constructor` is that of Response and not enumerable; the other members are enumerable like the real ones.
    if (key === "constructor") Object.defineProperty(prototype, key, member)
    else
      Object.defineProperty(prototype, key, {
        ...(own ?? createForwarder(key, member, become)),
        ...copyVisibility(member),
      })
  }
  Object.setPrototypeOf(prototype, real)
}

function createForwarder(key: PropertyKey, member: PropertyDescriptor, become: ToResponse): PropertyDescriptor {
  if (member.get) {
    return {
      get: function (this: unknown) {
        return Reflect.get(become(this), key)
      },
    }
  }
  return {
    value: function (this: unknown, ...args: unknown[]) {
      return Reflect.apply(member.value, become(this), args)
    },
  }
}

function copyVisibility({ enumerable = false }: PropertyDescriptor): PropertyDescriptor {
  return { configurable: true, enumerable }
}
