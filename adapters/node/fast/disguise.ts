/** Makes the prototype of stand-ins a Response. */

/** Returns the real Response of a stand-in. */
type Become = (standIn: unknown) => object

/**
 * Makes a prototype that of a Response. Members that it does not have are forwarded to the real one, including those of later
 * Node versions.
 */
export function disguise(prototype: object, become: Become): void {
  const real = Response.prototype
  for (const key of Reflect.ownKeys(real)) {
    const member = Object.getOwnPropertyDescriptor(real, key) as PropertyDescriptor
    const own = Object.getOwnPropertyDescriptor(prototype, key)
    if (key === Symbol.toStringTag) continue
    // `constructor` belongs to Response itself; the others are enumerable like the real ones.
    if (key === "constructor") Object.defineProperty(prototype, key, member)
    else
      Object.defineProperty(prototype, key, { ...(own ?? forwarding(key, member, become)), ...shown(member) })
  }
  Object.setPrototypeOf(prototype, real)
}

function forwarding(key: PropertyKey, member: PropertyDescriptor, become: Become): PropertyDescriptor {
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

function shown({ enumerable = false }: PropertyDescriptor): PropertyDescriptor {
  return { configurable: true, enumerable }
}
