/** Jobs that survive a crash of the process, exported as `fw/jobs`. Only programs with job files load it. */
import { jobSettings } from "../lib/jobs/jobs.ts"
import { createFileEngine, defaultFile } from "./jobs/sqlite.ts"

export type { JobContext, JobOptions } from "../lib/jobs/definition.ts"
export type { JobEngine } from "../lib/jobs/engine.ts"
export { createJobs, type Jobs, type PayloadOf, setJobEngine } from "../lib/jobs/jobs.ts"
export type { AddOptions } from "../lib/jobs/new-job.ts"
export { type BullmqJobsOptions, bullmqJobs } from "./jobs/bullmq.ts"
export { type PgbossJobsOptions, pgbossJobs } from "./jobs/pgboss.ts"
export { beginJobs } from "./jobs/program.ts"
export { type JobWorker, serveJobs } from "./jobs/queues.ts"
export { type SqliteJobsOptions, sqliteJobs } from "./jobs/sqlite.ts"
export { type StartedJobs, startJobs } from "./jobs/start.ts"
export { type AddedJob, type TestJobs, testJobs } from "./jobs/test-jobs.ts"

// Tests must not add jobs to the file of the program. NODE_TEST_CONTEXT is set by Node's test runner.
jobSettings.engine ??= createFileEngine(
  process.env.NODE_TEST_CONTEXT ? ":memory:" : defaultFile,
  "the default engine of jobs and mails (setJobEngine() chooses another)",
)
