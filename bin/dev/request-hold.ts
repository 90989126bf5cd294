/** Holds requests from the first sign of a change until its result is known. */

/** Longest time that a request waits for a new program, in milliseconds. */
const patience = 30_000

/** Requests pass, or wait until the hold ends. */
export class RequestHold {
  #held: Promise<void> | undefined
  #release: (() => void) | undefined

  /** Resolves when requests may pass; undefined if nothing is being built. */
  get ended(): Promise<void> | undefined {
    return this.#held
  }

  /** Holds the requests that arrive from now on. */
  start(): void {
    if (this.#held) return
    const opened = new Promise<void>((resolve) => {
      this.#release = resolve
    })
    const timer = setTimeout(() => this.end(), patience)
    this.#held = opened.then(() => {
      clearTimeout(timer)
      this.#held = undefined
    })
  }

  /** Lets all requests pass. */
  end(): void {
    this.#release?.()
  }
}
