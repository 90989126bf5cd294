/** Collects the metrics of all workers of a program, in the process that starts them. */
import { combineMetrics, type Metric } from "./metric.ts"

/** Milliseconds that workers have to answer. If a worker is busy for longer, its previous answer is used. */
const answerTimeoutMs = 2000

/** Asks workers for their metrics, and keeps the histograms of workers that have ended. */
export class AllWorkers<Worker extends object> {
  readonly #ask: (worker: Worker) => void
  /** The metrics that each worker sent last. */
  readonly #answers = new Map<Worker, readonly Metric[]>()
  /** For each worker that was asked, a function that ends the wait for it. */
  readonly #endWaits = new Map<Worker, () => void>()
  #endedHistograms: readonly Metric[] = []
  #round: Promise<unknown> | undefined

  /** @param ask asks a worker. The worker's answer is passed to {@link receive}. */
  constructor(ask: (worker: Worker) => void) {
    this.#ask = ask
  }

  /** Returns the metrics of all workers as those of one process. Histograms of workers that have ended are included. */
  async collect(): Promise<Metric[]> {
    this.#round ??= Promise.all([...this.#answers.keys()].map((worker) => this.#askOne(worker))).finally(() => {
      this.#round = undefined
    })
    await this.#round
    return combineMetrics([this.#endedHistograms, ...this.#answers.values()])
  }

  #askOne(worker: Worker): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, answerTimeoutMs)
      this.#endWaits.set(worker, () => {
        clearTimeout(timer)
        resolve()
      })
      this.#ask(worker)
    })
  }

  /** Takes an answer of a worker. A new worker sends one without being asked. */
  receive(worker: Worker, metrics: readonly Metric[]): void {
    this.#answers.set(worker, metrics)
    this.#endWaits.get(worker)?.()
  }

  /**
   * Keeps the histograms of a worker that has ended. If totals became smaller, Prometheus would see that as a restart
   * of the program.
   */
  forget(worker: Worker): void {
    const histograms = this.#answers.get(worker)?.filter(({ kind }) => kind === "histogram") ?? []
    this.#endedHistograms = combineMetrics([this.#endedHistograms, histograms])
    this.#answers.delete(worker)
    this.#endWaits.get(worker)?.()
    this.#endWaits.delete(worker)
  }
}
