/** Accepts upgrades to WebSockets on runtimes that open the connection of a Request. */

import { type AcceptedSocket, findAcceptedUpgrade } from "../../lib/answer/upgrade.ts"
import type { HttpError } from "../../lib/errors.ts"
import { isHandshakeHeader, refuseHandshake } from "../shared/handshake.ts"

/** Checks and answers upgrades. */
export interface UpgradeHandler {
  /** Returns the error for an invalid handshake; null if it is valid. `header` takes names in lower case. */
  refuse(header: (name: string) => string): HttpError | null
  /** Returns the runtime's response if the app has accepted an upgrade; undefined for any other response. */
  answer(response: Response): { readonly response: Response } | undefined
}

/**
 * Creates the object that handles upgrades.
 *
 * @param connect opens the connection for an upgrade that the app has accepted. `headers` are sent with the 101.
 */
export function createUpgradeHandler(
  connect: (accepted: AcceptedSocket, headers: Headers) => Response,
): UpgradeHandler {
  return {
    refuse: refuseHandshake,
    answer(response) {
      const accepted = findAcceptedUpgrade(response)
      return accepted && { response: connect(accepted, removeHandshakeHeaders(response.headers)) }
    },
  }
}

/**
 * Returns the headers that the program and its middleware have set, without headers of the handshake and headers about
 * a body.
 */
function removeHandshakeHeaders(appHeaders: Headers): Headers {
  const headers = new Headers(appHeaders)
  for (const name of [...headers.keys()]) if (isHandshakeHeader(name)) headers.delete(name)
  return headers
}
