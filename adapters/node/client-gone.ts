/** Detects that the client of a response has disconnected, also while the response waits for its turn. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/**
 * Callbacks for the end of a connection. Each connection has one listener, however many responses wait on it.
 */
const closeCallbacks = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls back once if the connection closes before the response is sent. node:http reports that only to the
 * current response; one that waits behind it (pipelining, RFC 9112 §9.3.2) has no socket yet and would never
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
  const known = closeCallbacks.get(socket)
  if (known) return known
  const newCallbacks = new Set<() => void>()
  closeCallbacks.set(socket, newCallbacks)
  socket.once("close", () => {
    for (const callback of newCallbacks) callback()
  })
  return newCallbacks
}

/** Returns true if a response can no longer reach its client. */
export function isClientGone(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  return outgoing.destroyed || incoming.socket.destroyed
}
