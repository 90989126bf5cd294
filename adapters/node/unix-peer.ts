/** Finds out whether a client is connected through a Unix socket, and so has no IP address. */
import type { Server, Socket } from "node:net"
import { unixPeer } from "../../lib/request/address.ts"

/**
 * Servers that listen on Unix sockets and named pipes. They are remembered, because a server that stops forgets its
 * address.
 */
const localServers = new WeakSet<Server>()

/**
 * Returns `unix` for a connection to a server on a Unix socket or a named pipe, and `""` for any other connection. A
 * TCP connection has no address either after its client has gone, and it must not count as trusted. So the address of
 * the server decides.
 */
export function findUnixPeer(socket: Socket): string {
  // node:http sets `server` on each connection.
  const { server } = socket as { server?: Partial<Server> }
  if (!(server instanceof Object) || typeof server.address !== "function") return ""
  const netServer = server as Server
  if (netServer.listening) {
    const address = netServer.address()
    // The address is a path. It is null for a socket that another program has opened and passed on.
    if (typeof address === "string" || address === null) localServers.add(netServer)
  }
  return localServers.has(netServer) ? unixPeer : ""
}
