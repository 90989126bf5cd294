/** Holds requests from the first sign of a change until its result is known. */

/** Longest time that a request waits for a new program, in milliseconds. */
const maxHoldMs = 30_000

/** A promise, and the function that resolves it. */
interface Deferred {
  readonly promise: Promise<void>
  readonly end: () => void
}

/** Requests pass, or wait until the hold ends. */
export class RequestHold {
  #hold: Deferred | undefined
  /** Resolves when it is known why requests wait, or when they pass. */
  #unexplained: Deferred | undefined

  /** Resolves when requests may pass; undefined if nothing is being built. */
  get ended(): Promise<void> | undefined {
    return this.#hold?.promise
  }

  /** Resolves when requests may pass, or when it is known why they wait; undefined if nothing is being built. */
  get explained(): Promise<void> | undefined {
    return this.#unexplained?.promise
  }

  /** Holds the requests that arrive from now on. */
  start(): void {
    this.#unexplained ??= createDeferred()
    if (this.#hold) return
    const deferred = createDeferred()
    const timer = setTimeout(() => this.end(), maxHoldMs)
    this.#hold = deferred
    void deferred.promise.then(() => clearTimeout(timer))
  }

  /** Notes that the reason why requests wait was reported. The requests keep waiting. */
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
