/** Serving behind the parent of `fw dev`: where to listen, and who the client is. `node.ts` asks; `bin/dev/child.ts` sets it. */
import type { IncomingMessage } from "node:http"
import type { App } from "../../lib/app.ts"

/** The place of one app behind a parent that owns the port. */
export interface Behind {
  readonly app: App
  /** The Unix socket, or named pipe, through which the parent passes requests; nobody else can reach it. */
  readonly socket: string
  /** The address that clients see: the parent's, `host:port`. */
  readonly addr: string
}

/** The header in which the parent says who the client is. It lets none of this name through from outside. */
export const clientHeader = "x-fw-client"

/** Known to every copy of fw in the process: the command's own need not be the project's. */
const key = Symbol.for("fw.behind")

interface Holder {
  [key]?: Behind
}

/** From now on `listen()` of this app, and of no other, listens on the parent's socket. */
export function putBehind(behind: Behind): void {
  const holder = globalThis as typeof globalThis & Holder
  holder[key] = behind
}

/** The app's place behind a parent, if it has one. */
export function behindOf(app: App): Behind | undefined {
  const holder = globalThis as typeof globalThis & Holder
  const behind = holder[key]
  return behind?.app === app ? behind : undefined
}

/** Gives the connection its client's address and takes the parent's header away, so that the program sees what it would without a parent. */
export function adoptClient(incoming: IncomingMessage): void {
  const { rawHeaders, headers, socket } = incoming
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2) {
    if (rawHeaders[i] !== clientHeader) continue
    // The parent makes one connection a request, so the address is the connection's own.
    Object.defineProperty(socket, "remoteAddress", { value: rawHeaders[i + 1], configurable: true })
    rawHeaders.splice(i, 2)
  }
  delete headers[clientHeader]
}
