/** What the parent of `fw dev` and its server processes tell each other over IPC. Spoken by `dev-pool.ts` and `dev-child.ts`. */
import type { RouteTree } from "../../lib/tree.ts"
import type { ErrorData } from "../project/problems.ts"

/** The code of a program: a bundle, and what runs in place of some of its modules. Paths of files. */
export interface ProgramFiles {
  readonly bundle: string
  readonly patches: readonly { readonly names: readonly string[]; readonly file: string }[]
}

/** What a program consists of beside its code. */
export interface ProgramParts {
  /** The module that exports the App by default, such as `main.ts`, relative to the project; null makes a new one. */
  readonly main: string | null
  readonly tree: RouteTree
}

/** From the parent. Tagged, because the application may use the channel too. */
export type Order =
  /** Import what will be needed, fw first: `importer` is a module in the project whose default export imports. */
  | {
      readonly fw: "warm"
      readonly importer: string
      readonly packages: readonly string[]
      /** What the next program is likely made of; not to be run. */
      readonly bundle: string | undefined
      /** For a rehearsal. */
      readonly socket: string
    }
  /** Run the program and serve it on the socket. `addr` is the address that clients see. */
  | {
      readonly fw: "start"
      readonly files: ProgramFiles
      readonly parts: ProgramParts
      readonly socket: string
      readonly addr: string
    }
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
