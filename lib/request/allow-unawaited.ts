/** Promises that a client can make reject. */
import { devHooks } from "../dev/hooks.ts"

/**
 * Returns the same promise, whose rejection does not end the process if the program forgot to await it. The client decides
 * whether a body is valid, so it must not decide whether the server runs. If the program awaits the promise, it gets the
 * rejection as usual. Under `fw dev` a rejection that nothing awaits is reported.
 *
 * @param isMarked {@link markRejection} is called before the promise rejects. A reaction now would cost each request a promise.
 */
export function allowUnawaited<T>(promise: Promise<T>, isMarked = false): Promise<T> {
  const hooks = devHooks()
  if (hooks?.onPromise) hooks.onPromise(promise)
  else if (!isMarked) promise.then(undefined, ignoreRejection)
  return promise
}

/** Does what {@link allowUnawaited} does, just before the promise is rejected. */
export function markRejection(promise: Promise<unknown>): void {
  if (!devHooks()?.onPromise) promise.then(undefined, ignoreRejection)
}

function ignoreRejection(): void {}
