/** The peer of a connection without an IP address. */
import type { Server, Socket } from "node:net"
import { unixPeer } from "../../lib/request/address.ts"

/** Servers on Unix sockets and named pipes. A server that stops no longer knows where it listened. */
const localServers = new WeakSet<Server>()

/**
 * Returns `unix` for a connection of a server that listens on a Unix socket or a named pipe; `""` for any other. A TCP
 * connection has no address either once its client is gone, and it must not count as a trusted peer. So the server
 * decides, and not the address.
 */
export function findUnixPeer(socket: Socket): string {
  // node:http sets it on each connection.
  const { server } = socket as { server?: Partial<Server> }
  if (!(server instanceof Object) || typeof server.address !== "function") return ""
  const known = server as Server
  if (known.listening) {
    const address = known.address()
    // A path, or nothing for a socket that another program opened and handed over.
    if (typeof address === "string" || address === null) localServers.add(known)
  }
  return localServers.has(known) ? unixPeer : ""
}
