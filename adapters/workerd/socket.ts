/** WebSockets on workers, where the program creates both ends of a connection. */
import type { AcceptedSocket } from "../../lib/answer/upgrade.ts"
import { connectSocket, type PlatformSocket } from "../web/socket.ts"
import { createUpgradeHandler, type UpgradeHandler } from "../web/upgrade-handler.ts"

/** The two ends of a connection. */
declare const WebSocketPair: new () => { 0: object; 1: PlatformSocket & { accept(): void } }

/**
 * Upgrades a request. One end goes to the client, and the other is used here. Workers cannot send pings; the platform
 * reports clients that have disconnected.
 */
function openSocket(accepted: AcceptedSocket, headers: Headers): Response {
  const { 0: client, 1: server } = new WebSocketPair()
  if (accepted.protocol) headers.set("sec-websocket-protocol", accepted.protocol)
  server.accept()
  connectSocket(server, accepted)
  return new Response(null, { status: 101, headers, webSocket: client } as ResponseInit)
}

/** Handles upgrades on workers. Undefined on other runtimes. */
export const workerUpgrades: UpgradeHandler | undefined =
  typeof WebSocketPair === "function" ? createUpgradeHandler(openSocket) : undefined
