/** `import "fw/workers/sockets"`: `app.socket()`, and `Socket` of route files, in a worker. */
import { platform } from "#platform"
import { answerUpgrade } from "../../lib/socket.ts"
import { type AcceptedSocket, checkSocket, socketFinder, upgradeRequired } from "../../lib/upgrade.ts"
import { follow, type PlatformSocket } from "../web-socket.ts"
import { upgrading } from "../web-upgrade.ts"
import { takeUpgrades } from "../worker-answer.ts"

/** Two ends of one connection, as workers make them. */
declare const WebSocketPair: new () => { 0: object; 1: PlatformSocket & { accept(): void } }

/** One end goes to the client, the other stays here. Workers have no pings: who is gone is told by the platform. */
function upgrade(accepted: AcceptedSocket, headers: Headers): Response {
  const { 0: client, 1: server } = new WebSocketPair()
  if (accepted.protocol) headers.set("sec-websocket-protocol", accepted.protocol)
  server.accept()
  follow(server, accepted)
  return new Response(null, { status: 101, headers, webSocket: client } as ResponseInit)
}

platform.features.sockets ??= {
  finder: socketFinder,
  upgradeRequired,
  socketRoute(run, pattern) {
    checkSocket(run, pattern)
    return (c) => answerUpgrade(c, run)
  },
}
if (typeof WebSocketPair === "function") takeUpgrades(upgrading(upgrade))
