/** Creates job files without a disk, and processes that run them, for tests. */
import type { JobOptions } from "../../../lib/jobs/definition.ts"
import { readDefinitions } from "../../../lib/jobs/definition.ts"
import type { JobClock, JobEngine, NewJob } from "../../../lib/jobs/engine.ts"
import { createJobData } from "../../../lib/jobs/job-data.ts"
import { JobRunner } from "../../../lib/jobs/runner.ts"
import type { Routes } from "../../../lib/tree.ts"

/** A job file. */
export interface TestJob {
  readonly Job: (payload: never, job: never) => unknown
  readonly options?: JobOptions
  readonly $payload?: unknown
}

/** Returns routes with job files, by name. */
export function toJobRoutes(files: Readonly<Record<string, TestJob>>): Routes {
  const jobs = Object.keys(files).map((name) => ({ name, file: `app/${name}/job.ts` }))
  return {
    tree: { appDir: "app", routes: [], middleware: [], pages: [], layouts: [], jobs },
    modules: Object.fromEntries(Object.entries(files).map(([name, file]) => [`app/${name}/job.ts`, { ...file }])),
  }
}

/** Returns a job to add, which may run at once. @param payload JSON. */
export function createJob(
  name: string,
  { payload = "", scheduled, ...rest }: Partial<NewJob> & { payload?: string; scheduled?: number } = {},
): NewJob {
  return { name, data: createJobData(payload, scheduled), delay: 0, ...rest }
}

/** A process that runs jobs. */
export interface TestProcess {
  readonly runner: JobRunner
  readonly engine: JobEngine
  readonly lines: string[]
  readonly errors: unknown[]
}

/** The lease of claims in tests, in milliseconds. */
export const testLeaseMs = 3000

/** Starts a process with its own engine. */
export async function startProcess(
  files: Readonly<Record<string, TestJob>>,
  engine: JobEngine,
  clock: JobClock,
  slots = 10,
  leaseMs = testLeaseMs,
): Promise<TestProcess> {
  const definitions = await readDefinitions(toJobRoutes(files))
  await engine.open({ queues: [...definitions.values()], leaseMs, clock })
  const lines: string[] = []
  const errors: unknown[] = []
  const runner = new JobRunner({
    engine,
    definitions,
    maxJobs: slots,
    leaseMs,
    clock,
    log: (text) => lines.push(text),
    report: (error) => errors.push(error),
  })
  return { runner, engine, lines, errors }
}
