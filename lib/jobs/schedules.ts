/** Adds the jobs of schedules at their times, once over all processes. */
import { type CronTimes, readCron } from "./cron.ts"
import type { JobDefinition } from "./definition.ts"
import type { JobClock, JobEngine } from "./engine.ts"
import { createNewJob } from "./new-job.ts"

/** Milliseconds after which a time counts as missed. */
const missedAfterMs = 60_000
/** Maximum number of jobs for missed times. */
const maxMissed = 100
/** Milliseconds after which the clock is read again, because somebody may have set it. */
const maxWaitMs = 30_000

/** Adds jobs at their times until the signal aborts. */
export async function runSchedules(
  schedules: readonly Schedule[],
  engine: JobEngine,
  clock: JobClock,
  signal: AbortSignal,
  onError: (error: unknown) => void,
  onAdd: () => void,
): Promise<void> {
  while (schedules.length > 0 && !signal.aborted) {
    let nextTime = clock.now() + maxWaitMs
    for (const schedule of schedules) {
      try {
        nextTime = Math.min(nextTime, await addDue(schedule, engine, clock, onAdd))
      } catch (error) {
        onError(error)
      }
    }
    await clock.wait(Math.max(1, nextTime - clock.now()), signal)
  }
}

/** A job with the times of its schedule. */
export interface Schedule {
  readonly definition: JobDefinition
  readonly times: CronTimes
}

/** Returns the jobs that have a schedule, with its times. */
export async function readSchedules(definitions: Iterable<JobDefinition>): Promise<Schedule[]> {
  const jobsWithSchedule = [...definitions].filter(({ options }) => options.schedule !== undefined)
  return Promise.all(
    jobsWithSchedule.map(async (definition) => {
      const { schedule = "", timezone = "UTC" } = definition.options
      return { definition, times: await readCron(schedule, timezone) }
    }),
  )
}

/** Adds the jobs of a schedule whose time has come. Returns the time of the next one. */
async function addDue(
  { definition, times }: Schedule,
  engine: JobEngine,
  clock: JobClock,
  onAdd: () => void,
): Promise<number> {
  const { name, options } = definition
  const now = clock.now()
  const lastTime = await engine.lastTick(name)
  // A new schedule begins now, without missed times. If the clock was set back, no job is added until the clock has
  // passed the recorded time again.
  if (lastTime === null) await engine.tick(name, now, null, undefined)
  const dueTimes = lastTime === null ? [] : listTimes(times, lastTime, now)
  let recordedTime = lastTime
  for (const time of chooseTimes(dueTimes, options.missed ?? "once", now)) {
    const job = time.isAdded ? await createNewJob(definition, undefined, { due: now, scheduled: time.at }) : undefined
    // If `tick()` returns false, another process has added the job.
    if (!(await engine.tick(name, time.at, recordedTime, job))) break
    if (job) onAdd()
    recordedTime = time.at
  }
  return times.next(Math.max(now, lastTime ?? now)) ?? Number.POSITIVE_INFINITY
}

/** Returns the times after `after` up to `until`, at most the last hundred. */
function listTimes(times: CronTimes, after: number, until: number): number[] {
  const lastTimes: number[] = []
  for (let at = times.next(after); at !== null && at <= until; at = times.next(at)) {
    lastTimes.push(at)
    if (lastTimes.length > maxMissed) lastTimes.shift()
  }
  return lastTimes
}

/** Chooses the times for which jobs are added, by the job's option `missed`. */
function chooseTimes(dueTimes: readonly number[], missed: "skip" | "once" | "all", now: number) {
  const isMissed = (at: number) => now - at > missedAfterMs
  if (missed === "all") return dueTimes.map((at) => ({ at, isAdded: true }))
  const last = dueTimes.at(-1)
  if (last === undefined) return []
  return [{ at: last, isAdded: missed === "once" || !isMissed(last) }]
}
