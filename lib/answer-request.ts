/**
 * Answers a Request on runtimes that add nothing of their own: `app.fetch` on servers, in browsers and in
 * tests.
 */

import { FetchExchange, mountedRequests } from "./exchange.ts"
import type { Platform } from "./platform.ts"
import { checkGiven } from "./request/around.ts"

/** See {@link Platform.fetch}. */
export const answerRequest: Platform["fetch"] = async (answer, request, given) => {
  const checked = checkGiven(given)
  const exchange = mountedRequests.get(request)?.(checked) ?? new FetchExchange(request, checked)
  return answer(exchange)
}
