/** What is wrong with a request for a WebSocket (RFC 6455 §4.2.1): one rule for every adapter whose runtime does not look itself. */
import { HttpError } from "../../lib/errors.ts"
import { isToken } from "../../lib/request/headers.ts"

/** Whether a header of the answer is the handshake's own, or describes a body, of which it has none. */
export function isOfHandshake(name: string): boolean {
  return /^(?:connection|upgrade|sec-websocket-.*|content-.*|transfer-encoding|keep-alive)$/.test(name)
}

/** The error to answer with, or null. `header` takes lower-case names and gives `""` for what is absent. */
export function refuseHandshake(header: (name: string) => string): HttpError | null {
  if (header("sec-websocket-version") !== "13") {
    // §4.4: the answer names the version that is spoken.
    const headers = { Upgrade: "websocket", "Sec-WebSocket-Version": "13" }
    return new HttpError(426, "this server speaks version 13 of WebSocket", {
      code: "upgrade_required",
      headers,
    })
  }
  if (!/^[+/0-9A-Za-z]{22}==$/.test(header("sec-websocket-key")))
    return new HttpError(400, "the request has no valid Sec-WebSocket-Key")
  const offered = header("sec-websocket-protocol")
  const names = offered.split(",").map((name) => name.trim())
  if (offered !== "" && (!names.every(isToken) || new Set(names).size < names.length))
    return new HttpError(400, "the request has a Sec-WebSocket-Protocol that is no list of subprotocols")
  return null
}
