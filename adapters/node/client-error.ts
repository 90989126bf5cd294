/**
 * Answers requests that node:http does not pass on, because it could not parse them or they did not arrive in time.
 */
import { type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import { HttpError } from "../../lib/errors.ts"
import { limits } from "./limits.ts"
import { endGently, giveUpBody, isAnsweredBeforeBody, isEnding } from "./unread-body.ts"

/** Returns the answer to an error of node:http. */
function toClientError(code: string | undefined): HttpError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new HttpError(431, `the request's headers are larger than ${limits.maxHeaderSize} bytes`, {
      code: "headers_too_large",
    })
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new HttpError(408, "the request did not arrive in time")
  return new HttpError(400, "the request is not valid HTTP")
}

/**
 * Answers a request that node:http could not parse or that did not arrive in time. It is not answered if the client
 * would take the answer for that of an earlier request.
 */
export function answerClientError(
  error: { readonly code?: string },
  socket: Socket & { _httpMessage?: ServerResponse | null },
): void {
  const currentResponse = socket._httpMessage
  // The request was answered before its body was read, and the error is in that body. So the connection is closed.
  if (isAnsweredBeforeBody(socket)) giveUpBody(socket)
  else if (isEnding(socket)) return
  // The previous request is complete, so it gets its answer first. Then the connection is closed.
  else if (currentResponse?.req.complete && !currentResponse.writableFinished) {
    currentResponse.shouldKeepAlive = false
    currentResponse.once("finish", () => endGently(socket))
  } else if (!socket.writable || currentResponse?.headersSent) socket.destroy()
  else endWithError(socket, toClientError(error.code))
}

/** Sends an answer that does not belong to a request of the app, and closes the connection. */
export function endWithError(socket: Socket, error: HttpError): void {
  const body = JSON.stringify(error)
  endGently(
    socket,
    // A server that has a clock sends Date (RFC 9110 §6.6.1).
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\nDate: ${new Date().toUTCString()}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
