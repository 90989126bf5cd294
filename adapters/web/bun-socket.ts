/** WebSockets on Bun, where one object has the functions for all connections of a server. */
import type { AcceptedSocket, SocketEvents } from "../../lib/answer/upgrade.ts"
import { closeTimeoutMs, receiveMessage } from "./socket.ts"

/** What Bun stores with a connection. */
export interface BunConnection {
  readonly accepted: AcceptedSocket
  events?: SocketEvents
  /** Set when the connection has ended, which may be before {@link events} is set. */
  closeReport?: readonly [code: number, reason: string]
  /** Resolves senders that wait until more can be sent. */
  onDrained?: (() => void) | undefined
  /** True if the client has answered the last ping. */
  isAlive?: boolean
  timers?: ReturnType<typeof setTimeout>[]
}

/** The members of Bun's socket that fw uses. */
interface BunSocket {
  readonly data: BunConnection
  /** Returns -1 if the message is queued, and 0 if it is lost. */
  send(data: string | Uint8Array): number
  close(code: number, reason: string): void
  terminate(): void
  ping(): void
  getBufferedAmount(): number
}

/**
 * The option `websocket` for Bun's server. It makes the limits the same as on Node: this file pings idle clients, and
 * each handler limits the size of messages.
 */
export const bunSocket = {
  idleTimeout: 0,
  sendPings: false,
  perMessageDeflate: false,
  /**
   * Maximum size of a message, whatever the limit of a handler is. Bun checks no other limit while a message arrives,
   * so an incomplete message can take up this much memory.
   */
  maxPayloadLength: 16 * 1024 * 1024,
  open(socket: BunSocket): void {
    const { data } = socket
    const timers: ReturnType<typeof setTimeout>[] = []
    data.timers = timers
    data.events = data.accepted.connect({
      send: (message) => sendMessage(socket, message),
      close(code, reason) {
        timers.push(setTimeout(() => socket.terminate(), closeTimeoutMs))
        socket.close(code, reason)
      },
      get pendingBytes() {
        return socket.getBufferedAmount()
      },
    })
    const { heartbeat } = data.accepted
    // The program's open() may have closed the connection. Bun reports the end during close(), before the events exist.
    if (data.closeReport) data.events.onEnded(...data.closeReport)
    else if (heartbeat > 0) timers.push(startHeartbeat(socket, heartbeat * 1000))
  },
  message(socket: BunSocket, message: string | Uint8Array): void {
    const { accepted, events } = socket.data
    // Plain bytes instead of a Buffer, as on all other runtimes.
    const plain =
      typeof message === "string" ? message : new Uint8Array(message.buffer, message.byteOffset, message.byteLength)
    if (events) receiveMessage(plain, accepted, events, (code, reason) => socket.close(code, reason))
  },
  drain({ data }: BunSocket): void {
    data.onDrained?.()
    data.onDrained = undefined
  },
  pong({ data }: BunSocket): void {
    data.isAlive = true
  },
  close({ data }: BunSocket, code: number, reason: string): void {
    for (const timer of data.timers ?? []) clearTimeout(timer)
    data.onDrained?.()
    data.closeReport = [code, reason]
    data.events?.onEnded(code, reason)
  },
}

function sendMessage(socket: BunSocket, message: string | Uint8Array): Promise<void> | void {
  const sentBytes = socket.send(message)
  if (sentBytes === 0 && message.length > 0) throw new Error("the connection is closed")
  if (sentBytes >= 0) return
  const { data } = socket
  const previous = data.onDrained
  return new Promise((resolve) => {
    data.onDrained = () => {
      previous?.()
      resolve()
    }
  })
}

/** Pings a client at intervals. Closes the connection if the client has not answered the previous ping. */
function startHeartbeat(socket: BunSocket, intervalMs: number): ReturnType<typeof setTimeout> {
  socket.data.isAlive = true
  return setInterval(() => {
    if (!socket.data.isAlive) return socket.terminate()
    socket.data.isAlive = false
    socket.ping()
  }, intervalMs)
}
