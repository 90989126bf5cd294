/** A graceful stop, common to all servers. All callers wait for the same end, and a signal can cut it short. */
import type { App } from "../../lib/app.ts"
import { type Closing, closingOf, untilAborted } from "../../lib/closing.ts"
import { reportBug } from "../../lib/log/error-report.ts"
import { env } from "../disk/env.ts"

/** Stops a server. Each adapter implements closing. */
export abstract class Stop {
  readonly #leaving = new AbortController()
  /** Aborts when a caller no longer waits: everything is closed. */
  protected readonly cut = new AbortController()
  readonly #background = new Set<Promise<unknown>>()
  #closed: Promise<void> | undefined
  #closing: Closing | undefined
  /** True if every further response closes its connection. */
  closing = false

  /** Aborts when the stop begins, so that endless streams end. */
  get leaving(): AbortSignal {
    return this.#leaving.signal
  }

  /** Closes the server gracefully; when {@link cut} aborts, at once, and rejects with its reason. */
  protected abstract close(): Promise<void>

  /** Notes that the server listens: the functions of `app.onShutdown()` wait for its end. */
  serves(app: App): void {
    this.#closing = closingOf(app)
    this.#closing.open()
  }

  /** Adds a promise of `c.waitUntil()`, for which the stop waits. */
  waitUntil(promise: Promise<unknown>): void {
    this.#background.add(promise)
    const done = () => this.#background.delete(promise)
    promise.then(done, done)
  }

  /**
   * Stops the server; resolves when its last connection is closed, background work has settled, and what the app opened is closed.
   *
   * @param signal ends the wait of every caller; everything is closed then.
   * @throws its reason, and the FwError `on_shutdown` of a function that failed.
   */
  async shutdown(signal: AbortSignal | undefined): Promise<void> {
    this.closing = true
    this.#leaving.abort(new DOMException("the server is stopping", "AbortError"))
    this.#closed ??= this.#end()
    const cut = () => this.cut.abort(signal?.reason)
    if (signal?.aborted) cut()
    signal?.addEventListener("abort", cut)
    try {
      await this.#closed
    } finally {
      signal?.removeEventListener("abort", cut)
    }
  }

  async #end(): Promise<void> {
    try {
      await this.close()
      // Background work may add more.
      while (this.#background.size > 0) {
        await untilAborted(Promise.allSettled(this.#background), this.cut.signal)
      }
    } catch (error) {
      // The time is over, so nobody waits. What can be closed at once is closed.
      this.#closing?.close().catch((failure) => reportBug(failure, env))
      throw error
    }
    if (this.#closing) await untilAborted(this.#closing.close(), this.cut.signal)
  }
}
