/** Passes a node:http request to an app. */
import { type App, dispatch } from "../../lib/app.ts"
import type { ResponseOrPromise } from "../../lib/pipeline.ts"
import type { NodeExchange } from "./exchange.ts"

/**
 * Returns an app's response. If the app itself fails, for example because a static directory is missing, the promise
 * rejects.
 */
export function dispatchExchange(app: App, exchange: NodeExchange): ResponseOrPromise {
  try {
    return dispatch(app, exchange)
  } catch (error) {
    return Promise.reject(error)
  }
}
