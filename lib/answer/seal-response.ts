/** Notes what a response has to wait for before it is sent, and that nothing can change it afterwards. */

/** The requests whose response is being sent. */
const sealedContexts = new WeakSet<object>()
const sealCallbacks = new WeakMap<object, () => void>()
/** False until the first deferred block. Programs without such blocks then skip the look-ups in the maps. */
let isUsed = false

/** Calls a function after all middleware has returned, before the body of the response is sent. Not called for HEAD. */
export function callAfterMiddleware(c: object, run: () => void): void {
  isUsed = true
  sealCallbacks.set(c, run)
}

/**
 * Forbids further changes of the response and calls the function, if {@link callAfterMiddleware} was called for the
 * request.
 */
export function sealResponse(c: object): void {
  const run = isUsed && sealCallbacks.get(c)
  if (!run) return
  sealedContexts.add(c)
  run()
}

/** Returns true in a deferred block, where the response can no longer change. */
export function isSealed(c: object): boolean {
  return isUsed && sealedContexts.has(c)
}

/** The cookies of a request that are still being signed. */
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
