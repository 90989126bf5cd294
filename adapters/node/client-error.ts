/** Answers where node:http has no request to hand over: what it could not parse, or what did not come in time. Called by the server on Node and the parents of `fw dev`. */
import { type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import { HttpError } from "../../lib/errors.ts"
import { endGently, isAnswered, isEnding } from "./drain.ts"
import { limits } from "./limits.ts"

const clientErrors: Record<string, HttpError> = {
  HPE_HEADER_OVERFLOW: new HttpError(
    431,
    `the request's headers are larger than ${limits.maxHeaderSize} bytes`,
    { code: "headers_too_large" },
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, "the request did not arrive in time"),
}

/**
 * What node:http could not parse, or what did not arrive in time: an answer that says so, unless that would stand in for
 * the answer to a request before it. The parent of `fw dev` answers so too.
 */
export function answerClientError(
  error: Error & { code?: string },
  socket: Socket & { _httpMessage?: ServerResponse | null },
): void {
  const current = socket._httpMessage
  if (isEnding(socket)) return
  // One request, one answer: what goes wrong with its body afterwards ends the connection.
  if (isAnswered(socket)) endGently(socket)
  // The request in turn was whole: it gets its answer, and nothing after it.
  else if (current?.req.complete && !current.writableFinished) {
    current.shouldKeepAlive = false
    current.once("finish", () => endGently(socket))
  } else if (!socket.writable || current?.headersSent) socket.destroy()
  else endWith(socket, clientErrors[error.code ?? ""] ?? new HttpError(400, "the request is not valid HTTP"))
}

/** Ends a connection with an answer that no request of the app has. */
export function endWith(socket: Socket, error: HttpError): void {
  const body = JSON.stringify(error)
  endGently(
    socket,
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
