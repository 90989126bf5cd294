/** Sends answers that the parent process of `fw dev` makes itself. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import type { OwnAnswer } from "./page/problem-page.ts"

export function sendAnswer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, type, body, headers = {} }: OwnAnswer,
): void {
  if (outgoing.destroyed) return
  // The rest of the request is read and discarded. If it stayed unread, the connection would be reset before the
  // response arrives.
  if (!incoming.complete) outgoing.shouldKeepAlive = false
  incoming.resume()
  outgoing.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  })
  outgoing.end(body)
}

/** Sends an answer to a request that asks for an upgrade to another protocol. */
export function sendRawAnswer(socket: Duplex, { status, type, body }: OwnAnswer): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
