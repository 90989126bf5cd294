/** Promises that a client can make reject. */

/**
 * Returns the same promise, whose rejection does not end the process if the program forgot to await it. The client decides
 * whether a body is valid, so it must not decide whether the server runs. If the program awaits the promise, it gets the
 * rejection as usual.
 */
export function mayBeUnawaited<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
