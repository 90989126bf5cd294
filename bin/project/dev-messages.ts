/** What the parent of `fw dev` and its server processes tell each other over IPC. Spoken by `dev-pool.ts` and `dev-child.ts`. */
import type { ErrorData } from "./dev-problems.ts"

/** From the parent. Tagged, because the application may use the channel too. */
export type Order =
  /** Import what will be needed, fw first: `importer` is a module in the project whose default export imports. */
  | {
      readonly fw: "warm"
      readonly importer: string
      readonly packages: readonly string[]
      /** For a rehearsal. */
      readonly socket: string
    }
  /** Import the bundle and serve it on the socket. `addr` is the address that clients see. */
  | { readonly fw: "start"; readonly file: string; readonly socket: string; readonly addr: string }
  /** Finish the running requests and end. */
  | { readonly fw: "stop"; readonly grace: number }

/** From a server process. */
export type Report =
  /** It serves. `staticDir` is the app's. */
  | { readonly fw: "ready"; readonly staticDir: string }
  /** It could not start, or is about to end by an error that nobody caught. */
  | { readonly fw: "failed"; readonly error: ErrorData }

/** Reads a message that may be anybody's. */
export function isReport(message: unknown): message is Report {
  return typeof message === "object" && message !== null && "fw" in message
}
