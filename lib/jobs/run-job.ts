/** Runs one attempt of a job. */
import type { JobContext, JobDefinition } from "./definition.ts"
import type { ClaimedJob, JobClock, JobEngine } from "./engine.ts"
import { jobFault } from "./fault.ts"
import { readPayload } from "./payload.ts"

/** Longest delay before another attempt by default, in seconds. */
const maxBackoffSeconds = 3600
const defaultBackoffSeconds = 10
const defaultTimeoutSeconds = 600

/** What an attempt needs besides the job. */
export interface AttemptTools {
  readonly engine: Pick<JobEngine, "name" | "features" | "saveStep" | "saveProgress">
  readonly clock: JobClock
  /** Aborts the attempt: its claim is over, or the program stops. */
  readonly signal: AbortSignal
  readonly log: (text: string) => void
}

/** Returns the description of a job for the log: `job mail/welcome #12`. */
export function describeJob({ name, id }: Pick<ClaimedJob, "name" | "id">): string {
  return `job ${name} #${id}`
}

/**
 * Runs a job. Resolves when the function of the job has ended.
 *
 * @throws what the function throws; FwError `job_payload` before it is called, and `job_timeout` after its time. The
 * reason of the signal if it aborts, even if the function goes on.
 */
export async function runAttempt(definition: JobDefinition, claimed: ClaimedJob, tools: AttemptTools): Promise<void> {
  const { timeout = defaultTimeoutSeconds } = definition.options
  const payload = await readPayload(definition, claimed.payload)
  const ended = new AbortController()
  const over = new AbortController()
  const signal = AbortSignal.any([tools.signal, over.signal])
  const limit = tools.clock.wait(timeout * 1000, ended.signal).then(() => {
    if (!ended.signal.aborted) over.abort(jobFault("job_timeout", [definition.name, timeout]))
  })
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
    if (signal.aborted) reject(signal.reason)
  })
  aborted.catch(() => {})
  try {
    const work = (async () => definition.run(payload, createContext(claimed, signal, tools)))()
    await Promise.race([work, aborted])
  } finally {
    // A reason of its own saves the exception that would be made.
    ended.abort(null)
    await limit
  }
}

function createContext(claimed: ClaimedJob, signal: AbortSignal, { engine, log }: AttemptTools): JobContext {
  const { id, name, attempt, scheduled } = claimed
  const usedSteps = new Set<string>()
  const fail = (step: string, problem: string) => jobFault("job_step", [name, step, problem])
  return {
    id,
    name,
    attempt,
    signal,
    scheduled: scheduled === undefined ? undefined : new Date(scheduled),
    log: (text) => log(`${describeJob(claimed)} (attempt ${attempt}): ${text}`),
    async progress(done) {
      const value = Math.min(1, Math.max(0, done))
      // What cannot be a number is a mistake of the program, but no reason to do the job again.
      if (Number.isFinite(value)) await engine.saveProgress(claimed, value)
    },
    async step(step, run) {
      if (typeof step !== "string" || step === "") throw fail(String(step), "has no name")
      if (!engine.features.has("steps"))
        throw jobFault("job_engine.feature", [engine.name, "steps", "calls of job.step()"])
      if (usedSteps.has(step)) throw fail(step, "is used twice")
      usedSteps.add(step)
      const known = Object.hasOwn(claimed.steps, step) ? claimed.steps[step] : undefined
      if (known !== undefined) return known === "" ? undefined : JSON.parse(known)
      signal.throwIfAborted()
      const result = await run()
      const text = result === undefined ? "" : JSON.stringify(result)
      if (text === undefined) throw fail(step, `returned a ${typeof result}`)
      // Without the claim, another process does the step too, so this attempt must not go on.
      if (!(await engine.saveStep(claimed, step, text))) throw jobFault("job_lost", [name])
      return text === "" ? result : JSON.parse(text)
    },
  } satisfies JobContext
}

/** Returns the milliseconds before the attempt that follows a failed one. @param random from 0 to 1. */
export function computeBackoff({ options }: JobDefinition, attempt: number, random: number): number {
  const { backoff = defaultBackoffSeconds } = options
  const seconds =
    typeof backoff === "function"
      ? Number(backoff(attempt))
      : Math.min(maxBackoffSeconds, backoff * 2 ** Math.min(30, attempt - 1)) * (1 + random / 10)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : maxBackoffSeconds * 1000
}
