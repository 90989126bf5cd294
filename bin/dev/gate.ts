/** Holds requests from the first sign of a change until its result is known. */

/** Longest time that a request waits for a new program, in milliseconds. */
const patience = 30_000

/** Open, or closed for a while. */
export class Gate {
  #closed: Promise<void> | undefined
  #open: (() => void) | undefined

  /** Resolves when requests may pass; undefined if nothing is being built. */
  get passed(): Promise<void> | undefined {
    return this.#closed
  }

  /** Holds the requests that arrive from now on. */
  close(): void {
    if (this.#closed) return
    const opened = new Promise<void>((resolve) => {
      this.#open = resolve
    })
    const timer = setTimeout(() => this.open(), patience)
    this.#closed = opened.then(() => {
      clearTimeout(timer)
      this.#closed = undefined
    })
  }

  /** Lets all requests pass. */
  open(): void {
    this.#open?.()
  }
}
