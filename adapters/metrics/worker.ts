/** The metrics of a program with several workers, as one of them gets them from the process that started it. */
import cluster from "node:cluster"
import { workerVariable } from "../../lib/store/worker-count.ts"
import type { WorkerOrder, WorkerReport } from "../start/messages.ts"
import type { Metric } from "./metric.ts"

/** The requests that wait for the metrics of all workers. */
const waiting: ((metrics: readonly Metric[]) => void)[] = []

/** Returns this process as a worker; undefined if it is the only one of its program. */
function findWorker() {
  return process.env[workerVariable] && cluster.worker?.isConnected() ? cluster.worker : undefined
}

/** Answers the questions of the process that started this worker, and tells it the last counts when this worker exits. */
export function reportAsWorker(collectMetrics: () => Metric[]): void {
  const worker = findWorker()
  const send = (report: WorkerReport) => worker?.send(report)
  worker?.on("message", ({ order, allMetrics }: { order?: WorkerOrder; allMetrics?: readonly Metric[] }) => {
    if (order === "metrics" || order === "exit") send({ metrics: collectMetrics() })
    if (allMetrics) for (const resolve of waiting.splice(0)) resolve(allMetrics)
  })
  // From now on, it is asked.
  send({ metrics: collectMetrics() })
}

/** Returns the metrics of all workers of the program; undefined if this process is the only one. */
export function collectFromWorkers(): Promise<readonly Metric[]> | undefined {
  const worker = findWorker()
  if (!worker) return undefined
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) worker.send({ wantsMetrics: true } satisfies WorkerReport)
  })
}
