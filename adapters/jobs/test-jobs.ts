/** `testJobs()`: jobs in memory for tests. They run when the test says so. */
import { machineClock } from "../../lib/jobs/clock.ts"
import type { JobClock } from "../../lib/jobs/engine.ts"
import { openJobs, resetJobs } from "../../lib/jobs/jobs.ts"
import { JobRunner } from "../../lib/jobs/runner.ts"
import { createFileEngine } from "./sqlite.ts"

/**
 * A job that waits to run, in a test.
 *
 * @example const job: AddedJob = { name: "mail/welcome", payload: { email: "ada@shop.example" } }
 */
export interface AddedJob {
  readonly name: string
  /** The payload after conversion to JSON. A date, for example, is a text. */
  readonly payload: unknown
}

/**
 * The jobs of a test.
 *
 * @example const runAll = async (jobs: TestJobs) => jobs.run()
 */
export interface TestJobs {
  /** Returns the waiting jobs, in the order in which they were added. */
  list(): Promise<readonly AddedJob[]>
  /**
   * Runs all jobs whose time has come, and the jobs that they add, until none is left. @throws the first error of a
   * job.
   */
  run(): Promise<void>
  /** Moves the clock forward, so that delayed jobs and further attempts can run. */
  advance(seconds: number): void
}

/**
 * Replaces the job engine with an empty one in memory. Call it before each test. It needs SQLite, as the embedded
 * engine does.
 *
 * @example
 * const queue = testJobs()
 * queue.advance(60)
 */
export function testJobs(): TestJobs {
  let passedMs = 0
  const clock: JobClock = { ...machineClock, now: () => machineClock.now() + passedMs }
  const engine = createFileEngine(":memory:", "testJobs()")
  resetJobs(engine, clock)
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
      const runner = new JobRunner({ ...jobs, maxJobs: 1, log: () => {}, report: (error) => errors.push(error) })
      await runner.runDue()
      if (errors.length > 0) throw errors[0]
    },
    advance(seconds) {
      passedMs += seconds * 1000
    },
  }
}
