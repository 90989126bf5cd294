/** Connections of a pool, passed from call to call. */
import type { Client, Pool, PoolClient } from "./client.ts"

/** Calls after which a connection goes back to the pool, which then checks its age. */
const mostTurns = 100

/** A connection that is taken from the pool. */
export interface Held {
  readonly client: PoolClient
  turns: number
  /** True once it was given back to the pool. */
  isOver: boolean
}

interface Waiting {
  readonly call: { readonly isOver: boolean }
  readonly resolve: (held: Held) => void
  readonly reject: (error: unknown) => void
}

/**
 * Connections of a pool. While calls wait, a connection goes from one to the next: through the pool, each call would cost
 * timers for its wait and for the idle connection.
 */
export class Connections {
  readonly #pool: Pool
  readonly #most: number
  readonly #mostTurns: number
  /** Connections between two calls. They go back to the pool a moment later. */
  #free: Held[] = []
  #waiting: Waiting[] = []
  /** Connections that are taken, or about to be. */
  #taken = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #lost = new WeakSet<object>()

  constructor(pool: Pool) {
    const { max, maxUses } = pool.options as { readonly max?: unknown; readonly maxUses?: unknown }
    this.#pool = pool
    this.#most = Number(max) || 10
    this.#mostTurns = Number.isFinite(maxUses) ? 1 : mostTurns
    // Without a listener the end of an idle connection would end the process. Its next call reports the problem.
    pool.on("error", () => {})
    pool.on("connect", (client: Client) => client.on("error", () => this.#lost.add(client)))
  }

  /** Returns a connection that is ready now, if there is one. */
  takeFree(): Held | undefined {
    for (let held = this.#free.pop(); held; held = this.#free.pop()) {
      if (!this.#lost.has(held.client)) return held
      this.#return(held, true)
    }
    return undefined
  }

  /** Resolves with a connection, in the order of the callers. One whose call is over when its turn comes is left out. */
  take(call: Waiting["call"]): Promise<Held> {
    const free = this.takeFree()
    if (free) return Promise.resolve(free)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject })
      this.#serve()
    })
  }

  /** Takes a connection back. Only the first call for a broken one counts: the end of its time and its answer may both call. */
  give(held: Held, isBroken: boolean): void {
    if (held.isOver) return
    if (isBroken || ++held.turns >= this.#mostTurns || this.#lost.has(held.client)) {
      this.#return(held, isBroken)
      this.#serve()
      return
    }
    const next = this.#next()
    if (next) {
      next.resolve(held)
      return
    }
    this.#free.push(held)
    this.#timer ??= setTimeout(this.#returnFree)
  }

  #next(): Waiting | undefined {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (!next.call.isOver) return next
      next.reject(new Error("the call was given up"))
    }
    return undefined
  }

  /** Takes connections from the pool for those that wait. */
  #serve(): void {
    while (this.#taken < this.#most) {
      const next = this.#next()
      if (!next) return
      this.#taken += 1
      this.#pool.connect().then(
        (client) => next.resolve({ client, turns: 0, isOver: false }),
        (error) => {
          this.#taken -= 1
          next.reject(error)
          this.#serve()
        },
      )
    }
  }

  #return(held: Held, isBroken: boolean): void {
    held.isOver = true
    this.#taken -= 1
    held.client.release(isBroken)
  }

  readonly #returnFree = (): void => {
    this.#timer = undefined
    const free = this.#free
    this.#free = []
    for (const held of free) this.#return(held, this.#lost.has(held.client))
  }
}
