/** Answers the requests of a worker. */

import { listUnsentHeaders, removeHeaders } from "../../lib/answer/connection-headers.ts"
import { bugError, type HttpError } from "../../lib/errors.ts"
import { FetchExchange, mountedRequests } from "../../lib/exchange.ts"
import type { Platform } from "../../lib/platform.ts"
import { readLength } from "../../lib/request/header-grammar.ts"
import { reportToConsole } from "../shared/console-report.ts"
import { refuseRequest } from "../shared/request-line.ts"
import { workerUpgrades } from "./socket.ts"

/** Answers a request from the runtime. Never rejects. */
export const answerWorker: Platform["fetch"] = async (answer, request, given) => {
  try {
    const refusal = refuseRequest(request)
    if (refusal) return toErrorResponse(refusal)
    const mounted = mountedRequests.get(request)?.(given)
    // The outer app finishes it.
    if (mounted) return await answer(mounted)
    return finishResponse(await answer(new WorkerExchange(request, given)))
  } catch (error) {
    reportToConsole(error)
    return toErrorResponse(bugError)
  }
}

function toErrorResponse(error: HttpError): Response {
  return Response.json(error, { status: error.status })
}

/** A stream of workers that fails unless it has exactly this many bytes. */
declare const FixedLengthStream: new (size: number) => TransformStream<Uint8Array, Uint8Array>

/**
 * Returns the response for the platform: that of an upgrade, or one whose streamed body is checked against the Content-Length of
 * the program. The platform sends the header only for such a stream.
 */
function finishResponse(response: Response): Response {
  const upgraded = workerUpgrades?.answer(response)
  if (upgraded) return upgraded.response
  // A WebSocket of the program.
  if (response.status === 101) return response
  const given = response.headers.get("content-length")
  const length = readLength(given ?? "")
  // The platform sends to HEAD what it is given.
  const unsent = [...listUnsentHeaders(response), ...(given !== null && length === null ? ["content-length"] : [])]
  const sent = unsent.length > 0 ? removeHeaders(response, unsent) : response
  // The platform encodes a body that has a Content-Encoding but is not encoded yet. Its length is then not that of the stream.
  if (length === null || !sent.body || sent.headers.has("content-encoding")) return sent
  return new Response(sent.body.pipeThrough(new FixedLengthStream(length)), sent)
}

class WorkerExchange extends FetchExchange {
  /**
   * Returns the address that the platform's edge writes, unless the call has one. Without `cf` there is no
   * edge, and the header comes from the client.
   */
  override get address(): string {
    return super.address || ((this.request as { cf?: unknown }).cf ? this.header("cf-connecting-ip") : "")
  }

  get upgradeCheck(): boolean | HttpError {
    return workerUpgrades ? (workerUpgrades.refuse((name) => this.header(name)) ?? true) : false
  }
}
