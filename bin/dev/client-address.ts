/** The address of the client, which the parent of `fw dev` sends the server process with each request. */
import type { IncomingMessage } from "node:http"

/** Header with the client's address. The parent removes headers with this name from outside. */
export const clientAddressHeader = "x-fw-client"

/** Removes a header that only the parent sends, so that the program does not see it. Returns its value; undefined if it is missing. */
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

/** Sets the client's address on the connection, so that the program sees the request as if there were no parent. */
export function adoptClient(incoming: IncomingMessage): void {
  const value = takeOwnHeader(incoming, clientAddressHeader)
  // The parent opens one connection per request, so the connection has the address.
  if (value !== undefined) Object.defineProperty(incoming.socket, "remoteAddress", { value, configurable: true })
}
