/** The status of `fw dev` for programs such as coding agents: problems, last errors and output. */
import { readVersion } from "../../cli/version.ts"
import type { Problem } from "../../project/problems.ts"
import type { Reporter } from "../problems/reporter.ts"
import type { DevJobs } from "./jobs.ts"
import type { LogLine, RecentError } from "./recent-events.ts"

/** The answer to a request for the status. */
export interface DevStatus {
  /** The project's directory, from which a client knows that this is the right `fw dev`. */
  readonly root: string
  /** The version of fw. */
  readonly fw: string
  /**
   * `running` if the current program answers requests. `failed` if requests get the problems, or answers of an
   * older program.
   */
  readonly state: "running" | "failed"
  /** The problems of building or starting. */
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  /** Errors that requests found since `fw dev` started, the newest first. */
  readonly errors: readonly RecentError[]
  /** Lines that the program printed, the newest first. */
  readonly log: readonly LogLine[]
  /** The jobs in the background; null for a program without jobs. */
  readonly jobs: DevJobs | null
}

/** The largest number of problems, and of warnings. */
const maxProblems = 50

export function toStatus(root: string, reporter: Reporter, jobs: DevJobs | null): DevStatus {
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
    jobs,
  }
}
