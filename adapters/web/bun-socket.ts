/** WebSockets on Bun, which has one set of functions for all connections of a server. */
import type { AcceptedSocket, SocketEvents } from "../../lib/answer/upgrade.ts"
import { closeTimeoutMs, receiveMessage } from "./socket.ts"

/** Data that Bun stores with a connection. */
export interface BunConnection {
  readonly accepted: AcceptedSocket
  events?: SocketEvents
  /** Set if the connection has ended before there are {@link events}. */
  endedWith?: readonly [code: number, reason: string]
  /** Resolves senders that wait for room. */
  onDrained?: (() => void) | undefined
  /** True if the last ping was answered. */
  isAlive?: boolean
  timers?: ReturnType<typeof setTimeout>[]
}

/** The part of Bun's socket that is used. */
interface BunSocket {
  readonly data: BunConnection
  /** -1: the message is queued; 0: it is lost. */
  send(data: string | Uint8Array): number
  close(code: number, reason: string): void
  terminate(): void
  ping(): void
  getBufferedAmount(): number
}

/**
 * Bun's `websocket`, with the same limits as on Node: idle clients are pinged here, and each handler limits
 * sizes.
 */
export const bunSocket = {
  idleTimeout: 0,
  sendPings: false,
  perMessageDeflate: false,
  /**
   * Longer messages never reach a program, whatever its own limit is. Bun checks no other limit while a message
   * arrives, so a connection with an unfinished message can take up this much memory.
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
      get buffered() {
        return socket.getBufferedAmount()
      },
    })
    const { heartbeat } = data.accepted
    // Bun reports the end before close() returns, and open() of the program may have closed the connection.
    if (data.endedWith) data.events.onEnded(...data.endedWith)
    else if (heartbeat > 0) timers.push(startHeartbeat(socket, heartbeat * 1000))
  },
  message(socket: BunSocket, message: string | Uint8Array): void {
    const { accepted, events } = socket.data
    // Not a Buffer, as on every other runtime.
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
    data.endedWith = [code, reason]
    data.events?.onEnded(code, reason)
  },
}

function sendMessage(socket: BunSocket, message: string | Uint8Array): Promise<void> | void {
  const sentBytes = socket.send(message)
  if (sentBytes === 0 && message.length > 0) throw new Error("the connection is closed")
  if (sentBytes >= 0) return
  const { data } = socket
  const before = data.onDrained
  return new Promise((resolve) => {
    data.onDrained = () => {
      before?.()
      resolve()
    }
  })
}

/** Pings a client, and closes its connection if it has not answered the ping before. */
function startHeartbeat(socket: BunSocket, interval: number): ReturnType<typeof setTimeout> {
  socket.data.isAlive = true
  return setInterval(() => {
    if (!socket.data.isAlive) return socket.terminate()
    socket.data.isAlive = false
    socket.ping()
  }, interval)
}
