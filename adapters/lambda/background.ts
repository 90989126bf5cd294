/** Background work of a program after its response, until Lambda may stop the process. */

/** The promises of one invocation. */
export class Background {
  readonly #running = new Set<Promise<unknown>>()

  /** Adds a promise to wait for. The app reports its rejection. */
  add(promise: Promise<unknown>): void {
    this.#running.add(promise)
    const done = () => this.#running.delete(promise)
    promise.then(done, done)
  }

  /** Resolves when all work is done, including work that other work has added. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }
}
