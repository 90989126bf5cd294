/** Marks requests whose response is being sent, so that the program can no longer change it. */
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
