/** A graceful stop, common to all servers. All callers wait for the same end, and a signal can cut it short. */

/** Stops a server. Each adapter implements closing. */
export abstract class Stop {
  readonly #leaving = new AbortController()
  /** Aborts when a caller no longer waits: everything is closed. */
  protected readonly cut = new AbortController()
  readonly #background = new Set<Promise<unknown>>()
  #closed: Promise<void> | undefined
  /** True if every further response closes its connection. */
  closing = false

  /** Aborts when the stop begins, so that endless streams end. */
  get leaving(): AbortSignal {
    return this.#leaving.signal
  }

  /** Closes the server gracefully; when {@link cut} aborts, at once, and rejects with its reason. */
  protected abstract close(): Promise<void>

  /** Adds a promise of `c.waitUntil()`, for which the stop waits. */
  waitUntil(promise: Promise<unknown>): void {
    this.#background.add(promise)
    const done = () => this.#background.delete(promise)
    promise.then(done, done)
  }

  /**
   * Stops the server; resolves when its last connection is closed and background work has settled.
   *
   * @param signal ends the wait of every caller; everything is closed then. @throws its reason.
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
    await this.close()
    // Background work may add more.
    while (this.#background.size > 0) {
      await Promise.race([Promise.allSettled(this.#background), aborted(this.cut.signal)])
    }
  }
}

/** Rejects with the signal's reason when it aborts. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}
