/**
 * Connects WebSockets of the platform, as Deno and workers have them, and has code that Bun shares with them.
 */
import type { AcceptedSocket, SocketEvents } from "../../lib/answer/upgrade.ts"

/** The members of a WebSocket that fw uses on the server. */
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

/** Milliseconds to wait for the end of the closing handshake. */
export const closeTimeoutMs = 5000
/** Number of bytes that may be buffered before a sender must wait. */
const maxBufferedBytes = 64 * 1024
/** Milliseconds between two checks while a sender waits. */
const drainCheckMs = 5

/** Passes a message to the program. If it is larger than the limit, closes the connection instead. */
export function receiveMessage(
  data: string | Uint8Array,
  { maxPayload }: AcceptedSocket,
  events: SocketEvents,
  close: (code: number, reason: string) => void,
): void {
  // In UTF-8, a UTF-16 unit needs at most three bytes.
  const fits = typeof data === "string" && data.length * 3 <= maxPayload
  const size = fits ? 0 : typeof data === "string" ? encoder.encode(data).byteLength : data.byteLength
  if (size > maxPayload) close(1009, "")
  else events.onMessage(data)
}

const encoder = new TextEncoder()

/**
 * Answers when the client closes the connection. On workers the program must do that; elsewhere the runtime has done
 * it.
 */
function replyToClose(socket: PlatformSocket, code: number, reason: string): void {
  try {
    // 1005 means that there was no code. It cannot be sent.
    if (code === 1005) socket.close()
    else socket.close(code, reason)
  } catch {
    // The connection is closed already, or only clients may send the code.
  }
}

/** Connects an accepted upgrade to an open WebSocket. */
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
    get pendingBytes() {
      return socket.bufferedAmount ?? 0
    },
  })
  socket.addEventListener("message", ({ data }) => {
    const plain = data instanceof ArrayBuffer ? new Uint8Array(data) : String(data)
    if (!isOver) receiveMessage(plain, accepted, events, close)
  })
  socket.addEventListener("close", ({ code, reason }) => {
    replyToClose(socket, code, reason)
    // Deno has 0 if the connection ended without a close frame. RFC 6455 §7.1.5 has 1006 for that.
    onEnded(code || 1006, reason)
  })
  // Nothing is done about an error here, because the event "close" follows it.
  socket.addEventListener("error", () => {})
}
