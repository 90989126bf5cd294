/** `testJobs()`: jobs in memory for tests, which run when the test says so. */
import type { JobClock } from "../../lib/jobs/engine.ts"
import { jobParts, machineClock, openJobs, resetJobs } from "../../lib/jobs/jobs.ts"
import { JobRunner } from "../../lib/jobs/runner.ts"
import { sqliteJobs } from "./sqlite.ts"

/**
 * A job that waits, in a test.
 *
 * @example const job: AddedJob = { name: "mail/welcome", payload: { email: "ada@shop.example" } }
 */
export interface AddedJob {
  readonly name: string
  /** As JSON has it: a date is a text. */
  readonly payload: unknown
}

/**
 * The jobs of a test.
 *
 * @example const runAll = async (jobs: TestJobs) => jobs.run()
 */
export interface TestJobs {
  /** Returns the jobs that wait, in the order in which they were added. */
  list(): Promise<readonly AddedJob[]>
  /** Runs the jobs that are due, and those that they add, until none is left. @throws the first error of a job. */
  run(): Promise<void>
  /** Lets time pass, so that jobs with a delay, and later attempts, are due. */
  advance(seconds: number): void
}

/**
 * Replaces the job engine with one in memory, which is empty. Call it before each test. It needs SQLite, as the embedded
 * engine does.
 *
 * @example
 * const queue = testJobs()
 * queue.advance(60)
 */
export function testJobs(): TestJobs {
  let passedMs = 0
  const clock: JobClock = { ...machineClock, now: () => machineClock.now() + passedMs }
  resetJobs(sqliteJobs({ file: ":memory:" }), clock)
  const { engine } = jobParts
  return {
    async list() {
      const records = await (await openJobs()).engine.list({ state: "waiting" }, 1000)
      return [...records]
        .reverse()
        .map(({ name, payload }) => ({ name, payload: payload === "" ? undefined : JSON.parse(payload) }))
    },
    async run() {
      const errors: unknown[] = []
      const jobs = await openJobs()
      if (jobs.engine !== engine) throw new TypeError("another test has called testJobs() since")
      const runner = new JobRunner({ ...jobs, slots: 1, log: () => {}, report: (error) => errors.push(error) })
      await runner.runDue()
      if (errors.length > 0) throw errors[0]
    },
    advance(seconds) {
      passedMs += seconds * 1000
    },
  }
}
