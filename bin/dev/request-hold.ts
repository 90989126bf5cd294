/** Holds requests from the start of a change until the new program is ready. */

/** The longest time that a request waits, in milliseconds. */
const maxHoldMs = 30_000

/** A promise, and the function that resolves it. */
interface Deferred {
  readonly promise: Promise<void>
  readonly end: () => void
}

/** Lets requests pass or wait. */
export class RequestHold {
  #hold: Deferred | undefined
  /** Resolves when the reason for waiting is known, or requests may pass. */
  #unexplained: Deferred | undefined

  /** Resolves when requests may pass; undefined if they may pass now. */
  get ended(): Promise<void> | undefined {
    return this.#hold?.promise
  }

  /** Resolves when the reason for waiting is known, or requests may pass; undefined if they may pass now. */
  get explained(): Promise<void> | undefined {
    return this.#unexplained?.promise
  }

  start(): void {
    this.#unexplained ??= createDeferred()
    if (this.#hold) return
    const deferred = createDeferred()
    const timer = setTimeout(() => this.end(), maxHoldMs)
    this.#hold = deferred
    void deferred.promise.then(() => clearTimeout(timer))
  }

  /** Called when the reason for waiting was reported. The requests keep waiting. */
  explain(): void {
    this.#unexplained?.end()
    this.#unexplained = undefined
  }

  /** Lets all requests pass. */
  end(): void {
    this.explain()
    this.#hold?.end()
    this.#hold = undefined
  }
}

function createDeferred(): Deferred {
  let end = () => {}
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  return { promise, end }
}
