/** Background work of a program after its response, until Lambda may stop the process. */

/** The promises of one invocation. */
export class BackgroundWork {
  readonly #promises = new Set<Promise<unknown>>()

  /** Adds a promise to wait for. The app reports its rejection. */
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
