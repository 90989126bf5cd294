/** Answers the requests of a worker. */

import { listUnsentHeaders, removeHeaders } from "../../lib/answer/connection-headers.ts"
import { bugError, type HttpError } from "../../lib/errors.ts"
import { exchangeFactories, FetchExchange } from "../../lib/exchange.ts"
import type { Platform } from "../../lib/platform.ts"
import { readLength } from "../../lib/request/header-grammar.ts"
import { reportToConsole } from "../shared/console-report.ts"
import { refuseRequest } from "../shared/request-line.ts"
import { workerUpgrades } from "./socket.ts"

/** Answers a request of the runtime. Never rejects. */
export const answerWorker: Platform["fetch"] = async (answer, request, args) => {
  try {
    const refusal = refuseRequest(request)
    if (refusal) return toErrorResponse(refusal)
    const mountedExchange = exchangeFactories.get(request)?.(args)
    // The outer app finishes the response.
    if (mountedExchange) return await answer(mountedExchange)
    return finishResponse(await answer(new WorkerExchange(request, args)))
  } catch (error) {
    reportToConsole(error)
    return toErrorResponse(bugError)
  }
}

function toErrorResponse(error: HttpError): Response {
  return Response.json(error, { status: error.status })
}

/** A class of workerd. Its stream fails unless exactly this many bytes pass through it. */
declare const FixedLengthStream: new (size: number) => TransformStream<Uint8Array, Uint8Array>

/**
 * Returns the response for the platform, which may be that of an upgrade. If the program has set a Content-Length for
 * a streamed body, the length is checked. The platform sends the header only for a `FixedLengthStream`.
 */
function finishResponse(response: Response): Response {
  const upgrade = workerUpgrades?.answer(response)
  if (upgrade) return upgrade.response
  // The program has opened the WebSocket itself.
  if (response.status === 101) return response
  const declaredLength = response.headers.get("content-length")
  const length = readLength(declaredLength ?? "")
  // For HEAD, the platform sends the headers as they are, so an invalid Content-Length is removed here.
  const unsentNames = [
    ...listUnsentHeaders(response),
    ...(declaredLength !== null && length === null ? ["content-length"] : []),
  ]
  const sentResponse = unsentNames.length > 0 ? removeHeaders(response, unsentNames) : response
  // The platform encodes a body that has a Content-Encoding but is not encoded. The declared length is then not the
  // length of this stream.
  if (length === null || !sentResponse.body || sentResponse.headers.has("content-encoding")) return sentResponse
  return new Response(sentResponse.body.pipeThrough(new FixedLengthStream(length)), sentResponse)
}

class WorkerExchange extends FetchExchange {
  /**
   * Returns the address that the platform has added, unless the call has passed one. Without `cf` the platform is not
   * in front of the worker, and a client may have written the header.
   */
  override get address(): string {
    return super.address || ((this.request as { cf?: unknown }).cf ? this.header("cf-connecting-ip") : "")
  }

  get upgradeCheck(): boolean | HttpError {
    return workerUpgrades ? (workerUpgrades.refuse((name) => this.header(name)) ?? true) : false
  }
}
