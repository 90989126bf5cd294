/** The messages between the supervisor of a program and its workers. */

import type { Metric } from "../metrics/metric.ts"

/**
 * A message to a worker. `drain` and `finish` ask it to end when its running requests have finished; with `drain` it
 * first waits for load balancers. `exit` answers {@link WorkerReport.left}, `arrived` answers {@link
 * WorkerReport.awaits}, and `closed` answers {@link WorkerReport.closed}. `metrics` asks for {@link
 * WorkerReport.metrics}.
 */
export type WorkerOrder = "drain" | "finish" | "exit" | "arrived" | "closed" | "metrics"

/** A message from a worker. */
export interface WorkerReport {
  /** Set when the worker listens, to its address. */
  readonly listening?: string
  /** True if the worker's log is JSON. */
  readonly json?: boolean
  /**
   * Set when the worker accepts no further connections and has finished. It exits after the answer. A connection that
   * was on its way has arrived before the answer, and the worker has sent it back. Without waiting for the answer, that
   * connection would be lost.
   */
  readonly left?: true
  /** Set when the worker is about to stop accepting connections. It waits for those that have already arrived. */
  readonly awaits?: true
  /**
   * Set when the worker accepts no further connections. It holds its answers back until it gets the answer to this
   * message. While another ending worker still accepts connections, a client that gets its answer could connect to that
   * one.
   */
  readonly closed?: true
  /** The metrics of the worker. A worker is asked for metrics only after it has sent them once. */
  readonly metrics?: readonly Metric[]
  /** Set when the worker has a request for the metrics of all workers. They are sent to it as `allMetrics`. */
  readonly wantsMetrics?: true
}
