/** The end of a program: functions of `app.onShutdown()`, called when the last server of the app has stopped. */
import { fault } from "../errors/fault.ts"

/** Closes what a program opened. */
type CloseFunction = () => unknown

/** The functions that one app calls at its end, and the number of its servers, which must have stopped before. */
export class ShutdownFunctions {
  readonly #functions: CloseFunction[] = []
  #servers = 0
  #runPromise: Promise<void> | undefined

  /** Adds a function. @throws FwError `on_shutdown` for anything else. */
  add(close: CloseFunction): void {
    if (typeof close !== "function") throw fault("on_shutdown", [close])
    this.#functions.push(close)
  }

  /** Counts a server that listens. */
  addServer(): void {
    this.#servers += 1
  }

  /**
   * Counts a server that has stopped. After the last server, calls the functions.
   *
   * @throws FwError as {@link runUnlessServing} does.
   */
  async removeServer(): Promise<void> {
    this.#servers -= 1
    await this.runUnlessServing()
  }

  /**
   * Calls the functions unless a server listens: one after the other, the last one first, because it may use what was opened
   * before. Another call meanwhile waits for the same end.
   *
   * @throws FwError `on_shutdown` if some of them failed. The others have been called.
   */
  async runUnlessServing(): Promise<void> {
    if (this.#servers > 0) return
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
    throw fault("on_shutdown.failed", [errors], { cause })
  }
}

const shutdownFunctionsByApp = new WeakMap<object, ShutdownFunctions>()

/** Returns what an app closes. */
export function getShutdownFunctions(app: object): ShutdownFunctions {
  const known = shutdownFunctionsByApp.get(app) ?? new ShutdownFunctions()
  shutdownFunctionsByApp.set(app, known)
  return known
}

/** Waits for work, but only until a signal aborts. @throws the signal's reason. */
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
