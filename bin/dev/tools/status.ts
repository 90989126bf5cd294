/** The status of `fw dev` for programs, such as coding agents: its state, problems, last errors and output. */
import { readVersion } from "../../cli/version.ts"
import type { Problem } from "../../project/problems.ts"
import type { Reporter } from "../problems/reporter.ts"
import type { LogLine, RecentError } from "./recent-events.ts"

/** The answer to a request for the status. */
export interface DevStatus {
  /** The project's directory. From it, a client knows that it has found the right project. */
  readonly root: string
  readonly fw: string
  /**
   * `running` if requests get the answers of the current program; `failed` if they get the problems, or the answers
   * of an older program.
   */
  readonly state: "running" | "failed"
  /** Problems of the build or of the start. */
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  /** Errors that requests found since the last start of `fw dev`, the newest first. */
  readonly errors: readonly RecentError[]
  /** Lines that the program printed, the newest first. */
  readonly log: readonly LogLine[]
}

/** Most problems, and most warnings. */
const maxProblems = 50

/** Returns the status. */
export function toStatus(root: string, reporter: Reporter): DevStatus {
  const { warnings, recent } = reporter
  const problems = [...reporter.problems, ...reporter.browserProblems]
  return {
    root,
    fw: readVersion(),
    state: problems.length > 0 ? "failed" : "running",
    problems: problems.slice(0, maxProblems),
    warnings: warnings.slice(0, maxProblems),
    errors: recent.errors.toReversed(),
    log: recent.lines.toReversed(),
  }
}
