/** Passes the connections of a pool from call to call. */
import type { Pool, PoolClient, PostgresClient } from "./client.ts"

/** Number of calls after which a connection is returned to the pool, which then checks its age. */
const maxCallsPerConnection = 100

/** A connection that was taken from the pool. */
export interface TakenConnection {
  readonly client: PoolClient
  callCount: number
  /** True after it was returned to the pool. */
  isReturned: boolean
}

interface WaitingCall {
  readonly call: { readonly isOver: boolean }
  readonly resolve: (connection: TakenConnection) => void
  readonly reject: (error: unknown) => void
}

/**
 * The connections of a pool. While calls wait, a connection is passed directly to the next one. Through the pool, each
 * call would need one timer for its wait and one for the idle connection.
 */
export class PooledConnections {
  readonly #pool: Pool
  readonly #maxConnections: number
  readonly #maxCalls: number
  /** Connections that no call is using. They are returned to the pool a moment later. */
  #freeConnections: TakenConnection[] = []
  #waitingCalls: WaitingCall[] = []
  /** Number of connections that are taken from the pool or are being taken. */
  #takenCount = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #lostClients = new WeakSet<object>()

  constructor(pool: Pool) {
    const { max, maxUses } = pool.options as { readonly max?: unknown; readonly maxUses?: unknown }
    this.#pool = pool
    this.#maxConnections = Number(max) || 10
    this.#maxCalls = Number.isFinite(maxUses) ? 1 : maxCallsPerConnection
    // Without a listener, Node ends the process when an idle connection fails. The next call on that connection reports
    // the error.
    pool.on("error", () => {})
    pool.on("connect", (client: PostgresClient) => client.on("error", () => this.#lostClients.add(client)))
  }

  /** Returns a connection that is free now; undefined if there is none. */
  takeFree(): TakenConnection | undefined {
    for (let connection = this.#freeConnections.pop(); connection; connection = this.#freeConnections.pop()) {
      if (!this.#lostClients.has(connection.client)) return connection
      this.#release(connection, true)
    }
    return undefined
  }

  /** Resolves with a connection. Callers are served in order; a caller whose call is over is skipped. */
  take(call: WaitingCall["call"]): Promise<TakenConnection> {
    const connection = this.takeFree()
    if (connection) return Promise.resolve(connection)
    return new Promise((resolve, reject) => {
      this.#waitingCalls.push({ call, resolve, reject })
      this.#connectWaiting()
    })
  }

  /**
   * Takes a connection back. For a broken connection this may be called twice, after its time limit and after its
   * answer; the second call does nothing.
   */
  giveBack(connection: TakenConnection, isBroken: boolean): void {
    if (connection.isReturned) return
    if (isBroken || ++connection.callCount >= this.#maxCalls || this.#lostClients.has(connection.client)) {
      this.#release(connection, isBroken)
      this.#connectWaiting()
      return
    }
    const next = this.#nextWaiting()
    if (next) {
      next.resolve(connection)
      return
    }
    this.#freeConnections.push(connection)
    this.#timer ??= setTimeout(this.#returnFree)
  }

  #nextWaiting(): WaitingCall | undefined {
    for (let next = this.#waitingCalls.shift(); next; next = this.#waitingCalls.shift()) {
      if (!next.call.isOver) return next
      next.reject(new Error("the call was given up"))
    }
    return undefined
  }

  /** Takes connections from the pool for the calls that wait. */
  #connectWaiting(): void {
    while (this.#takenCount < this.#maxConnections) {
      const next = this.#nextWaiting()
      if (!next) return
      this.#takenCount += 1
      this.#pool.connect().then(
        (client) => next.resolve({ client, callCount: 0, isReturned: false }),
        (error) => {
          this.#takenCount -= 1
          next.reject(error)
          this.#connectWaiting()
        },
      )
    }
  }

  #release(connection: TakenConnection, isBroken: boolean): void {
    connection.isReturned = true
    this.#takenCount -= 1
    connection.client.release(isBroken)
  }

  readonly #returnFree = (): void => {
    this.#timer = undefined
    const freeConnections = this.#freeConnections
    this.#freeConnections = []
    for (const connection of freeConnections) this.#release(connection, this.#lostClients.has(connection.client))
  }
}
