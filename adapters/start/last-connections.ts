/** Makes sure that all connections of workers that stop are accepted before the port is closed. */

import type { Worker } from "node:cluster"
import type { WorkerOrder, WorkerReport } from "./messages.ts"

/**
 * Milliseconds in which connections are accepted before a worker looks for more. Clients may connect again in this
 * time.
 */
const acceptPauseMs = 5
/** Maximum number of milliseconds that stopped workers wait for a worker that still accepts connections. */
const maxWaitMs = 1000

/** Coordinates workers that stop accepting connections. */
export class LastConnections {
  readonly #sendOrder: (worker: Worker, order: WorkerOrder) => void
  /** Workers that have stopped listening and wait for the others, with the timers that end their waiting. */
  readonly #timers = new Map<Worker, NodeJS.Timeout>()
  readonly #releasedWorkers = new Set<Worker>()

  constructor(sendOrder: (worker: Worker, order: WorkerOrder) => void) {
    this.#sendOrder = sendOrder
  }

  /** Handles a report: answers `awaits`, and starts the waiting of a worker that has stopped listening. */
  readReport(worker: Worker, { awaits, closed }: WorkerReport): void {
    if (awaits) void this.#confirmArrivals(worker)
    if (closed)
      this.#timers.set(
        worker,
        setTimeout(() => this.#release(worker), maxWaitMs),
      )
  }

  /** Removes a worker that has ended. */
  forget(worker: Worker): void {
    clearTimeout(this.#timers.get(worker))
    this.#timers.delete(worker)
    this.#releasedWorkers.delete(worker)
  }

  /**
   * Lets workers send the answers that they hold back, unless one of `serving` still accepts connections. A client that
   * gets its answer could otherwise connect to that worker just before it stops.
   */
  releaseUnless(serving: Iterable<Worker>): void {
    for (const worker of serving) if (!this.#timers.has(worker) && !this.#releasedWorkers.has(worker)) return
    for (const worker of this.#timers.keys()) this.#release(worker)
  }

  /**
   * Tells a worker that it has got all connections that had arrived. This process accepts one connection per turn of
   * its event loop, and passes each to a worker before it sends this order.
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
