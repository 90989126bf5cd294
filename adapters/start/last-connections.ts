/** The last connections of workers that end: each is taken in before its port is closed. */

import type { Worker } from "node:cluster"
import type { Order, Report } from "./messages.ts"

/** Time for which connections are taken in before a worker looks if more came, in milliseconds: clients may connect again. */
const round = 5
/** Most time for which workers that have stopped to listen wait for one that does not, in milliseconds. */
const patience = 1000

/** Answers what workers ask that take no more connections. */
export class LastConnections {
  readonly #tell: (worker: Worker, order: Order) => void
  /** Workers that have stopped to listen and wait for the others, and the ends of their waits. */
  readonly #timers = new Map<Worker, NodeJS.Timeout>()
  readonly #told = new Set<Worker>()

  constructor(tell: (worker: Worker, order: Order) => void) {
    this.#tell = tell
  }

  /** Reads the report of a worker. */
  read(worker: Worker, { awaits, closed }: Report): void {
    if (awaits) void this.#handOut(worker)
    if (closed)
      this.#timers.set(
        worker,
        setTimeout(() => this.#release(worker), patience),
      )
  }

  /** Forgets a worker that has ended. */
  delete(worker: Worker): void {
    clearTimeout(this.#timers.get(worker))
    this.#timers.delete(worker)
    this.#told.delete(worker)
  }

  /**
   * Lets workers send the answers that they hold, unless one of `serving` still takes connections: a client that has its answer
   * would connect to that one, in its last moment.
   */
  releaseUnless(serving: Iterable<Worker>): void {
    for (const worker of serving) if (!this.#timers.has(worker) && !this.#told.has(worker)) return
    for (const worker of this.#timers.keys()) this.#release(worker)
  }

  /**
   * Says to a worker that the connections which had arrived are handed out. This process accepts one per turn of its loop, and
   * sends each before this order.
   */
  async #handOut(worker: Worker): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, round))
    for (let turns = 0; turns < 2; turns += 1) await new Promise(setImmediate)
    this.#tell(worker, "arrived")
  }

  #release(worker: Worker): void {
    clearTimeout(this.#timers.get(worker))
    this.#timers.delete(worker)
    this.#told.add(worker)
    this.#tell(worker, "closed")
  }
}
