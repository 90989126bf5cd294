/** Makes the prototype of stand-ins a Response. */

/** Returns the real Response of a stand-in. */
type ToResponse = (standIn: unknown) => object

/**
 * Turns a prototype into that of a Response. Members that it lacks are forwarded to the real Response, including those
 * of later Node versions.
 */
export function imitateResponse(prototype: object, become: ToResponse): void {
  const real = Response.prototype
  for (const key of Reflect.ownKeys(real)) {
    const member = Object.getOwnPropertyDescriptor(real, key) as PropertyDescriptor
    const own = Object.getOwnPropertyDescriptor(prototype, key)
    if (key === Symbol.toStringTag) continue
    // `constructor` belongs to Response itself; the others are enumerable like the real ones.
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
