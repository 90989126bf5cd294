/** The jobs of the program under `fw dev`: numbers by name, and those that wait, run or have failed. */
import type { JobResult, JobSummary } from "../../../adapters/jobs/program.ts"
import type { JobRecord } from "../../../lib/jobs/engine.ts"
import { type Problem, toCrashProblem } from "../../project/problems.ts"

/** Runs a command of `fw jobs` in the program. Returns null if the program has no jobs, or cannot answer. */
export type RunJobCommand = (args: readonly string[]) => Promise<JobResult | null>

/** A job, with the place of its last error. */
export interface DevJob extends Omit<JobRecord, "error"> {
  readonly problem?: Problem | undefined
}

/** The jobs of a program. */
export interface DevJobs {
  readonly names: readonly JobSummary[]
  /** Failed jobs first, then running ones, then waiting ones: at most 50 of each. */
  readonly jobs: readonly DevJob[]
}

const states = ["failed", "running", "waiting"] as const

/**
 * Reads the jobs. Returns null if the program has no jobs, or cannot answer.
 *
 * @param mask masks the secrets in payloads and errors.
 */
export async function readDevJobs(
  root: string,
  run: RunJobCommand,
  mask: (text: string) => string,
): Promise<DevJobs | null> {
  const summary = await run(["list"])
  if (!summary) return null
  const lists = await Promise.all(states.map((state) => run(["list", `--state=${state}`])))
  const jobs = lists.flatMap((list) => list?.jobs ?? [])
  return { names: summary.names ?? [], jobs: jobs.map((job) => toDevJob(root, job, mask)) }
}

function toDevJob(root: string, { error, ...job }: JobRecord, mask: (text: string) => string): DevJob {
  const maskedJob = { ...job, payload: mask(job.payload) }
  if (error === undefined) return maskedJob
  const [message = ""] = error.split("\n")
  const problem = toCrashProblem(root, { message, stack: error })
  const { stack } = problem
  return { ...maskedJob, problem: { ...problem, message: mask(message), ...(stack && { stack: mask(stack) }) } }
}
