/** Answers a `Request` for `app.fetch`, on servers, in browsers and in tests. */

import { exchangeFactories, FetchExchange } from "./exchange.ts"
import type { Platform } from "./platform.ts"
import { checkFetchArguments } from "./request/around.ts"

/** Answers a request of `app.fetch()`. The promise rejects for arguments that are not valid. */
export const answerRequest: Platform["fetch"] = async (answer, request, args) => {
  const fetchArguments = checkFetchArguments(args)
  const exchange = exchangeFactories.get(request)?.(fetchArguments) ?? new FetchExchange(request, fetchArguments)
  return answer(exchange)
}
