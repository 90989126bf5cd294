/** Holds requests from the start of a change until the new program is ready. */

/** The longest time that a request waits, in milliseconds. */
const maxHoldMs = 30_000

/** Lets requests pass or wait. */
export class RequestHold {
  #ended: Promise<void> | undefined
  #release = () => {}

  /** Resolves when requests may pass; undefined if they may pass now. */
  get ended(): Promise<void> | undefined {
    return this.#ended
  }

  start(): void {
    this.#ended ??= new Promise((resolve) => {
      const timer = setTimeout(() => this.end(), maxHoldMs)
      this.#release = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Lets all requests pass. */
  end(): void {
    this.#release()
    this.#ended = undefined
  }
}
