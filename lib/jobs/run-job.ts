/** Runs one attempt of a job. */
import { platform } from "#platform"
import { FwError } from "../errors.ts"
import { log } from "../log/log.ts"
import type { JobContext, JobDefinition } from "./definition.ts"
import type { ClaimedJob, JobClock, JobEngine } from "./engine.ts"
import { jobFault } from "./fault.ts"
import { readPayload } from "./payload.ts"

/** Longest pause between two attempts, unless the job has a function for it. */
const maxBackoffSeconds = 3600
const defaultBackoffSeconds = 10
const defaultTimeoutSeconds = 600

/** Errors that every further attempt would have too, so a job that has failed with one of them is not tried again. */
export const finalErrors: WeakSet<object> = new WeakSet()

/** Returns true if a job that has failed with this error must not be tried again. */
export function isLastAttempt({ maxAttempts }: JobDefinition, attempt: number, error: unknown): boolean {
  return attempt >= maxAttempts || finalErrors.has(Object(error))
}

/** What an attempt needs in addition to the job. */
export interface AttemptTools {
  readonly engine: Pick<JobEngine, "name" | "features" | "save">
  readonly clock: JobClock
  /** Aborts the attempt: its time is over, the claim is lost, or the program stops. */
  readonly stopController: AbortController
}

/** Returns the name of a job in log lines: `job mail/welcome #12`. */
export function describeJob({ name, id }: Pick<ClaimedJob, "name" | "id">): string {
  return `job ${name} #${id}`
}

/**
 * Runs an attempt. Resolves when the job's function has ended.
 *
 * @throws the errors of the function; FwError `job_payload` before the function is called, and `job_timeout` when its
 * time is over; the signal's reason when it aborts. In the last two cases the function may still be running.
 */
export async function runAttempt(definition: JobDefinition, job: ClaimedJob, tools: AttemptTools): Promise<void> {
  const { engine, clock, stopController } = tools
  const { timeout = defaultTimeoutSeconds } = definition.options
  const payload = await readPayload(definition, job.data.payload).catch((error) => {
    if (error instanceof FwError && error.code === "job_payload") finalErrors.add(error)
    throw error
  })
  const { signal } = stopController
  signal.throwIfAborted()
  const cancelTimeout = clock.after(timeout * 1000, () =>
    stopController.abort(jobFault("job_timeout", [definition.name, timeout])),
  )
  const abortPromise = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
  abortPromise.catch(() => {})
  try {
    const work = (async () => definition.run(payload, createContext(job, signal, engine)))()
    await Promise.race([work, abortPromise])
  } finally {
    cancelTimeout()
  }
}

function createContext(job: ClaimedJob, signal: AbortSignal, engine: AttemptTools["engine"]): JobContext {
  const { id, name, attempt, data } = job
  const { scheduled, steps } = data
  const usedSteps = new Set<string>()
  let lastSave: Promise<unknown> = Promise.resolve()
  // Steps may run at the same time. Each call writes all data of the job, so the calls must follow each other.
  const save = (): Promise<boolean> => {
    const pendingSave = lastSave.then(() => engine.save(job))
    lastSave = pendingSave.catch(() => {})
    return pendingSave
  }
  const createStepFault = (step: string, problem: string) => jobFault("job_step", [name, step, problem])
  return {
    id,
    name,
    attempt,
    signal,
    scheduled: scheduled === undefined ? undefined : new Date(scheduled),
    log: log.with({ job: name, jobID: id, attempt }),
    async progress(done) {
      // A wrong value is a mistake of the program, but not a reason to run the job again.
      if (!Number.isFinite(done)) return
      data.progress = Math.min(1, Math.max(0, done))
      await save()
    },
    async step(step, run) {
      if (typeof step !== "string" || step === "") throw createStepFault(String(step), "has no name")
      if (!engine.features.has("steps"))
        throw jobFault("job_engine.feature", [engine.name, "steps", "calls of job.step()"])
      if (usedSteps.has(step)) throw createStepFault(step, "is used twice")
      usedSteps.add(step)
      const storedResult = Object.hasOwn(steps, step) ? steps[step] : undefined
      if (storedResult !== undefined) return storedResult === "" ? undefined : JSON.parse(storedResult)
      signal.throwIfAborted()
      const result = await run()
      const text = result === undefined ? "" : JSON.stringify(result)
      if (text === undefined) throw createStepFault(step, `returned a ${typeof result}`)
      steps[step] = text
      // The claim is lost, so another process runs the same steps. This attempt must stop.
      if (!(await save())) throw jobFault("job_lost", [name])
      return text === "" ? result : JSON.parse(text)
    },
  } satisfies JobContext
}

/**
 * Returns the milliseconds to wait after a failed attempt. If the function of the job throws, its error is reported, and
 * the time is the longest one, as for a result that is not a number of seconds.
 *
 * @param random a number from 0 to 1.
 */
export function computeBackoff({ options }: JobDefinition, attempt: number, random: number): number {
  const { backoff = defaultBackoffSeconds } = options
  if (typeof backoff === "number")
    return Math.min(maxBackoffSeconds, backoff * 2 ** Math.min(30, attempt - 1)) * (1 + random / 10) * 1000
  try {
    const seconds = Number(backoff(attempt))
    if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000
  } catch (error) {
    platform.report(error)
  }
  return maxBackoffSeconds * 1000
}
