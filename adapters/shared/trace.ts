/**
 * Requests for programs that watch them, such as tracers: channels of node:diagnostics_channel. Without subscribers they
 * cost two comparisons per request.
 */
import { channel } from "node:diagnostics_channel"
import type { Exchange } from "../../lib/exchange.ts"

/**
 * The message of the channels `fw.request.start` and `fw.request`: the same object on both, so that a subscriber can keep
 * its own data about a request in a WeakMap. `pattern`, `status` and `error` are set on the second.
 *
 * @example
 * import { subscribe } from "node:diagnostics_channel"
 * subscribe("fw.request", (message) => {
 *   const { method, pattern, status, start } = message as RequestTrace
 *   console.log(method, pattern, status, performance.now() - start)
 * })
 */
export interface RequestTrace {
  readonly method: string
  /** The path as it was sent, without the query. */
  readonly path: string
  /** The time of the request, in milliseconds of `performance.now()`. */
  readonly start: number
  /** Returns a request header; `""` if it is missing. */
  readonly header: (name: string) => string
  /** The pattern of the route; `""` if none matches. */
  pattern: string
  /** The status of the response; 0 before there is one. */
  status: number
  /** The error that was thrown or returned, also an HttpError; undefined if there was none. */
  error: unknown
}

const startChannel = channel("fw.request.start")
const endChannel = channel("fw.request")

/** Returns the message for a request; undefined if nothing watches. */
export function createTrace(exchange: Exchange): RequestTrace | undefined {
  if (!startChannel.hasSubscribers && !endChannel.hasSubscribers) return undefined
  const { method, path } = exchange
  const header = (name: string) => exchange.header(name.toLowerCase())
  return { method, path, start: performance.now(), header, pattern: "", status: 0, error: undefined }
}

/** Publishes the start of a request, and runs it. A store that is bound to the channel is set for everything in the run. */
export function runTraced<T>(trace: RequestTrace, run: () => T): T {
  return startChannel.runStores(trace, run)
}

/** Publishes the end of a request. */
export function endTrace(trace: RequestTrace, error: unknown, status: number, pattern: string): void {
  Object.assign(trace, { error, status, pattern })
  endChannel.publish(trace)
}
