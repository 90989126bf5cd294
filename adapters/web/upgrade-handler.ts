/** Upgrades to WebSocket on runtimes that open the connection of a Request. */

import { type AcceptedSocket, findAcceptedUpgrade } from "../../lib/answer/upgrade.ts"
import type { HttpError } from "../../lib/errors.ts"
import { isHandshakeHeader, refuseHandshake } from "../shared/handshake.ts"

/** The handling of upgrades. */
export interface UpgradeHandler {
  /** Returns the error of an invalid handshake, or null. `header` expects names in lower case. */
  refuse(header: (name: string) => string): HttpError | null
  /** Returns the runtime's response if the app has accepted an upgrade; undefined for any other response. */
  answer(made: Response): { readonly response: Response } | undefined
}

/**
 * Handles upgrades.
 *
 * @param connect opens a connection for an upgrade that the app has accepted; `headers` are sent with the
 * 101.
 */
export function createUpgradeHandler(
  connect: (accepted: AcceptedSocket, headers: Headers) => Response,
): UpgradeHandler {
  return {
    refuse: refuseHandshake,
    answer(made) {
      const accepted = findAcceptedUpgrade(made)
      return accepted && { response: connect(accepted, removeHandshakeHeaders(made.headers)) }
    },
  }
}

/**
 * Returns the headers that the program and its middleware set, without those of the handshake and of a body.
 */
function removeHandshakeHeaders(given: Headers): Headers {
  const headers = new Headers(given)
  for (const name of [...headers.keys()]) if (isHandshakeHeader(name)) headers.delete(name)
  return headers
}
