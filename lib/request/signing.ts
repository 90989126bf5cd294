/** Remembers cookies that are still being signed, because the response must wait for them. */

let unfinishedSignings: WeakMap<object, Promise<unknown>> | undefined

/** Returns a promise if a cookie of this request is still being signed; undefined otherwise. */
export function getSigning(c: object): Promise<unknown> | undefined {
  // In a program without signed cookies there is no map, so every request ends here.
  return unfinishedSignings?.get(c)
}

/** Stores a promise of all signatures of a request until it settles. */
export function setSigning(c: object, signing: Promise<unknown>): void {
  unfinishedSignings ??= new WeakMap()
  const promises = unfinishedSignings
  const promise = Promise.allSettled([signing]).then(() => {
    if (promises.get(c) === promise) promises.delete(c)
  })
  promises.set(c, promise)
}
