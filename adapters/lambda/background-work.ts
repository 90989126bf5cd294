/** Waits for the background work of a program. After that, Lambda may stop the process. */

/** The promises of one invocation. */
export class BackgroundWork {
  readonly #promises = new Set<Promise<unknown>>()

  /** Adds a promise. If it rejects, the app reports that. */
  add(promise: Promise<unknown>): void {
    this.#promises.add(promise)
    const done = () => this.#promises.delete(promise)
    promise.then(done, done)
  }

  /** Resolves when all work is done, including work that earlier work has added. */
  async waitForAll(): Promise<void> {
    while (this.#promises.size > 0) await Promise.allSettled(this.#promises)
  }
}
