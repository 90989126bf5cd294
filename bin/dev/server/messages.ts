/** The messages between the parent of `fw dev` and its server processes, over IPC. */
import type { AssetManifest } from "../../../lib/assets.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import type { ErrorData } from "../../project/error-data.ts"
import type { Problem } from "../../project/problems.ts"
import type { SentAnswer } from "../../validators/answers/answers.ts"
import type { TraceReport } from "../requests/trace.ts"
import type { CallFacts } from "../types/facts-child.ts"
import type { InspectAddress } from "./inspector.ts"

/** The code of a program: paths of a bundle and of the patches for some of its modules. */
export interface ProgramFiles {
  /** A module in the project whose default export imports. */
  readonly importer: string
  readonly bundle: string
  readonly patches: readonly { readonly names: readonly string[]; readonly file: string }[]
}

/** The parts of a program other than its code. */
export interface ProgramParts {
  /**
   * The module that exports the App by default, such as `main.ts`, relative to the project; null creates a
   * new App.
   */
  readonly main: string | null
  readonly tree: RouteTree
  /** The files that pages load; undefined if there are none. */
  readonly assets?: AssetManifest | undefined
}

/** A message from the parent. It has a tag, because the application may use the channel too. */
export type Order =
  /**
   * Import the modules that will be needed, fw first: `importer` is a module in the project whose default
   * export imports.
   */
  | {
      readonly fw: "warm"
      readonly importer: string
      readonly packages: readonly string[]
    }
  /** Run the program and serve it on the socket. `addr` is the address that clients see. */
  | {
      readonly fw: "start"
      readonly files: ProgramFiles
      readonly parts: ProgramParts
      readonly socket: string
      readonly addr: string
    }
  /** Open the debugger, or close it, because another program gets it. */
  | { readonly fw: "inspect"; readonly at: InspectAddress | null }
  /** The answer to a question about validators. */
  | { readonly fw: "calls"; readonly id: number; readonly answer: CallAnswer }
  /** Report if the modules of the program are waiting for something. */
  | { readonly fw: "ask" }
  /** Run no more jobs: another program does. */
  | { readonly fw: "retire" }
  /** Finish the running requests and exit. */
  | { readonly fw: "stop"; readonly grace: number }

/** The validators of the calls of a file. */
export interface CallAnswer {
  /** Changes with every change of the files. */
  readonly version: number
  /** Null if the process has this version already. */
  readonly facts: CallFacts | null
}

/** A message from a server process. */
export type Report =
  /** The process is serving. `staticDir` is the setting of the app. */
  | { readonly fw: "ready"; readonly staticDir: string }
  /** The debugger of the process is closed. */
  | { readonly fw: "closed" }
  /** The modules of the program are waiting for something. */
  | { readonly fw: "waits" }
  /** The program could not start, or the process exits because of an uncaught error. */
  | { readonly fw: "failed"; readonly error: ErrorData }
  /** The process runs no jobs any more. */
  | { readonly fw: "retired" }
  /** A request found a bug. `request` is the parent's number for it, if it is known. */
  | { readonly fw: "bug"; readonly problem: Problem; readonly over: BugPages; readonly request?: number | undefined }
  /** A request needs the validators of a file. `known` is the version that the process has of them, -1 for none. */
  | { readonly fw: "calls"; readonly id: number; readonly file: string; readonly known: number }
  /** A route has answered. `request` is the parent's number for the request. */
  | { readonly fw: "answer"; readonly answer: SentAnswer; readonly request?: number | undefined }
  /** What the program does for a request. */
  | { readonly fw: "trace"; readonly trace: TraceReport }
  /** A request found something to warn of. */
  | { readonly fw: "warning"; readonly problem: Problem }

/**
 * The pages over which a bug is shown. `open`: a script of an open page made the request. `next`: the bug was found
 * after the answer, which may be a page that is still loading.
 */
export type BugPages = "none" | "open" | "next"

/** Returns true for a report, because messages may also come from the application. */
export function isReport(message: unknown): message is Report {
  return typeof message === "object" && message !== null && "fw" in message
}
