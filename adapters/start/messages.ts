/** The messages between the process that starts the workers of a program, and its workers. */

import type { Metric } from "../metrics/metric.ts"

/**
 * A message to a worker. `drain` and `finish` ask the worker to end when its running requests are finished, with and
 * without a delay for load balancers. `exit` answers {@link WorkerReport.left}, `arrived` {@link WorkerReport.awaits},
 * and `closed` {@link WorkerReport.closed}.
 * `metrics` asks for {@link WorkerReport.metrics}.
 */
export type WorkerOrder = "drain" | "finish" | "exit" | "arrived" | "closed" | "metrics"

/** A message of a worker. */
export interface WorkerReport {
  /** The worker listens at this address. */
  readonly listening?: string
  /** True if the log of the worker is JSON. */
  readonly json?: boolean
  /**
   * The worker takes no more connections and has finished. It exits after the answer: a connection that was on its way
   * has arrived before the answer, and the worker has sent it back. Without this it would be lost.
   */
  readonly left?: true
  /** The worker is about to take no more connections, and waits for those that have arrived. */
  readonly awaits?: true
  /**
   * The worker takes no more connections. It waits for the answer before it sends what it holds: while another worker
   * that is ending too still takes connections, a client that gets its answer would connect to that one.
   */
  readonly closed?: true
  /** The metrics of the worker. Only a worker that has sent them once is asked for them. */
  readonly metrics?: readonly Metric[]
  /** The worker has a request for the metrics of all workers, which are sent to it as `allMetrics`. */
  readonly wantsMetrics?: true
}
