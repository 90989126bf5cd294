/** Finds rejected promises that nothing awaits, in a program under `fw dev`. */
import type { DevHooks } from "../../../lib/dev/hooks.ts"

/** The fix for a rejected promise that nothing awaits. */
export const awaitFix = "Is an await missing? A promise was rejected, and nothing awaited it."

/** The time in which a program may still await a rejected promise, in milliseconds. */
const maxAwaitMs = 200

/** Functions that handle rejections. */
export interface FloatingOptions {
  /**
   * Handles the rejection of a promise that a client can make reject, such as that of a body. The second argument
   * is an error that was created where the promise was requested.
   */
  readonly onUnawaited: (error: unknown, call: Error) => void
  /** Handles any other rejection, which ends the program. */
  readonly onCrash: (error: unknown) => void
}

/** Listens for unhandled rejections. Returns the hook that registers the promises that a client can make reject. */
export function watchFloatingPromises({ onUnawaited, onCrash }: FloatingOptions): NonNullable<DevHooks["onPromise"]> {
  const calls = new WeakMap<object, Error>()
  const rejectionTimers = new Map<object, NodeJS.Timeout>()
  process.on("unhandledRejection", (error, promise) => {
    const call = calls.get(promise)
    if (call) {
      const timer = setTimeout(() => {
        rejectionTimers.delete(promise)
        onUnawaited(error, call)
      }, maxAwaitMs)
      rejectionTimers.set(promise, timer)
    } else if (process.listenerCount("unhandledRejection") === 1) onCrash(error)
  })
  process.on("rejectionHandled", (promise) => {
    clearTimeout(rejectionTimers.get(promise))
    rejectionTimers.delete(promise)
  })
  return (promise) => void calls.set(promise, new Error("called"))
}
