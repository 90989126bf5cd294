/** Opens a connection when it is needed, and again after it was lost. */

/** The shortest and the longest pause, in milliseconds, between two attempts. */
const [firstPauseMs, longestPauseMs] = [25, 500]

/** A connection that can be closed at once. */
export interface Destroyable {
  destroy(): void
}

/** A connection that is being opened, and a promise that resolves when it can be used. */
export interface OpeningConnection<Connection> {
  readonly connection: Connection
  readonly ready: Promise<unknown>
}

/** Opens a connection, and calls `onEnd` when the connection ends. */
export type OpenConnection<Connection> = (onEnd: (cause: unknown) => void) => OpeningConnection<Connection>

/** A caller that waits for a connection. */
interface ConnectionWaiter {
  readonly isOver: boolean
  problem: unknown
}

/** Keeps at most one connection open. */
export class Reconnector<Connection extends Destroyable> {
  /** The connection, if it can be used. */
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
   * Creates a reconnector without a connection. {@link connect} opens the first one.
   *
   * @param timeoutMs milliseconds for an attempt.
   * @param onLost is called when a connection that could be used has ended.
   */
  constructor(
    open: OpenConnection<Connection>,
    timeoutMs: number,
    onLost: (connection: Connection, cause: unknown) => void,
  ) {
    this.#open = open
    this.#timeoutMs = timeoutMs
    this.#onLost = onLost
  }

  /**
   * Returns the connection. If necessary, makes several attempts to open it.
   *
   * @throws when the waiting call is over. If the server has not been available for longer than the limit, throws after
   * one attempt, because waiting longer would not help.
   */
  async connect(waiter: ConnectionWaiter): Promise<Connection> {
    for (;;) {
      try {
        return this.readyConnection ?? (await this.#openShared())
      } catch (cause) {
        waiter.problem = cause
        const isAway = performance.now() - this.#failingSince > this.#timeoutMs
        if (waiter.isOver || isAway || this.#isClosed) throw cause
      }
    }
  }

  /** Closes a connection that does not answer. */
  drop(connection: Connection, cause: unknown): void {
    connection.destroy()
    this.#handleLost(connection, cause)
  }

  /** Closes the connection, and opens no further one. */
  close(): void {
    this.#isClosed = true
    if (this.readyConnection) this.drop(this.readyConnection, undefined)
  }

  #handleLost(connection: Connection, cause: unknown): void {
    if (this.readyConnection !== connection) return
    this.readyConnection = undefined
    // If a connection ends soon after it was opened, that counts as a failed attempt. Otherwise a server that closes
    // every connection would be asked again without a pause.
    if (performance.now() - this.#readySince > longestPauseMs) this.#pauseMs = 0
    this.#onLost(connection, cause)
  }

  /** Makes one attempt for all callers that wait. */
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
    const endCauses: unknown[] = []
    const { connection, ready } = this.#open((cause) => {
      endCauses.push(cause)
      this.#handleLost(connection, cause)
    })
    try {
      await withTimeout(ready, this.#timeoutMs)
      if (endCauses.length > 0 || this.#isClosed) throw new Error("the connection ended at once")
    } catch (cause) {
      connection.destroy()
      this.#failingSince = Math.min(this.#failingSince, performance.now())
      // The first error has the reason, such as a wrong password.
      throw endCauses[0] ?? cause
    }
    this.#readySince = performance.now()
    this.#failingSince = Number.POSITIVE_INFINITY
    this.readyConnection = connection
    return connection
  }
}

/** Rejects if a promise does not settle in time. */
export function withTimeout<Result>(promise: Promise<Result>, timeoutMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer in ${timeoutMs / 1000} s`)), timeoutMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
