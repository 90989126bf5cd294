/** Calls the functions of `app.onShutdown()` when the last server of the app has stopped. */
import { hostFault } from "./host-fault.ts"

/** A function that closes something which the program has opened. */
type CloseFunction = () => unknown

/** The functions that an app calls at its end. They are called when it has no server any more. */
export class ShutdownFunctions {
  readonly #functions: CloseFunction[] = []
  #serverCount = 0
  #runPromise: Promise<void> | undefined

  /** Adds a function. @throws FwError `on_shutdown` for a value that is not a function. */
  add(close: CloseFunction): void {
    if (typeof close !== "function") throw hostFault("on_shutdown", [close])
    this.#functions.push(close)
  }

  /** Counts a server that has begun to listen. */
  addServer(): void {
    this.#serverCount += 1
  }

  /**
   * Counts a server that has stopped. After the last one, calls the functions.
   *
   * @throws FwError as {@link runUnlessServing} does.
   */
  async removeServer(): Promise<void> {
    this.#serverCount -= 1
    await this.runUnlessServing()
  }

  /**
   * Calls the functions, unless a server listens. They are called one after the other, the last one first, because it
   * may use what an earlier one closes. Concurrent calls wait for the same run.
   *
   * @throws FwError `on_shutdown` if some functions failed. The others have been called all the same.
   */
  async runUnlessServing(): Promise<void> {
    if (this.#serverCount > 0) return
    this.#runPromise ??= this.#callAll()
    try {
      await this.#runPromise
    } finally {
      this.#runPromise = undefined
    }
  }

  async #callAll(): Promise<void> {
    const errors: unknown[] = []
    for (const close of this.#functions.toReversed()) {
      try {
        await close()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length === 0) return
    const cause = errors.length === 1 ? errors[0] : new AggregateError(errors)
    throw hostFault("on_shutdown.failed", [errors], { cause })
  }
}

const shutdownFunctionsByApp = new WeakMap<object, ShutdownFunctions>()

/** Returns the shutdown functions of an app. */
export function getShutdownFunctions(app: object): ShutdownFunctions {
  const functions = shutdownFunctionsByApp.get(app) ?? new ShutdownFunctions()
  shutdownFunctionsByApp.set(app, functions)
  return functions
}

/** Waits for a promise, but not longer than until a signal aborts. @throws the signal's reason. */
export async function waitUntilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? Promise.race([work, rejectWhenAborted(signal)]) : work
}

/** Rejects with the signal's reason when it aborts. */
function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}
