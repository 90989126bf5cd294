/** The last connections of workers that end: each is accepted before the port is closed. */

import type { Worker } from "node:cluster"
import type { WorkerOrder, WorkerReport } from "./messages.ts"

/**
 * Milliseconds in which connections are accepted before a worker checks whether more have come, because clients may
 * connect again.
 */
const acceptPauseMs = 5
/** Maximum time for which workers that have stopped listening wait for one that has not, in milliseconds. */
const maxWaitMs = 1000

/** Answers workers that take no more connections. */
export class LastConnections {
  readonly #sendOrder: (worker: Worker, order: WorkerOrder) => void
  /** Workers that have stopped listening and wait for the others, each with the timer that ends its wait. */
  readonly #timers = new Map<Worker, NodeJS.Timeout>()
  readonly #releasedWorkers = new Set<Worker>()

  constructor(tell: (worker: Worker, order: WorkerOrder) => void) {
    this.#sendOrder = tell
  }

  /** Reads the report of a worker. */
  readReport(worker: Worker, { awaits, closed }: WorkerReport): void {
    if (awaits) void this.#confirmArrivals(worker)
    if (closed)
      this.#timers.set(
        worker,
        setTimeout(() => this.#release(worker), maxWaitMs),
      )
  }

  /** Forgets a worker that has ended. */
  forget(worker: Worker): void {
    clearTimeout(this.#timers.get(worker))
    this.#timers.delete(worker)
    this.#releasedWorkers.delete(worker)
  }

  /**
   * Lets workers send the answers that they hold, unless one of `serving` still takes connections: a client that gets
   * its answer could connect to that worker just before it stops.
   */
  releaseUnless(serving: Iterable<Worker>): void {
    for (const worker of serving) if (!this.#timers.has(worker) && !this.#releasedWorkers.has(worker)) return
    for (const worker of this.#timers.keys()) this.#release(worker)
  }

  /**
   * Tells a worker that all connections that had arrived are handed out. This process accepts one per turn of its event
   * loop, and sends each before this order.
   */
  async #confirmArrivals(worker: Worker): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, acceptPauseMs))
    for (let turns = 0; turns < 2; turns += 1) await new Promise(setImmediate)
    this.#sendOrder(worker, "arrived")
  }

  #release(worker: Worker): void {
    clearTimeout(this.#timers.get(worker))
    this.#timers.delete(worker)
    this.#releasedWorkers.add(worker)
    this.#sendOrder(worker, "closed")
  }
}
