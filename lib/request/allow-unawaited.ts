/** Promises that reject if a client sends something wrong. */
import { getDevHooks } from "../dev/hooks.ts"

/**
 * Returns a promise. If it rejects and the program forgot to await it, the process does not end: a client must not be
 * able to stop the server with an invalid body. A program that awaits the promise gets the rejection as usual. Under
 * `fw dev`, a rejection that nothing awaits is reported.
 */
export function allowUnawaited<T>(promise: Promise<T>): Promise<T> {
  const hooks = getDevHooks()
  if (hooks?.onPromise) hooks.onPromise(promise)
  else promise.then(undefined, ignoreRejection)
  return promise
}

function ignoreRejection(): void {}
