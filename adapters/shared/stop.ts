/** A graceful stop as every server has it: one end for all who ask, cut short by a signal. Extended by each adapter's server. */

/** The end of a server. Each adapter says how its own closes. */
export abstract class Stop {
  readonly #leaving = new AbortController()
  /** Fires when a caller's wait for the end is over: everything closes. */
  protected readonly cut = new AbortController()
  readonly #background = new Set<Promise<unknown>>()
  #closed: Promise<void> | undefined

  /** Whether every answer from now on closes its connection. */
  get closing(): boolean {
    return this.leaving.aborted
  }

  /** Fires at the beginning of the end: what would go on for ever ends. */
  get leaving(): AbortSignal {
    return this.#leaving.signal
  }

  /** Closes the server gracefully; when {@link cut} fires, at once, and rejects with its reason. */
  protected abstract close(): Promise<void>

  /** What `c.waitUntil()` was given: the end waits for it. */
  waitUntil(promise: Promise<unknown>): void {
    this.#background.add(promise)
    const done = () => this.#background.delete(promise)
    promise.then(done, done)
  }

  /**
   * Stops the server; resolves when its last connection is closed and what runs in the background has settled.
   *
   * @param signal ends the wait of every caller: everything is closed then. @throws its reason.
   */
  async shutdown(signal: AbortSignal | undefined): Promise<void> {
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
    // What is waited for may ask for more.
    while (this.#background.size > 0) {
      await Promise.race([Promise.allSettled(this.#background), aborted(this.cut.signal)])
    }
  }
}

/** Rejects with the signal's reason once it fires. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}
