/** Upgrades to WebSocket on runtimes that open the connection of a Request. */

import { type AcceptedSocket, acceptedUpgrade } from "../../lib/answer/upgrade.ts"
import type { HttpError } from "../../lib/errors.ts"
import { isOfHandshake, refuseHandshake } from "../shared/handshake.ts"

/** The handling of upgrades. */
export interface Upgrades {
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
export function upgrading(connect: (accepted: AcceptedSocket, headers: Headers) => Response): Upgrades {
  return {
    refuse: refuseHandshake,
    answer(made) {
      const accepted = acceptedUpgrade(made)
      return accepted && { response: connect(accepted, ownHeaders(made.headers)) }
    },
  }
}

/**
 * Returns the headers that the program and its middleware set, without those of the handshake and of a body.
 */
function ownHeaders(given: Headers): Headers {
  const headers = new Headers(given)
  for (const name of [...headers.keys()]) if (isOfHandshake(name)) headers.delete(name)
  return headers
}
