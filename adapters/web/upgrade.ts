/** Upgrades to WebSocket where a runtime makes the connection of a Request. Called by the adapters of Bun and Deno, and by workers that have sockets. */

import { type AcceptedSocket, acceptedUpgrade } from "../../lib/answer/upgrade.ts"
import type { HttpError } from "../../lib/errors.ts"
import { isOfHandshake, refuseHandshake } from "../shared/handshake.ts"

/** What `web-handler.ts` asks about upgrades. */
export interface Upgrades {
  /** What is wrong with a handshake, or null. `header` takes lower-case names. */
  refuse(header: (name: string) => string): HttpError | null
  /** The runtime's answer, where the app has accepted an upgrade; undefined for any other answer. */
  answer(made: Response): { readonly response: Response } | undefined
}

/** @param connect makes a connection of an upgrade that the app has accepted; `headers` go with the 101. */
export function upgrading(connect: (accepted: AcceptedSocket, headers: Headers) => Response): Upgrades {
  return {
    refuse: refuseHandshake,
    answer(made) {
      const accepted = acceptedUpgrade(made)
      return accepted && { response: connect(accepted, ownHeaders(made.headers)) }
    },
  }
}

/** What the program and its middleware set, less what the handshake says itself and what describes a body. */
function ownHeaders(given: Headers): Headers {
  const headers = new Headers(given)
  for (const name of [...headers.keys()]) if (isOfHandshake(name)) headers.delete(name)
  return headers
}
