/** The metrics of all workers of a program, in the process that starts them. */
import { combineMetrics, keepCounts, type Metric } from "./metric.ts"

/** Time for workers to answer, in milliseconds. For one that is busy for longer, its last answer counts. */
const answerMs = 2000

/** Asks workers for their metrics, and keeps what workers have counted that have ended. */
export class AllWorkers<Worker extends object> {
  readonly #ask: (worker: Worker) => void
  /** The last answer of each worker. */
  readonly #answers = new Map<Worker, readonly Metric[]>()
  readonly #unanswered = new Set<Worker>()
  #ended: readonly Metric[] = []
  #round: Promise<void> | undefined
  #endRound: () => void = () => {}

  /** @param ask asks a worker, which answers through {@link receive}. */
  constructor(ask: (worker: Worker) => void) {
    this.#ask = ask
  }

  /** Returns the metrics of the workers, and the counts of those that have ended, as those of one process. */
  async collect(): Promise<Metric[]> {
    this.#round ??= this.#askAll().finally(() => {
      this.#round = undefined
    })
    await this.#round
    return combineMetrics([this.#ended, ...this.#answers.values()])
  }

  async #askAll(): Promise<void> {
    for (const worker of this.#answers.keys()) {
      this.#unanswered.add(worker)
      this.#ask(worker)
    }
    if (this.#unanswered.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, answerMs)
      this.#endRound = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#unanswered.clear()
  }

  /** Takes an answer of a worker. The first one comes without a question. */
  receive(worker: Worker, metrics: readonly Metric[]): void {
    this.#answers.set(worker, metrics)
    this.#settle(worker)
  }

  /** Keeps the counts of a worker that has ended: totals that fell would look like a restart of the program. */
  forget(worker: Worker): void {
    this.#ended = combineMetrics([this.#ended, keepCounts(this.#answers.get(worker) ?? [])])
    this.#answers.delete(worker)
    this.#settle(worker)
  }

  #settle(worker: Worker): void {
    if (this.#unanswered.delete(worker) && this.#unanswered.size === 0) this.#endRound()
  }
}
