/** The requests that an app hands on to a mounted handler. A file of its own, for what answers a Request and knows no context. */

import type { Exchange } from "../exchange.ts"
import type { Given } from "../request/around.ts"

/** What makes the exchange of such a request, should the handler be an app. By the request, so that it does not matter how an app's `fetch` is wrapped. */
export const mountedRequests = new WeakMap<Request, (given: Given) => Exchange>()
