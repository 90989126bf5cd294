/** A connection that is opened when it is needed, and again after it was lost. */

/** Milliseconds between two attempts, from the first to the longest. */
const [firstPause, longestPause] = [25, 500]

/** Something that can be ended at once. */
export interface Ending {
  destroy(): void
}

/** A connection, and a promise that resolves when it can be used. */
export interface Opening<Connection> {
  readonly connection: Connection
  readonly ready: Promise<unknown>
}

/** Opens a connection. It calls the function when the connection ends. */
export type Open<Connection> = (onEnd: (cause: unknown) => void) => Opening<Connection>

/** A caller that waits for a connection. */
interface Waiting {
  readonly isOver: boolean
  problem: unknown
}

/** At most one connection at a time. */
export class Link<Connection extends Ending> {
  /** The connection, if it is ready. */
  ready: Connection | undefined
  readonly #open: Open<Connection>
  readonly #limit: number
  readonly #onLost: (connection: Connection, cause: unknown) => void
  #opening: Promise<Connection> | undefined
  #pause = 0
  #readySince = 0
  #failingSince = Number.POSITIVE_INFINITY
  #isClosed = false

  /**
   * Creates a link.
   *
   * @param limit milliseconds for opening a connection.
   * @param onLost called when a connection that was ready is lost or dropped.
   */
  constructor(
    open: Open<Connection>,
    limit: number,
    onLost: (connection: Connection, cause: unknown) => void,
  ) {
    this.#open = open
    this.#limit = limit
    this.#onLost = onLost
  }

  /**
   * Returns the connection, after several attempts if need be.
   *
   * @throws when what waits is over, and after one attempt if the server has been away for longer than the limit: then
   * nobody should wait for it.
   */
  async connect(waiting: Waiting): Promise<Connection> {
    for (;;) {
      try {
        return this.ready ?? (await this.#next())
      } catch (cause) {
        waiting.problem = cause
        const isAway = performance.now() - this.#failingSince > this.#limit
        if (waiting.isOver || isAway || this.#isClosed) throw cause
      }
    }
  }

  /** Ends a connection that does not answer. */
  drop(connection: Connection, cause: unknown): void {
    connection.destroy()
    this.#lose(connection, cause)
  }

  /** Ends the connection, and opens no other. */
  close(): void {
    this.#isClosed = true
    if (this.ready) this.drop(this.ready, undefined)
  }

  #lose(connection: Connection, cause: unknown): void {
    if (this.ready !== connection) return
    this.ready = undefined
    // One that ends soon after it was opened is like a failed attempt: a server that refuses its use is not asked in a loop.
    if (performance.now() - this.#readySince > longestPause) this.#pause = 0
    this.#onLost(connection, cause)
  }

  /** Makes one attempt, which serves all that wait. */
  #next(): Promise<Connection> {
    this.#opening ??= this.#attempt().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #attempt(): Promise<Connection> {
    const pause = this.#pause
    this.#pause = Math.min(longestPause, pause * 2 || firstPause)
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
    if (this.#isClosed) throw new Error("the store was closed")
    const ends: unknown[] = []
    const { connection, ready } = this.#open((cause) => {
      ends.push(cause)
      this.#lose(connection, cause)
    })
    try {
      await inTime(ready, this.#limit)
      if (ends.length > 0 || this.#isClosed) throw new Error("the connection ended at once")
    } catch (cause) {
      connection.destroy()
      this.#failingSince = Math.min(this.#failingSince, performance.now())
      // The first event has the reason, such as a wrong password.
      throw ends[0] ?? cause
    }
    this.#readySince = performance.now()
    this.#failingSince = Number.POSITIVE_INFINITY
    this.ready = connection
    return connection
  }
}

/** Rejects if a promise does not settle in time. */
export function inTime<Result>(promise: Promise<Result>, limit: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer in ${limit / 1000} s`)), limit)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
