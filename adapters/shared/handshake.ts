/** Checks requests for WebSockets (RFC 6455 §4.2.1), for runtimes that do not check them. */
import { HttpError } from "../../lib/errors.ts"
import { isToken, listElements } from "../../lib/request/header-grammar.ts"

/**
 * Returns true for a response header that belongs to the handshake, or that describes a body. A handshake has no body.
 */
export function isHandshakeHeader(name: string): boolean {
  return /^(?:connection|upgrade|sec-websocket-.*|content-.*|transfer-encoding|keep-alive)$/.test(name)
}

/**
 * Returns the error for an invalid handshake; null if it is valid. `header` takes names in lower case, and returns `""`
 * for a missing header.
 */
export function refuseHandshake(header: (name: string) => string): HttpError | null {
  if (header("sec-websocket-version") !== "13") {
    // The response must state the supported version (§4.4).
    const headers = { Upgrade: "websocket", "Sec-WebSocket-Version": "13" }
    return new HttpError(426, "this server supports only version 13 of WebSocket", {
      code: "upgrade_required",
      headers,
    })
  }
  const key = header("sec-websocket-key")
  if (!/^[+/0-9A-Za-z]{22}==$/.test(key)) return new HttpError(400, "the request has no valid Sec-WebSocket-Key")
  const protocolHeader = header("sec-websocket-protocol")
  const names = listElements(protocolHeader)
  if (protocolHeader !== "" && (names.length === 0 || !names.every(isToken) || new Set(names).size < names.length))
    return new HttpError(400, "the Sec-WebSocket-Protocol of the request is not a list of subprotocols")
  return null
}
