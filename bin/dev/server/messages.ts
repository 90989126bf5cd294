/** The messages between the parent process of `fw dev` and its server processes. */
import type { JobResult } from "../../../adapters/jobs/program.ts"
import type { AssetManifest } from "../../../lib/assets.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import type { ErrorData } from "../../project/error-data.ts"
import type { Problem } from "../../project/problems.ts"
import type { SentAnswer } from "../../validators/answers/answers.ts"
import type { TraceReport } from "../requests/trace.ts"
import type { CallFacts } from "../types/facts-child.ts"
import type { InspectAddress } from "./inspector.ts"

/** The code of a program: the paths of a bundle and of the patches for some of its modules. */
export interface ProgramFiles {
  /** A module in the project that exports a function for `import()`. */
  readonly importer: string
  readonly bundle: string
  readonly patches: readonly { readonly names: readonly string[]; readonly file: string }[]
}

/** The parts of a program besides its code. */
export interface ProgramParts {
  /**
   * The module that exports the App as its default, such as `main.ts`, relative to the project. Null to create a
   * new App.
   */
  readonly main: string | null
  readonly tree: RouteTree
  /** The browser files; undefined if there are none. */
  readonly assets?: AssetManifest | undefined
}

/**
 * A message from the parent. The property `fw` distinguishes it from messages of the application, which may use the
 * same channel.
 */
export type Order =
  /** Import packages in advance. `importer` is a module in the project that exports a function for `import()`. */
  | {
      readonly fw: "warm"
      readonly importer: string
      readonly packages: readonly string[]
    }
  /** Run a program and serve it on the socket. `addr` is the address that clients see. */
  | {
      readonly fw: "start"
      readonly files: ProgramFiles
      readonly parts: ProgramParts
      readonly socket: string
      readonly addr: string
    }
  /** Open the debugger at an address. Null closes it, because another program gets it. */
  | { readonly fw: "inspect"; readonly at: InspectAddress | null }
  /** The answer to a question about validators. */
  | { readonly fw: "calls"; readonly id: number; readonly answer: CallAnswer }
  /** Stop running jobs, because another program runs them. */
  | { readonly fw: "retire" }
  /** Run a command of `fw jobs`. */
  | { readonly fw: "jobs"; readonly id: number; readonly args: readonly string[] }
  /** Finish running requests and exit. */
  | { readonly fw: "stop"; readonly grace: number }

/** The validators for the calls in a file. */
export interface CallAnswer {
  /** Increases with every change of a file. */
  readonly version: number
  /** Null if the process has this version already. */
  readonly facts: CallFacts | null
}

/** A message from a server process. */
export type Report =
  /** The program answers requests. `staticDir` is the app's setting. */
  | { readonly fw: "ready"; readonly staticDir: string }
  /** The debugger of the process was closed. */
  | { readonly fw: "closed" }
  /** The program could not start, or the process ends because of an uncaught error. */
  | { readonly fw: "failed"; readonly error: ErrorData }
  /** The process no longer runs jobs. */
  | { readonly fw: "retired" }
  /** The result of a command of `fw jobs`; null if it failed, and without jobs. */
  | { readonly fw: "jobs"; readonly id: number; readonly result: JobResult | null }
  /** A request found a bug. `request` is the parent's number for the request, if it is known. */
  | { readonly fw: "bug"; readonly problem: Problem; readonly pages: BugPages; readonly request?: number | undefined }
  /** A request needs the validators for a file. `known` is the version that the process has, -1 for none. */
  | { readonly fw: "calls"; readonly id: number; readonly file: string; readonly known: number }
  /** A route has answered. `request` is the parent's number for the request. */
  | { readonly fw: "answer"; readonly answer: SentAnswer; readonly request?: number | undefined }
  /** An operation of a request. */
  | { readonly fw: "trace"; readonly trace: TraceReport }
  /** A request caused a warning. */
  | { readonly fw: "warning"; readonly problem: Problem }

/**
 * The pages that show a bug. `open`: a script of an open page made the request. `next`: the bug was found after the
 * answer, which may be a page that is still loading.
 */
export type BugPages = "none" | "open" | "next"

/** Returns true if a message is a report and not a message of the application. */
export function isReport(message: unknown): message is Report {
  return typeof message === "object" && message !== null && "fw" in message
}
