/** A connection that is opened when it is needed, and again after it was lost. */

/** Milliseconds between two attempts, from the first to the longest. */
const [firstPauseMs, longestPauseMs] = [25, 500]

/** Something that can be ended at once. */
export interface Destroyable {
  destroy(): void
}

/** A connection, and a promise that resolves when it can be used. */
export interface OpeningConnection<Connection> {
  readonly connection: Connection
  readonly ready: Promise<unknown>
}

/** Opens a connection. It calls the function when the connection ends. */
export type OpenConnection<Connection> = (onEnd: (cause: unknown) => void) => OpeningConnection<Connection>

/** A caller that waits for a connection. */
interface ConnectionWaiter {
  readonly isOver: boolean
  problem: unknown
}

/** At most one connection at a time. */
export class Reconnector<Connection extends Destroyable> {
  /** The connection, if it is ready. */
  readyConnection: Connection | undefined
  readonly #open: OpenConnection<Connection>
  readonly #timeoutMs: number
  readonly #onLost: (connection: Connection, cause: unknown) => void
  #openPromise: Promise<Connection> | undefined
  #pauseMs = 0
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
    open: OpenConnection<Connection>,
    limit: number,
    onLost: (connection: Connection, cause: unknown) => void,
  ) {
    this.#open = open
    this.#timeoutMs = limit
    this.#onLost = onLost
  }

  /**
   * Returns the connection, after several attempts if need be.
   *
   * @throws when the waiting call is over, and after one attempt if the server has been away for longer than the limit:
   * then nobody should wait for it.
   */
  async connect(waiting: ConnectionWaiter): Promise<Connection> {
    for (;;) {
      try {
        return this.readyConnection ?? (await this.#openShared())
      } catch (cause) {
        waiting.problem = cause
        const isAway = performance.now() - this.#failingSince > this.#timeoutMs
        if (waiting.isOver || isAway || this.#isClosed) throw cause
      }
    }
  }

  /** Ends a connection that does not answer. */
  drop(connection: Connection, cause: unknown): void {
    connection.destroy()
    this.#handleLost(connection, cause)
  }

  /** Ends the connection, and opens no other. */
  close(): void {
    this.#isClosed = true
    if (this.readyConnection) this.drop(this.readyConnection, undefined)
  }

  #handleLost(connection: Connection, cause: unknown): void {
    if (this.readyConnection !== connection) return
    this.readyConnection = undefined
    // A connection that ends soon after it was opened counts as a failed attempt, so that a server which refuses to
    // serve it is not asked in a loop.
    if (performance.now() - this.#readySince > longestPauseMs) this.#pauseMs = 0
    this.#onLost(connection, cause)
  }

  /** Makes one attempt, which serves all callers that wait. */
  #openShared(): Promise<Connection> {
    this.#openPromise ??= this.#openOnce().finally(() => {
      this.#openPromise = undefined
    })
    return this.#openPromise
  }

  async #openOnce(): Promise<Connection> {
    const pause = this.#pauseMs
    this.#pauseMs = Math.min(longestPauseMs, pause * 2 || firstPauseMs)
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
    if (this.#isClosed) throw new Error("the store was closed")
    const ends: unknown[] = []
    const { connection, ready } = this.#open((cause) => {
      ends.push(cause)
      this.#handleLost(connection, cause)
    })
    try {
      await withTimeout(ready, this.#timeoutMs)
      if (ends.length > 0 || this.#isClosed) throw new Error("the connection ended at once")
    } catch (cause) {
      connection.destroy()
      this.#failingSince = Math.min(this.#failingSince, performance.now())
      // The first event has the reason, such as a wrong password.
      throw ends[0] ?? cause
    }
    this.#readySince = performance.now()
    this.#failingSince = Number.POSITIVE_INFINITY
    this.readyConnection = connection
    return connection
  }
}

/** Rejects if a promise does not settle in time. */
export function withTimeout<Result>(promise: Promise<Result>, limit: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer in ${limit / 1000} s`)), limit)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
