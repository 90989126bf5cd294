/**
 * Makes the prototype of stand-ins a Response. Node loads its implementation of `fetch` when a program first names
 * Response, which takes 19 ms of processor time and 8 MB. So this happens when the program first uses that class, or
 * asks a stand-in for a member that only a Response has.
 */

/** Returns the real Response of a stand-in. */
type Become = (standIn: unknown) => object

/** Disguises a prototype as soon as a program could see that it is not a Response. */
export function disguiseWhenUsed(prototype: object, become: Become): void {
  const own = Object.getOwnPropertyDescriptor(globalThis, "Response")
  // With a value, the class is loaded already, and other code may hold it.
  if (own?.get && own.configurable) disguiseLater(prototype, become, own)
  else disguise(prototype, become)
}

/** @param own Node's getter of the global. */
function disguiseLater(prototype: object, become: Become, own: PropertyDescriptor): void {
  let isLater = true
  const now = () => {
    if (!isLater) return
    isLater = false
    Object.defineProperty(globalThis, "Response", own)
    removeTriggers(prototype)
    disguise(prototype, become)
  }
  setTriggers(prototype, now)
  Object.defineProperty(globalThis, "Response", {
    configurable: true,
    enumerable: own.enumerable ?? false,
    get() {
      now()
      return globalThis.Response
    },
    set(value: typeof Response) {
      now()
      globalThis.Response = value
    },
  })
}

/** A name that the chain reads of every value, to find out if it is a promise. */
const askedName = "then"

/** Calls a function when a member that the prototype does not have is accessed. */
function setTriggers(prototype: object, now: () => void): void {
  const members = new Proxy(
    {},
    {
      get(_, key, standIn) {
        now()
        return Reflect.get(prototype, key, standIn)
      },
      set(_, key, value, standIn) {
        now()
        return Reflect.set(prototype, key, value, standIn)
      },
      has(_, key) {
        now()
        return Reflect.has(prototype, key)
      },
      ownKeys() {
        now()
        return Reflect.ownKeys(Object.getPrototypeOf(prototype))
      },
    },
  )
  Object.defineProperty(prototype, "constructor", {
    configurable: true,
    get() {
      now()
      return Response
    },
  })
  Object.defineProperties(prototype, { [askedName]: { configurable: true, value: undefined } })
  Object.setPrototypeOf(prototype, members)
}

function removeTriggers(prototype: object): void {
  Reflect.deleteProperty(prototype, "constructor")
  Reflect.deleteProperty(prototype, askedName)
}

/** Forwards all other members of a Response to the real one, including those of later Node versions. */
function disguise(prototype: object, become: Become): void {
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
