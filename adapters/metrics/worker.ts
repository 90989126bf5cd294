/** Sends the metrics of a worker to the process that has started it, and gets those of all workers from there. */
import { workerVariable } from "../../lib/store/worker-count.ts"
import type { WorkerOrder, WorkerReport } from "../start/messages.ts"
import type { Metric } from "./metric.ts"

/** Functions that pass the metrics of all workers to the requests that wait for them. */
const pendingRequests: ((metrics: readonly Metric[]) => void)[] = []

/** Returns true in a worker, as long as the process that started it is there. */
const isWorker = () => process.env[workerVariable] !== undefined && process.connected

const send = (report: WorkerReport) => void process.send?.(report)

/** Answers when the starting process asks for metrics. Sends the final counts when this worker exits. */
export function reportAsWorker(collectMetrics: () => Metric[]): void {
  if (!isWorker()) return
  process.on("message", ({ order, allMetrics }: { order?: WorkerOrder; allMetrics?: readonly Metric[] }) => {
    if (order === "metrics" || order === "exit") send({ metrics: collectMetrics() })
    if (allMetrics) for (const resolve of pendingRequests.splice(0)) resolve(allMetrics)
  })
  // The first message tells the starting process that it can ask this worker.
  send({ metrics: collectMetrics() })
}

/** Returns the metrics of all workers of the program; undefined if there is only one process. */
export function collectFromWorkers(): Promise<readonly Metric[]> | undefined {
  if (!isWorker()) return undefined
  return new Promise((resolve) => {
    pendingRequests.push(resolve)
    if (pendingRequests.length === 1) send({ wantsMetrics: true })
  })
}
