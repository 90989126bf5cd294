/** A connection over a WebSocket of the platform's own, as Deno and workers have it, and what Bun's shares with it. Called by their adapters. */
import type { AcceptedSocket, SocketEvents } from "../../lib/answer/upgrade.ts"

/** The part of WHATWG WebSocket that is used, on the server's side. */
export interface PlatformSocket {
  binaryType: string
  /** Absent on workers. */
  readonly bufferedAmount?: number
  send(data: string | Uint8Array): void
  close(code?: number, reason?: string): void
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void
  addEventListener(
    type: "close",
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void
  addEventListener(type: "open" | "error", listener: () => void): void
}

/** How long a client may take to answer the closing handshake, in milliseconds. */
export const closeTime = 5000
/** Bytes that may wait before a sender waits too, and how often they are looked at then, in milliseconds. */
const most = 64 * 1024
const interval = 5

/** Passes a message on, or closes the connection for one that is larger than it may be. */
export function receive(
  data: string | Uint8Array,
  { maxPayload }: AcceptedSocket,
  events: SocketEvents,
  close: (code: number, reason: string) => void,
): void {
  // A character is three bytes at most.
  const fits = typeof data === "string" && data.length * 3 <= maxPayload
  const size = fits ? 0 : typeof data === "string" ? encoder.encode(data).byteLength : data.byteLength
  if (size > maxPayload) close(1009, "")
  else events.message(data)
}

const encoder = new TextEncoder()

/** Workers leave the client's close to the program to answer; elsewhere it has been. */
function reply(socket: PlatformSocket, code: number, reason: string): void {
  try {
    // 1005 stands for no code, and is none itself.
    if (code === 1005) socket.close()
    else socket.close(code, reason)
  } catch {
    // Closed already, or by a code that only a client may send.
  }
}

/** Connects an accepted upgrade with a socket that is open. */
export function follow(socket: PlatformSocket, accepted: AcceptedSocket): void {
  socket.binaryType = "arraybuffer"
  let over = false
  let dropping: ReturnType<typeof setTimeout> | undefined
  const ended = (code: number, reason: string) => {
    if (over) return
    over = true
    clearTimeout(dropping)
    events.ended(code, reason)
  }
  const close = (code: number, reason: string) => {
    dropping ??= setTimeout(() => ended(1006, ""), closeTime)
    socket.close(code, reason)
  }
  const events = accepted.connect({
    async send(data) {
      socket.send(data)
      while (!over && (socket.bufferedAmount ?? 0) > most)
        await new Promise((resolve) => setTimeout(resolve, interval))
    },
    close,
    get buffered() {
      return socket.bufferedAmount ?? 0
    },
  })
  socket.addEventListener("message", ({ data }) => {
    const plain = data instanceof ArrayBuffer ? new Uint8Array(data) : String(data)
    if (!over) receive(plain, accepted, events, close)
  })
  socket.addEventListener("close", ({ code, reason }) => {
    reply(socket, code, reason)
    ended(code, reason)
  })
  // What follows is the close.
  socket.addEventListener("error", () => {})
}
