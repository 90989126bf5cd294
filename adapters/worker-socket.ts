/** WebSockets of workers: the platform makes both ends of a connection. */
import type { AcceptedSocket } from "../lib/answer/upgrade.ts"
import { follow, type PlatformSocket } from "./web/socket.ts"
import { type Upgrades, upgrading } from "./web/upgrade.ts"

/** Two ends of one connection, as workers make them. */
declare const WebSocketPair: new () => { 0: object; 1: PlatformSocket & { accept(): void } }

/** One end goes to the client, the other stays here. Workers have no pings: the platform reports clients that are gone. */
function upgrade(accepted: AcceptedSocket, headers: Headers): Response {
  const { 0: client, 1: server } = new WebSocketPair()
  if (accepted.protocol) headers.set("sec-websocket-protocol", accepted.protocol)
  server.accept()
  follow(server, accepted)
  return new Response(null, { status: 101, headers, webSocket: client } as ResponseInit)
}

/** Takes upgrades; undefined on a runtime that is not a worker's. */
export const workerUpgrades: Upgrades | undefined =
  typeof WebSocketPair === "function" ? upgrading(upgrade) : undefined
