/** Promises that a client can make reject. */
import { isWatched } from "../dev-bugs.ts"

declare const FW_DEV_ERRORS: boolean

/**
 * Returns the same promise, whose rejection does not end the process if the program forgot to await it. The client decides
 * whether a body is valid, so it must not decide whether the server runs. If the program awaits the promise, it gets the
 * rejection as usual. Under `fw dev` a rejection that nothing awaits is reported.
 */
export function mayBeUnawaited<T>(promise: Promise<T>): Promise<T> {
  if ((typeof FW_DEV_ERRORS === "undefined" || FW_DEV_ERRORS) && isWatched(promise)) return promise
  promise.then(undefined, ignore)
  return promise
}

function ignore(): void {}
