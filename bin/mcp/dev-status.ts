/** The tool `fw_dev_status`: shows the problems, last errors and output of the running `fw dev`. */
import { formatJobs } from "../../adapters/jobs/program.ts"
import type { OptionsOf } from "../cli/spec.ts"
import { type Io, makeStyle } from "../cli/terminal.ts"
import { findDev } from "../dev/tools/dev-client.ts"
import type { DevJob } from "../dev/tools/jobs.ts"
import type { DevStatus } from "../dev/tools/status.ts"
import { formatProblem, type Problem } from "../project/problems.ts"
import type * as specs from "../specs/mcp.ts"

/** A part of the status. */
export interface DevStatusData extends Omit<DevStatus, "root" | "fw"> {
  /** The URL of the application. */
  readonly url: string
  readonly offset: number
  /** The number of stored errors and lines. */
  readonly errorsTotal: number
  readonly logTotal: number
}

/** The largest number of problems, and of warnings. */
const maxProblems = 10

/**
 * Asks the running `fw dev`.
 *
 * @throws FwError `no_dev_server`.
 */
export async function run(
  { limit, offset }: OptionsOf<typeof specs.devStatus>,
  { cwd, signal }: Pick<Io, "cwd" | "signal">,
): Promise<DevStatusData> {
  const { address, status } = await findDev(cwd, signal)
  const { state, problems, warnings, errors, log, jobs } = status
  const takePart = <T>(list: readonly T[], most: number) => list.slice(offset, offset + Math.min(limit, most))
  return {
    url: `${address}/`,
    state,
    problems: problems.slice(0, maxProblems),
    warnings: warnings.slice(0, maxProblems),
    errors: takePart(errors, maxProblems),
    errorsTotal: errors.length,
    log: takePart(log, 50),
    logTotal: log.length,
    jobs: jobs && { names: jobs.names, jobs: takePart(jobs.jobs, maxProblems) },
    offset,
  }
}

const plainStyle = makeStyle(false)

/** Returns the status as text. */
export function print({ url, state, problems, warnings, errors, log, jobs, ...rest }: DevStatusData): string {
  const { errorsTotal, logTotal, offset } = rest
  const formatProblems = (kind: "error" | "warning", found: readonly Problem[]) =>
    found.map((problem) => formatProblem(problem, plainStyle, kind))
  const next = Math.min(errorsTotal - errors.length, logTotal - log.length) > offset
  return [
    `${state === "running" ? "The application runs" : "The last change does not work"}: ${url}`,
    ...formatProblems("error", problems),
    ...formatProblems("warning", warnings),
    `Errors of requests, the newest first: ${errors.length} of ${errorsTotal}`,
    ...errors.map(
      ({ time, isOld, ...problem }) =>
        `${time}${isOld ? " (of an earlier program)" : ""} ${formatProblem(problem, plainStyle)}`,
    ),
    `Output, the newest line first: ${log.length} of ${logTotal}`,
    ...log.map(({ text }) => text),
    ...(jobs ? ["Jobs", formatJobs({ names: jobs.names }).trimEnd()] : []),
    ...(jobs?.jobs.map(formatJob) ?? []),
    ...(next ? [`For older ones, pass --offset ${offset + Math.max(errors.length, log.length)}.`] : []),
  ].join("\n")
}

function formatJob({ id, name, state, attempt, payload, problem }: DevJob): string {
  const reason = problem ? `\n${formatProblem(problem, plainStyle)}` : ""
  return `${name} #${id}: ${state}, attempt ${attempt}, ${payload}${reason}`
}
