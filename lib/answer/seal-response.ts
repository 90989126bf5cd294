/** Requests whose response is being sent, so that the program can no longer change it. */
const sealedContexts = new WeakSet<object>()
const sealCallbacks = new WeakMap<object, () => void>()
/** False in a program that defers nothing, so that its requests cost no search in the maps. */
let isUsed = false

/** Calls a function when every middleware has returned, and the body of the response is about to be sent. Not for HEAD. */
export function callAfterMiddleware(c: object, run: () => void): void {
  isUsed = true
  sealCallbacks.set(c, run)
}

/** Ends the time in which the response can change, if {@link callAfterMiddleware} was called for the request. */
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
