/** Answers a `Request` for `app.fetch`, on servers, in browsers and in tests. */

import { FetchExchange, mountedRequests } from "./exchange.ts"
import type { Platform } from "./platform.ts"
import { checkFetchArguments } from "./request/around.ts"

/** See {@link Platform.fetch}. */
export const answerRequest: Platform["fetch"] = async (answer, request, args) => {
  const fetchArguments = checkFetchArguments(args)
  const exchange = mountedRequests.get(request)?.(fetchArguments) ?? new FetchExchange(request, fetchArguments)
  return answer(exchange)
}
