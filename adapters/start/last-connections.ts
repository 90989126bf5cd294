/** The last connections of workers that end: each is taken in before its port is closed. */

import type { Worker } from "node:cluster"
import type { WorkerOrder, WorkerReport } from "./messages.ts"

/** Time for which connections are taken in before a worker looks if more came, in milliseconds: clients may connect again. */
const acceptPauseMs = 5
/** Most time for which workers that have stopped to listen wait for one that does not, in milliseconds. */
const maxWaitMs = 1000

/** Answers what workers ask that take no more connections. */
export class LastConnections {
  readonly #sendOrder: (worker: Worker, order: WorkerOrder) => void
  /** Workers that have stopped to listen and wait for the others, and the ends of their waits. */
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
   * Lets workers send the answers that they hold, unless one of `serving` still takes connections: a client that has its answer
   * would connect to that one, in its last moment.
   */
  releaseUnless(serving: Iterable<Worker>): void {
    for (const worker of serving) if (!this.#timers.has(worker) && !this.#releasedWorkers.has(worker)) return
    for (const worker of this.#timers.keys()) this.#release(worker)
  }

  /**
   * Says to a worker that the connections which had arrived are handed out. This process accepts one per turn of its loop, and
   * sends each before this order.
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
