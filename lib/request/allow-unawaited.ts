/** Promises that reject if a client sends something wrong. */
import { getDevHooks } from "../dev/hooks.ts"

/**
 * Returns a promise. If it rejects and the program forgot to await it, the process does not end: a client must not be
 * able to stop the server with an invalid body. A program that awaits the promise gets the rejection as usual. Under
 * `fw dev`, a rejection that nothing awaits is reported.
 *
 * @param isMarked true if {@link markRejection} will be called before the promise rejects. It saves each request a
 * further promise.
 */
export function allowUnawaited<T>(promise: Promise<T>, isMarked = false): Promise<T> {
  const hooks = getDevHooks()
  if (hooks?.onPromise) hooks.onPromise(promise)
  else if (!isMarked) promise.then(undefined, ignoreRejection)
  return promise
}

/** Protects the process as {@link allowUnawaited} does. Call it directly before the promise is rejected. */
export function markRejection(promise: Promise<unknown>): void {
  if (!getDevHooks()?.onPromise) promise.then(undefined, ignoreRejection)
}

function ignoreRejection(): void {}
