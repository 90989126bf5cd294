/** What a program goes on with after its answer, until Lambda may stop the process. Used by `lambda.ts`. */

/** The promises of one invocation. */
export class Background {
  readonly #running = new Set<Promise<unknown>>()

  /** Waits for this one too. Its rejection is reported by the app. */
  add(promise: Promise<unknown>): void {
    this.#running.add(promise)
    const done = () => this.#running.delete(promise)
    promise.then(done, done)
  }

  /** Resolves when nothing runs any more: what is waited for may ask for more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }
}
