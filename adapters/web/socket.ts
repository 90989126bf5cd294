/**
 * A connection over the platform's own WebSocket, as Deno and workers have it, and code that Bun shares with
 * them.
 */
import type { AcceptedSocket, SocketEvents } from "../../lib/answer/upgrade.ts"

/** The part of WHATWG WebSocket that is used, on the server's side. */
export interface PlatformSocket {
  binaryType: string
  /** Missing on workers. */
  readonly bufferedAmount?: number
  send(data: string | Uint8Array): void
  close(code?: number, reason?: string): void
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: "close", listener: (event: { readonly code: number; readonly reason: string }) => void): void
  addEventListener(type: "open" | "error", listener: () => void): void
}

/** Timeout of the closing handshake, in milliseconds. */
export const closeTimeoutMs = 5000
/**
 * Bytes that may be buffered before a sender waits, and the interval of checks while it waits, in
 * milliseconds.
 */
const maxBufferedBytes = 64 * 1024
const drainCheckMs = 5

/** Passes a message on, or closes the connection if it exceeds the limit. */
export function receiveMessage(
  data: string | Uint8Array,
  { maxPayload }: AcceptedSocket,
  events: SocketEvents,
  close: (code: number, reason: string) => void,
): void {
  // A character is at most three bytes.
  const fits = typeof data === "string" && data.length * 3 <= maxPayload
  const size = fits ? 0 : typeof data === "string" ? encoder.encode(data).byteLength : data.byteLength
  if (size > maxPayload) close(1009, "")
  else events.onMessage(data)
}

const encoder = new TextEncoder()

/** Answers the client's close. On workers the program must do that; elsewhere the runtime has done it. */
function replyToClose(socket: PlatformSocket, code: number, reason: string): void {
  try {
    // 1005 stands for no code, and cannot be sent.
    if (code === 1005) socket.close()
    else socket.close(code, reason)
  } catch {
    // Already closed, or the code is only for clients.
  }
}

/** Connects an accepted upgrade to an open socket. */
export function connectSocket(socket: PlatformSocket, accepted: AcceptedSocket): void {
  socket.binaryType = "arraybuffer"
  let isOver = false
  let closeTimer: ReturnType<typeof setTimeout> | undefined
  const onEnded = (code: number, reason: string) => {
    if (isOver) return
    isOver = true
    clearTimeout(closeTimer)
    events.onEnded(code, reason)
  }
  const close = (code: number, reason: string) => {
    closeTimer ??= setTimeout(() => onEnded(1006, ""), closeTimeoutMs)
    socket.close(code, reason)
  }
  const events = accepted.connect({
    async send(data) {
      socket.send(data)
      while (!isOver && (socket.bufferedAmount ?? 0) > maxBufferedBytes)
        await new Promise((resolve) => setTimeout(resolve, drainCheckMs))
    },
    close,
    get buffered() {
      return socket.bufferedAmount ?? 0
    },
  })
  socket.addEventListener("message", ({ data }) => {
    const plain = data instanceof ArrayBuffer ? new Uint8Array(data) : String(data)
    if (!isOver) receiveMessage(plain, accepted, events, close)
  })
  socket.addEventListener("close", ({ code, reason }) => {
    replyToClose(socket, code, reason)
    // Deno has 0 for a connection that ended without a close message, for which RFC 6455 §7.1.5 has 1006.
    onEnded(code || 1006, reason)
  })
  // A close follows.
  socket.addEventListener("error", () => {})
}
