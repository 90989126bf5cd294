/** Hearing that the client of an answer is gone, also while the answer waits its turn. Called by `node-exchange.ts` and `node-send.ts`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** Who wants to know of a connection's end. One listener a connection, however many answers wait on it. */
const waiting = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls back once if the connection closes before the answer is out. node:http tells that to the answer in turn alone;
 * one that waits behind it (pipelining, RFC 9112 §9.3.2) has no socket yet and would never hear of it.
 */
export function onGone(incoming: IncomingMessage, outgoing: ServerResponse, callback: () => void): void {
  if (outgoing.socket) {
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) callback()
    })
    return
  }
  const callbacks = waiters(incoming.socket)
  callbacks.add(callback)
  outgoing.once("finish", () => callbacks.delete(callback))
}

function waiters(socket: Socket): Set<() => void> {
  const known = waiting.get(socket)
  if (known) return known
  const made = new Set<() => void>()
  waiting.set(socket, made)
  socket.once("close", () => {
    for (const callback of made) callback()
  })
  return made
}

/** Whether an answer can reach nobody any more. */
export function isGone(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  return outgoing.destroyed || incoming.socket.destroyed
}
