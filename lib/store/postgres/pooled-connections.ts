/** Connections of a pool, passed from call to call. */
import type { Pool, PoolClient, PostgresClient } from "./client.ts"

/** Calls after which a connection goes back to the pool, which then checks its age. */
const maxCallsPerConnection = 100

/** A connection that is taken from the pool. */
export interface TakenConnection {
  readonly client: PoolClient
  callCount: number
  /** True once it was given back to the pool. */
  isReturned: boolean
}

interface WaitingCall {
  readonly call: { readonly isOver: boolean }
  readonly resolve: (held: TakenConnection) => void
  readonly reject: (error: unknown) => void
}

/**
 * Connections of a pool. While calls wait, a connection goes from one to the next: through the pool, each call would cost
 * timers for its wait and for the idle connection.
 */
export class PooledConnections {
  readonly #pool: Pool
  readonly #maxConnections: number
  readonly #maxCalls: number
  /** Connections between two calls. They go back to the pool a moment later. */
  #freeConnections: TakenConnection[] = []
  #waitingCalls: WaitingCall[] = []
  /** Connections that are taken, or about to be. */
  #takenCount = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #lostClients = new WeakSet<object>()

  constructor(pool: Pool) {
    const { max, maxUses } = pool.options as { readonly max?: unknown; readonly maxUses?: unknown }
    this.#pool = pool
    this.#maxConnections = Number(max) || 10
    this.#maxCalls = Number.isFinite(maxUses) ? 1 : maxCallsPerConnection
    // Without a listener the end of an idle connection would end the process. The next call on it reports the problem.
    pool.on("error", () => {})
    pool.on("connect", (client: PostgresClient) => client.on("error", () => this.#lostClients.add(client)))
  }

  /** Returns a connection that is ready now, if there is one. */
  takeFree(): TakenConnection | undefined {
    for (let held = this.#freeConnections.pop(); held; held = this.#freeConnections.pop()) {
      if (!this.#lostClients.has(held.client)) return held
      this.#release(held, true)
    }
    return undefined
  }

  /** Resolves with a connection, in the order of the callers. One whose call is over when its turn comes is left out. */
  take(call: WaitingCall["call"]): Promise<TakenConnection> {
    const free = this.takeFree()
    if (free) return Promise.resolve(free)
    return new Promise((resolve, reject) => {
      this.#waitingCalls.push({ call, resolve, reject })
      this.#connectWaiting()
    })
  }

  /** Takes a connection back. Only the first call for a broken one counts: the end of its time and its answer may both call. */
  giveBack(held: TakenConnection, isBroken: boolean): void {
    if (held.isReturned) return
    if (isBroken || ++held.callCount >= this.#maxCalls || this.#lostClients.has(held.client)) {
      this.#release(held, isBroken)
      this.#connectWaiting()
      return
    }
    const next = this.#nextWaiting()
    if (next) {
      next.resolve(held)
      return
    }
    this.#freeConnections.push(held)
    this.#timer ??= setTimeout(this.#returnFree)
  }

  #nextWaiting(): WaitingCall | undefined {
    for (let next = this.#waitingCalls.shift(); next; next = this.#waitingCalls.shift()) {
      if (!next.call.isOver) return next
      next.reject(new Error("the call was given up"))
    }
    return undefined
  }

  /** Takes connections from the pool for those that wait. */
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

  #release(held: TakenConnection, isBroken: boolean): void {
    held.isReturned = true
    this.#takenCount -= 1
    held.client.release(isBroken)
  }

  readonly #returnFree = (): void => {
    this.#timer = undefined
    const free = this.#freeConnections
    this.#freeConnections = []
    for (const held of free) this.#release(held, this.#lostClients.has(held.client))
  }
}
