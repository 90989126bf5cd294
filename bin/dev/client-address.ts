/** Passes the address of the client from the parent process of `fw dev` to the server process. */
import type { IncomingMessage } from "node:http"

/** The header with the client's address. The parent removes a header of this name that a client has sent. */
export const clientAddressHeader = "x-fw-client"

/**
 * Removes a header that only the parent sends, so that the program does not see it. Returns its value; undefined if
 * it is missing.
 */
export function takeOwnHeader({ rawHeaders, headers }: IncomingMessage, name: string): string | undefined {
  let value: string | undefined
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2) {
    if (rawHeaders[i] !== name) continue
    value = rawHeaders[i + 1]
    rawHeaders.splice(i, 2)
  }
  delete headers[name]
  return value
}

/**
 * Sets the client's address on the connection. The program sees the request as if the client were connected
 * directly.
 */
export function setClientAddress(incoming: IncomingMessage): void {
  const value = takeOwnHeader(incoming, clientAddressHeader)
  // The parent opens a connection for each request, so the address belongs to the connection.
  if (value !== undefined) Object.defineProperty(incoming.socket, "remoteAddress", { value, configurable: true })
}
