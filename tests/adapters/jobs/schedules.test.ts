/**
 * Tests of the schedules of jobs: their times, that several processes add a job only once, and what happens with
 * missed times.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { sqliteJobs } from "../../../adapters/jobs/sqlite.ts"
import { readCron } from "../../../lib/jobs/cron.ts"
import { type JobOptions, readDefinitions } from "../../../lib/jobs/definition.ts"
import type { JobEngine } from "../../../lib/jobs/engine.ts"
import { runSchedules } from "../../../lib/jobs/schedules.ts"
import { TestClock } from "../../support/jobs/test-clock.ts"
import { toJobRoutes } from "../../support/jobs/workshop.ts"

const directory = mkdtempSync(join(tmpdir(), "fw-jobs-"))
test.after(() => rmSync(directory, { recursive: true, force: true }))

const hour = 3_600_000

/** Runs the schedules in several processes, and returns the times for which jobs were added. */
async function run(
  name: string,
  options: JobOptions,
  start: string,
  pass: (clock: TestClock) => Promise<void>,
  count = 1,
) {
  const clock = new TestClock(Date.parse(start))
  const definitions = await readDefinitions(toJobRoutes({ nightly: { Job: () => {}, options } }))
  const queues = [...definitions.values()]
  const stop = new AbortController()
  const ends: Promise<void>[] = []
  const engines = []
  const fail = (error: unknown) => assert.unreachable(String(error))
  for (let i = 0; i < count; i++) {
    const engine = sqliteJobs({ file: join(directory, `${name}.db`) })
    await engine.open({ queues, leaseMs: 3000, clock })
    engines.push(engine)
    ends.push(runSchedules(definitions.values(), engine, clock, stop.signal, fail))
  }
  await pass(clock)
  stop.abort()
  await Promise.all(ends)
  const claims = await (engines[0] as JobEngine).claim(queues, 1000)
  for (const engine of engines) await engine.close()
  return claims.map(({ data }) => new Date(data.scheduled ?? 0).toISOString())
}

test("a schedule adds one job for each time, whatever the number of processes", async () => {
  const options = { schedule: "0 9-17 * * *", timezone: "Europe/Berlin" }
  const times = await run("many", options, "2026-01-01T07:30:00Z", (clock) => clock.advance(2 * hour), 3)
  assert.equal(times, ["2026-01-01T08:00:00.000Z", "2026-01-01T09:00:00.000Z"])
})

for (const [missed, expected] of [
  ["skip", [1, 6]],
  ["once", [1, 5, 6]],
  ["all", [1, 2, 3, 4, 5, 6]],
] as const)
  test(`times that were missed while no process ran are added as "missed: ${missed}" says`, async () => {
    const options = { schedule: "0 * * * *", missed }
    const pass = (clock: TestClock) => clock.advance(hour)
    const before = await run(missed, options, "2026-01-01T00:30:00Z", pass)
    const after = await run(missed, options, "2026-01-01T05:30:00Z", pass)
    assert.equal(
      [...before, ...after],
      expected.map((at) => `2026-01-01T0${at}:00:00.000Z`),
    )
  })

test("setting the clock back adds nothing twice, and setting it forward adds the jobs that are due", async () => {
  const times = await run("jumps", { schedule: "0 * * * *" }, "2026-01-01T00:30:00Z", async (clock) => {
    await clock.advance(hour)
    clock.jump(-hour)
    await clock.advance(hour)
    clock.jump(2 * hour)
    await clock.advance(hour / 2)
  })
  assert.equal(times, ["2026-01-01T01:00:00.000Z", "2026-01-01T03:00:00.000Z", "2026-01-01T04:00:00.000Z"])
})

/** Cron expressions, and their times in the nights when the clock of their zone changes. */
const nights: readonly (readonly [expression: string, zone: string, from: string, expected: readonly string[]])[] = [
  // In Berlin, 29 March 2026 has no hour from two to three.
  ["30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", ["2026-03-28T01:30", "2026-03-29T01:00", "2026-03-30T00:30"]],
  ["0 3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", ["2026-03-29T01:00", "2026-03-30T01:00"]],
  // On 25 October, Berlin has this hour twice.
  ["30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", ["2026-10-25T00:30", "2026-10-26T01:30"]],
  ["0 3 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", ["2026-10-25T02:00", "2026-10-26T02:00"]],
  ["0 * * * *", "UTC", "2026-10-24T23:30:00Z", ["2026-10-25T00:00", "2026-10-25T01:00", "2026-10-25T02:00"]],
  ["30 1 * * *", "America/New_York", "2026-10-31T12:00:00Z", ["2026-11-01T05:30", "2026-11-02T06:30"]],
  ["30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", ["2026-03-08T07:00", "2026-03-09T06:30"]],
]

for (const [expression, zone, from, expected] of nights)
  test(`the schedule ${expression} in ${zone} has the right times after ${from}`, async () => {
    const times = await readCron(expression, zone)
    const found: string[] = []
    for (const time of times(Date.parse(from))) {
      found.push(new Date(time).toISOString().slice(0, 16))
      if (found.length === expected.length) break
    }
    assert.equal(found, expected)
  })

test.run()
