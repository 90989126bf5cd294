/** Waits for the background work of an invocation, because Lambda may stop the process after it. */

/** The promises of one invocation. */
export class BackgroundWork {
  readonly #promises = new Set<Promise<unknown>>()

  /** Adds a promise. If it rejects, the app reports that. */
  add(promise: Promise<unknown>): void {
    this.#promises.add(promise)
    const remove = () => this.#promises.delete(promise)
    promise.then(remove, remove)
  }

  /** Resolves when all work is done, including work that earlier work has added. */
  async waitForAll(): Promise<void> {
    while (this.#promises.size > 0) await Promise.allSettled(this.#promises)
  }
}
