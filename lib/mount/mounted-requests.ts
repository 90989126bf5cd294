/**
 * Requests that an app passes to a mounted handler. A separate file, for code that answers a Request without
 * a context.
 */

import type { Exchange } from "../exchange.ts"
import type { Given } from "../request/around.ts"

/**
 * Functions that create the exchange of such a request if the handler is an app. Stored by request, so that
 * it works however an app's `fetch` is wrapped.
 */
export const mountedRequests = new WeakMap<Request, (given: Given) => Exchange>()
