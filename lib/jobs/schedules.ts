/** Adds the jobs of schedules at their times, once over all processes. */
import { wait } from "./clock.ts"
import type { JobDefinition } from "./definition.ts"
import type { JobClock, JobEngine } from "./engine.ts"
import { createNewJob } from "./new-job.ts"

/** Milliseconds after which a time counts as missed. */
const missedAfterMs = 60_000
/** Maximum number of jobs for missed times. */
const maxMissed = 100
/** Milliseconds after which the clock is read again, because somebody may have set it. */
const maxWaitMs = 30_000

/** Adds the jobs that have a schedule at their times, until the signal aborts. */
export async function runSchedules(
  definitions: Iterable<JobDefinition>,
  engine: JobEngine,
  clock: JobClock,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  const scheduled = [...definitions].filter(({ options }) => options.schedule !== undefined)
  while (scheduled.length > 0 && !signal.aborted) {
    let nextTime = clock.now() + maxWaitMs
    for (const definition of scheduled) {
      try {
        nextTime = Math.min(nextTime, await addDue(definition, engine, clock.now()))
      } catch (error) {
        onError(error)
      }
    }
    await wait(clock, Math.max(1, nextTime - clock.now()), signal)
  }
}

/** Adds the jobs of a schedule whose time has come. Returns the time of the next one. */
async function addDue(definition: JobDefinition, engine: JobEngine, now: number): Promise<number> {
  const { name, options, times } = definition
  const { missed = "once" } = options
  const lastTime = await engine.lastTick(name)
  // A new schedule begins now, without missed times. If the clock was set back, no job is added until the clock has
  // passed the recorded time again.
  if (lastTime === null) await engine.tick(name, now, null, undefined)
  let recordedTime = lastTime ?? now
  const dueTimes: number[] = []
  let nextTime = Number.POSITIVE_INFINITY
  for (const time of times(recordedTime)) {
    nextTime = time
    if (time > now) break
    dueTimes.push(time)
  }
  for (const time of dueTimes.slice(missed === "all" ? -maxMissed : -1)) {
    const isSkipped = missed === "skip" && now - time > missedAfterMs
    const job = isSkipped ? undefined : await createNewJob(definition, undefined, { scheduled: time })
    // If `tick()` returns false, another process has added the job.
    if (!(await engine.tick(name, time, recordedTime, job))) break
    recordedTime = time
  }
  return nextTime
}
