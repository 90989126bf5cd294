/** Runs the jobs of a program in its own process. */
import { platform } from "#platform"
import type { App } from "../../lib/app.ts"
import { startCheck } from "../../lib/jobs/definition.ts"
import { jobFault } from "../../lib/jobs/fault.ts"
import { newJobListeners, openJobs } from "../../lib/jobs/jobs.ts"
import { mountedJobs } from "../../lib/jobs/registry.ts"
import { JobRunner } from "../../lib/jobs/runner.ts"
import { formatBug } from "../../lib/log/error-report.ts"
import { writeMessage } from "../../lib/log/process-log.ts"
import { env } from "../disk/env.ts"

/** Default number of jobs that a process runs at the same time. */
const defaultSlots = 10
/** Milliseconds that running jobs have to end at a shutdown. It is less than the time for requests. */
const stopMs = 25_000

/**
 * The running jobs of a process. `run()` of `fw/start` takes this.
 *
 * @example const end = (jobs: StartedJobs) => jobs.stop(10_000)
 */
export interface StartedJobs {
  /** False for a process that runs jobs and answers no requests. */
  readonly listens: boolean
  /** Claims no further jobs, because the program is about to end. Resolves when no job is running. */
  stopClaiming(): Promise<void>
  /** Waits for running jobs for some milliseconds, and then puts the remaining ones back into the queue. */
  stop(graceMs: number): Promise<void>
}

/** Reads `FW_JOBS`: the number of jobs to run at the same time, 0 for none. @throws FwError `job_variable`. */
function readVariable(text = ""): { readonly slots: number; readonly listens: boolean } {
  if (text === "off") return { slots: 0, listens: true }
  const found = /^(?:(only)|(only,)?([1-9]\d{0,2}|1000))?$/.exec(text)
  if (!found) throw jobFault("job_variable", [text])
  const [, only, onlyWith, count] = found
  return { slots: Number(count ?? defaultSlots), listens: !only && !onlyWith }
}

/**
 * Runs the jobs of a mounted program, until its app is shut down. It then waits for running jobs, and puts those that
 * do not end back into the queue. The variable `FW_JOBS` is the number of jobs that run at the same time, or `off`, or
 * `only` or `only,8` for a process that answers no requests.
 *
 * @param prepare called when the settings of the jobs have been checked, and awaited before a job runs. `listens` is false
 * if the process answers no requests.
 * @throws FwError `job_variable` for another value, `job_options` for options of a job file that are not valid, and
 * `job_engine` if the engine does not have a feature that the jobs need.
 * @example
 * await app.scan()
 * await app.mount()
 * await startJobs(app)
 */
export async function startJobs(app: App, prepare?: (listens: boolean) => Promise<void>): Promise<StartedJobs> {
  const { slots, listens } = readVariable(process.env.FW_JOBS)
  const jobs = mountedJobs.routes && (await openJobs())
  for (const { run } of jobs?.definitions.values() ?? []) run[startCheck]?.()
  await prepare?.(listens)
  if (!jobs) return { listens, stopClaiming: async () => {}, stop: async () => {} }
  const runner = new JobRunner({
    ...jobs,
    maxJobs: slots,
    log: (text) => writeMessage("warn", text, env),
    report(error, subject) {
      const [reason] = formatBug(error).split("\n", 1)
      writeMessage("warn", `${subject}: ${reason}`, env)
      platform.report(error)
    },
  })
  if (slots > 0) runner.start()
  newJobListeners.add(runner.wake)
  app.onShutdown(async () => {
    await runner.stop(stopMs)
    newJobListeners.delete(runner.wake)
    await jobs.engine.close()
  })
  return { listens, stopClaiming: () => runner.stopClaiming(), stop: (ms) => runner.stop(ms) }
}
