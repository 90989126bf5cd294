/** Connects an app to the parent of `fw dev`: where to listen, and the address of the client. `bin/dev/child.ts` sets it. */
import type { IncomingMessage } from "node:http"
import type { App } from "../../lib/app.ts"

/** The connection of an app to a parent process that owns the port. */
export interface Behind {
  readonly app: App
  /**
   * Path of the Unix socket or named pipe through which the parent passes requests. Only the parent can use
   * it.
   */
  readonly socket: string
  /** Address that clients see: the parent's, `host:port`. */
  readonly addr: string
}

/** Header with the client's address. The parent removes headers with this name from outside. */
export const clientHeader = "x-fw-client"

/** Shared by every copy of fw in the process, because the command's copy may differ from the project's. */
const key = Symbol.for("fw.behind")

interface Holder {
  [key]?: Behind
}

/** Makes `listen()` of this app, and of no other, listen on the parent's socket. */
export function putBehind(behind: Behind): void {
  const holder = globalThis as typeof globalThis & Holder
  holder[key] = behind
}

/** Returns an app's connection to its parent, if it has one. */
export function behindOf(app: App): Behind | undefined {
  const holder = globalThis as typeof globalThis & Holder
  const behind = holder[key]
  return behind?.app === app ? behind : undefined
}

/**
 * Sets the client's address on the connection and removes the parent's header, so that the program sees the
 * request as without a parent.
 */
export function adoptClient(incoming: IncomingMessage): void {
  const { rawHeaders, headers, socket } = incoming
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2) {
    if (rawHeaders[i] !== clientHeader) continue
    // The parent opens one connection per request, so the connection has the address.
    Object.defineProperty(socket, "remoteAddress", { value: rawHeaders[i + 1], configurable: true })
    rawHeaders.splice(i, 2)
  }
  delete headers[clientHeader]
}
