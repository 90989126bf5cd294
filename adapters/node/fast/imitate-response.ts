/** Makes stand-ins look like a Response to the program. */

/** Returns the real Response of a stand-in. */
type ToResponse = (standIn: unknown) => object

/**
 * Adds the members of Response that a prototype does not have, including those of later Node versions. They are
 * forwarded to the real Response.
 */
export function imitateResponse(prototype: object, toResponse: ToResponse): void {
  const responsePrototype = Response.prototype
  for (const key of Reflect.ownKeys(responsePrototype)) {
    const member = Object.getOwnPropertyDescriptor(responsePrototype, key) as PropertyDescriptor
    const ownMember = Object.getOwnPropertyDescriptor(prototype, key)
    if (key === Symbol.toStringTag) continue
    // `constructor` is that of Response and not enumerable; the other members are enumerable like the real ones.
    if (key === "constructor") Object.defineProperty(prototype, key, member)
    else
      Object.defineProperty(prototype, key, {
        ...(ownMember ?? createForwarder(key, member, toResponse)),
        ...copyVisibility(member),
      })
  }
  Object.setPrototypeOf(prototype, responsePrototype)
}

function createForwarder(key: PropertyKey, member: PropertyDescriptor, toResponse: ToResponse): PropertyDescriptor {
  if (member.get) {
    return {
      get: function (this: unknown) {
        return Reflect.get(toResponse(this), key)
      },
    }
  }
  return {
    value: function (this: unknown, ...args: unknown[]) {
      return Reflect.apply(member.value, toResponse(this), args)
    },
  }
}

function copyVisibility({ enumerable = false }: PropertyDescriptor): PropertyDescriptor {
  return { configurable: true, enumerable }
}
