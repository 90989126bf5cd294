/** The address of the client, which the parent of `fw dev` sends the server process with each request. */
import type { IncomingMessage } from "node:http"

/** Header with the client's address. The parent removes headers with this name from outside. */
export const clientAddressHeader = "x-fw-client"

/**
 * Sets the client's address on the connection and removes the parent's header, so that the program sees the request
 * as if there were no parent.
 */
export function adoptClient(incoming: IncomingMessage): void {
  const { rawHeaders, headers, socket } = incoming
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2) {
    if (rawHeaders[i] !== clientAddressHeader) continue
    // The parent opens one connection per request, so the connection has the address.
    Object.defineProperty(socket, "remoteAddress", { value: rawHeaders[i + 1], configurable: true })
    rawHeaders.splice(i, 2)
  }
  delete headers[clientAddressHeader]
}
