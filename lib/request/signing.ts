/** The signatures of cookies that a response waits for. */

let unfinishedSignings: WeakMap<object, Promise<unknown>> | undefined

/** Returns a promise if a cookie of this request is still being signed. */
export function getSigning(c: object): Promise<unknown> | undefined {
  // Without a signature nothing waits: requests of most programs end here.
  return unfinishedSignings?.get(c)
}

/** Keeps the promise of all signatures of a request, until it is settled. */
export function setSigning(c: object, signing: Promise<unknown>): void {
  unfinishedSignings ??= new WeakMap()
  const promises = unfinishedSignings
  const all = Promise.allSettled([signing]).then(() => {
    if (promises.get(c) === all) promises.delete(c)
  })
  promises.set(c, all)
}
