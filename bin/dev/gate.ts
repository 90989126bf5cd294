/** Holds requests back from the first sign of a change until it is known what came of it. Owned by the session. */

/** A request waits no longer for a new program than this, in milliseconds. */
const patience = 30_000

/** Open, or closed for a while. */
export class Gate {
  #closed: Promise<void> | undefined
  #open: (() => void) | undefined

  /** Resolves when requests may pass: at once, where nothing is on its way. */
  get passed(): Promise<void> | undefined {
    return this.#closed
  }

  /** Holds back the requests that come from now on. */
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

  /** Lets all pass. */
  open(): void {
    this.#open?.()
  }
}
