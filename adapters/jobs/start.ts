/** Runs the jobs of a program in its process. */
import { platform } from "#platform"
import type { App } from "../../lib/app.ts"
import { jobFault } from "../../lib/jobs/fault.ts"
import { addListeners, openJobs } from "../../lib/jobs/jobs.ts"
import { mountedJobs } from "../../lib/jobs/registry.ts"
import { JobRunner } from "../../lib/jobs/runner.ts"
import { writeMessage } from "../../lib/log/process-log.ts"
import { env } from "../disk/env.ts"

/** Jobs that a process runs at the same time by default. */
const defaultSlots = 10
/** Time for running jobs to end at a shutdown, in milliseconds. It is shorter than that for requests. */
const stopMs = 25_000

/**
 * The jobs of a process, as `run()` of `fw/start` takes them.
 *
 * @example const end = (jobs: StartedJobs) => jobs.stop(10_000)
 */
export interface StartedJobs {
  /** False for a process that only runs jobs. */
  readonly listens: boolean
  /** Claims no more jobs, because the program is about to end. Resolves when none runs. */
  stopClaiming(): Promise<void>
  /** Waits for jobs that run, for some milliseconds, and gives back the others. */
  stop(graceMs: number): Promise<void>
}

const noJobs = { stopClaiming: async () => {}, stop: async () => {} }

/** Returns the number of jobs to run at the same time; 0 for none. @throws FwError `job_variable`. */
function readSlots(text: string | undefined): number {
  if (!text || text === "only") return defaultSlots
  if (text === "off") return 0
  if (!/^[1-9]\d{0,2}$|^1000$/.test(text)) throw jobFault("job_variable", [text])
  return Number(text)
}

/**
 * Runs the jobs of a program that is mounted, and stops with its app: then it waits for those that run, and gives back what
 * does not end. `FW_JOBS` has the number of jobs to run at the same time, or `off`, or `only` for a process that does not
 * listen.
 *
 * @throws FwError `job_variable` for another value, `job_options` for options of a job file that are not valid,
 * `job_engine` for an engine that lacks what they need.
 * @example
 * await app.scan()
 * await app.mount()
 * await startJobs(app)
 */
export async function startJobs(app: App): Promise<StartedJobs> {
  const { FW_JOBS } = process.env
  const slots = readSlots(FW_JOBS)
  if (!mountedJobs.routes) return { listens: FW_JOBS !== "only", ...noJobs }
  const jobs = await openJobs()
  const { engine } = jobs
  if (slots === 0) {
    app.onShutdown(() => engine.close())
    return { listens: true, ...noJobs }
  }
  const runner = new JobRunner({
    ...jobs,
    slots,
    log: (level, text) => writeMessage(level, text, env),
    report(error, what) {
      writeMessage("warn", `${what} failed:`, env)
      platform.report(error)
    },
  })
  runner.start()
  addListeners.add(runner.wake)
  app.onShutdown(async () => {
    await runner.stop(stopMs)
    addListeners.delete(runner.wake)
    await engine.close()
  })
  return { listens: FW_JOBS !== "only", stopClaiming: () => runner.stopClaiming(), stop: (ms) => runner.stop(ms) }
}
