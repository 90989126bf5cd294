/** Promises that a client can make reject. */
import { isWatched, isWatching } from "../dev-bugs.ts"

declare const FW_DEV_ERRORS: boolean

/**
 * Returns the same promise, whose rejection does not end the process if the program forgot to await it. The client decides
 * whether a body is valid, so it must not decide whether the server runs. If the program awaits the promise, it gets the
 * rejection as usual. Under `fw dev` a rejection that nothing awaits is reported.
 *
 * @param isMarked {@link markRejection} is called before the promise rejects. A reaction now would cost each request a promise.
 */
export function mayBeUnawaited<T>(promise: Promise<T>, isMarked = false): Promise<T> {
  if ((typeof FW_DEV_ERRORS === "undefined" || FW_DEV_ERRORS) && isWatched(promise)) return promise
  if (!isMarked) promise.then(undefined, ignore)
  return promise
}

/** Does what {@link mayBeUnawaited} does, just before the promise is rejected. */
export function markRejection(promise: Promise<unknown>): void {
  if (!((typeof FW_DEV_ERRORS === "undefined" || FW_DEV_ERRORS) && isWatching()))
    promise.then(undefined, ignore)
}

function ignore(): void {}
