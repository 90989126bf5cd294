/** Holds requests from the first sign of a change until its result is known. */

/** Longest time that a request waits for a new program, in milliseconds. */
const patience = 30_000

/** A promise, and the function that resolves it. */
interface Open {
  readonly promise: Promise<void>
  readonly end: () => void
}

/** Requests pass, or wait until the hold ends. */
export class RequestHold {
  #held: Open | undefined
  /** Ends when it is known why requests wait, or when they pass. */
  #unexplained: Open | undefined

  /** Resolves when requests may pass; undefined if nothing is being built. */
  get ended(): Promise<void> | undefined {
    return this.#held?.promise
  }

  /** Resolves when requests may pass, or when it is known why they wait; undefined if nothing is being built. */
  get explained(): Promise<void> | undefined {
    return this.#unexplained?.promise
  }

  /** Holds the requests that arrive from now on. */
  start(): void {
    this.#unexplained ??= open()
    if (this.#held) return
    const held = open()
    const timer = setTimeout(() => this.end(), patience)
    this.#held = held
    void held.promise.then(() => clearTimeout(timer))
  }

  /** Notes that the reason why requests wait was reported. They go on waiting. */
  explain(): void {
    this.#unexplained?.end()
    this.#unexplained = undefined
  }

  /** Lets all requests pass. */
  end(): void {
    this.explain()
    this.#held?.end()
    this.#held = undefined
  }
}

function open(): Open {
  let end = () => {}
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  return { promise, end }
}
