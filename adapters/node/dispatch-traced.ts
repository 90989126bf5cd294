/** The response of an app to a request of node:http. */
import { type App, dispatch } from "../../lib/app.ts"
import type { ResponseOrPromise } from "../../lib/pipeline.ts"
import { createTrace, runTraced } from "../shared/trace.ts"
import type { NodeExchange } from "./exchange.ts"

/**
 * Returns an app's response. An error of the app itself, such as a missing static directory, is a rejection
 * too.
 */
export function dispatchTraced(app: App, exchange: NodeExchange): ResponseOrPromise {
  const trace = createTrace(exchange)
  exchange.trace = trace
  try {
    return trace ? runTraced(trace, () => dispatch(app, exchange)) : dispatch(app, exchange)
  } catch (error) {
    return Promise.reject(error)
  }
}
