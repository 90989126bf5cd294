/** WebSockets of workers. The platform creates both ends of a connection. */
import type { AcceptedSocket } from "../../lib/answer/upgrade.ts"
import { connectSocket, type PlatformSocket } from "../web/socket.ts"
import { createUpgradeHandler, type UpgradeHandler } from "../web/upgrade-handler.ts"

/** Two ends of a connection, as workers create them. */
declare const WebSocketPair: new () => { 0: object; 1: PlatformSocket & { accept(): void } }

/**
 * Upgrades a request: one end goes to the client, the other stays here. Workers have no pings; the platform
 * reports clients that have disconnected.
 */
function openSocket(accepted: AcceptedSocket, headers: Headers): Response {
  const { 0: client, 1: server } = new WebSocketPair()
  if (accepted.protocol) headers.set("sec-websocket-protocol", accepted.protocol)
  server.accept()
  connectSocket(server, accepted)
  return new Response(null, { status: 101, headers, webSocket: client } as ResponseInit)
}

/** Handles upgrades; undefined on a runtime other than workers. */
export const workerUpgrades: UpgradeHandler | undefined =
  typeof WebSocketPair === "function" ? createUpgradeHandler(openSocket) : undefined
