/** The response of an app to a request of node:http. */
import { type App, dispatch } from "../../lib/app.ts"
import type { ResponseOrPromise } from "../../lib/pipeline.ts"
import type { NodeExchange } from "./exchange.ts"

/**
 * Returns an app's response. An error of the app itself, such as a missing static directory, is a rejection
 * too.
 */
export function dispatchExchange(app: App, exchange: NodeExchange): ResponseOrPromise {
  try {
    return dispatch(app, exchange)
  } catch (error) {
    return Promise.reject(error)
  }
}
