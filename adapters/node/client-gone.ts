/** Finds out that the client of a response has disconnected, even while the response waits for an earlier one. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/**
 * Functions to call when a connection closes. With this map, each connection needs one listener, however many responses
 * wait on it.
 */
const closeCallbacks = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls a function once if the connection closes before the response is sent. node:http reports that only to the
 * current response. A response that waits behind it (pipelining, RFC 9112 §9.3.2) has no socket yet, and would never
 * learn of it.
 */
export function onClientGone(incoming: IncomingMessage, outgoing: ServerResponse, callback: () => void): void {
  if (outgoing.socket) {
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) callback()
    })
    return
  }
  const callbacks = getCloseCallbacks(incoming.socket)
  callbacks.add(callback)
  outgoing.once("finish", () => callbacks.delete(callback))
}

function getCloseCallbacks(socket: Socket): Set<() => void> {
  const callbacks = closeCallbacks.get(socket)
  if (callbacks) return callbacks
  const newCallbacks = new Set<() => void>()
  closeCallbacks.set(socket, newCallbacks)
  socket.once("close", () => {
    for (const callback of newCallbacks) callback()
  })
  return newCallbacks
}

/** Returns true if a response cannot reach its client any more. */
export function isClientGone(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  return outgoing.destroyed || incoming.socket.destroyed
}
