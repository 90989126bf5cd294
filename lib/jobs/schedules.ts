/** Adds the jobs of schedules at their times, once over all processes. */
import { type CronTimes, readCron } from "./cron.ts"
import type { JobDefinition } from "./definition.ts"
import type { JobClock, JobEngine } from "./engine.ts"
import { createNewJob } from "./new-job.ts"

/** A time that is found later than this is one that was missed, in milliseconds. */
const missedAfterMs = 60_000
/** Most jobs for times that were missed. */
const maxMissed = 100
/** Longest time between two looks at the clock, which may be set, in milliseconds. */
const maxWaitMs = 30_000

/** Runs schedules until the signal aborts. */
export async function runSchedules(
  schedules: readonly Schedule[],
  engine: JobEngine,
  clock: JobClock,
  signal: AbortSignal,
  onError: (error: unknown) => void,
  onAdd: () => void,
): Promise<void> {
  while (schedules.length > 0 && !signal.aborted) {
    let next = clock.now() + maxWaitMs
    for (const schedule of schedules) {
      try {
        next = Math.min(next, await addDue(schedule, engine, clock, onAdd))
      } catch (error) {
        onError(error)
      }
    }
    await clock.wait(Math.max(1, next - clock.now()), signal)
  }
}

/** A job with its times. */
export interface Schedule {
  readonly definition: JobDefinition
  readonly times: CronTimes
}

/** Returns the jobs that have a schedule, with their times. */
export async function readSchedules(definitions: Iterable<JobDefinition>): Promise<Schedule[]> {
  const scheduled = [...definitions].filter(({ options }) => options.schedule !== undefined)
  return Promise.all(
    scheduled.map(async (definition) => {
      const { schedule = "", timezone = "UTC" } = definition.options
      return { definition, times: await readCron(schedule, timezone) }
    }),
  )
}

/** Adds the jobs of a schedule that are due. Returns the time of the next one. */
async function addDue(
  { definition, times }: Schedule,
  engine: JobEngine,
  clock: JobClock,
  onAdd: () => void,
): Promise<number> {
  const { name, options } = definition
  const now = clock.now()
  const last = await engine.lastTick(name)
  // A new schedule begins now. If the clock was set back, nothing is added again until it has passed the last time.
  if (last === null) await engine.tick(name, now, null, undefined)
  const due = last === null ? [] : listTimes(times, last, now)
  let done = last
  for (const time of chooseTimes(due, options.missed ?? "once", now)) {
    const job = time.isAdded ? await createNewJob(definition, undefined, { due: now, scheduled: time.at }) : undefined
    // Another process was faster.
    if (!(await engine.tick(name, time.at, done, job))) break
    if (job) onAdd()
    done = time.at
  }
  return times.next(Math.max(now, last ?? now)) ?? Number.POSITIVE_INFINITY
}

/** Returns the times after one up to another, the last hundred of them. */
function listTimes(times: CronTimes, after: number, until: number): number[] {
  const found: number[] = []
  for (let at = times.next(after); at !== null && at <= until; at = times.next(at)) {
    found.push(at)
    if (found.length > maxMissed) found.shift()
  }
  return found
}

/** Applies the rule about missed times to the times that are due. */
function chooseTimes(due: readonly number[], missed: "skip" | "once" | "all", now: number) {
  const isMissed = (at: number) => now - at > missedAfterMs
  if (missed === "all") return due.map((at) => ({ at, isAdded: true }))
  const last = due.at(-1)
  if (last === undefined) return []
  return [{ at: last, isAdded: missed === "once" || !isMissed(last) }]
}
