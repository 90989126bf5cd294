/** Claims jobs, runs several of them at the same time, renews their claims, and stops with the program. */
import { platform } from "#platform"
import { FwError } from "../errors.ts"
import { jobChannel } from "../trace/operations.ts"
import type { JobDefinition } from "./definition.ts"
import type { ClaimedJob, FailedAttempt, JobClock, JobEngine } from "./engine.ts"
import { jobFault } from "./fault.ts"
import { describeMessage } from "./jobs.ts"
import { computeBackoff, describeJob, runAttempt } from "./run-job.ts"
import { readSchedules, runSchedules } from "./schedules.ts"

/** Milliseconds after which the runner asks the engine again for jobs, because another process may have added some. */
const pollMs = 500
const afterErrorMs = 2_000

/** Options of a {@link JobRunner}. */
export interface RunnerOptions {
  /** An open engine. */
  readonly engine: JobEngine
  readonly definitions: ReadonlyMap<string, JobDefinition>
  /** How many jobs run at the same time. */
  readonly slots: number
  readonly leaseMs: number
  readonly clock: JobClock
  /** Writes a line to the log. */
  readonly log: (level: "info" | "warn", text: string) => void
  /** Reports an error. `subject` says what failed: `job mail/welcome #12, attempt 1 of 6 failed`. */
  readonly report: (error: unknown, subject: string) => void
}

/** A job that is running. */
interface RunningJob {
  readonly claimed: ClaimedJob
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/** Runs the jobs of a program. */
export class JobRunner {
  readonly #options: RunnerOptions
  readonly #running = new Map<string, RunningJob>()
  /** Aborts when the runner must not claim further jobs. */
  readonly #closing = new AbortController()
  readonly #queues
  #claiming: Promise<void> = Promise.resolve()
  #loops: Promise<unknown> = Promise.resolve()
  #wake = () => {}
  #hasFailed = false

  constructor(options: RunnerOptions) {
    this.#options = options
    this.#queues = [...options.definitions.values()].map(({ queue }) => queue)
  }

  /** Starts to claim and run jobs, and to add the jobs of schedules. */
  start(): void {
    const { definitions, engine, clock } = this.#options
    const { signal } = this.#closing
    const schedules = readSchedules(definitions.values()).then((list) =>
      runSchedules(list, engine, clock, signal, this.#report, this.wake),
    )
    this.#claiming = this.#claimUntilStopped()
    this.#loops = Promise.all([this.#claiming, this.#renewUntilStopped(), schedules])
  }

  /** Runs all jobs whose time has come, one after the other. Must not be used together with {@link start}. */
  async runDue(): Promise<void> {
    for (;;) {
      const [claimed] = await this.#options.engine.claim(this.#queues, 1)
      if (!claimed) return
      await this.#run(claimed, this.#closing.signal)
    }
  }

  /** Asks the engine for jobs now. */
  readonly wake = (): void => this.#wake()

  /** Claims no further jobs. Resolves when the running jobs have ended. */
  stopClaiming(): Promise<void> {
    this.#closing.abort()
    this.#wake()
    return this.#waitForJobs()
  }

  /**
   * Claims no further jobs, and waits for those that run. After `graceMs`, puts the remaining jobs back into the queue.
   */
  async stop(graceMs: number): Promise<void> {
    const { clock, log } = this.#options
    const over = new AbortController()
    const ended = this.stopClaiming().then(() => over.abort())
    await clock.wait(graceMs, over.signal)
    for (const { claimed } of this.#running.values())
      log("warn", `${describeJob(claimed)} did not end in time. It waits again, with the same number of attempts`)
    for (const { claimed, stop } of this.#running.values()) stop.abort(jobFault("job_stopped", [claimed.name]))
    await ended
    await this.#loops
  }

  async #waitForJobs(): Promise<void> {
    await this.#claiming
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  async #claimUntilStopped(): Promise<void> {
    const { engine, slots } = this.#options
    while (!this.#closing.signal.aborted) {
      const free = slots - this.#running.size
      // `#wake` is set before the claim. A job that is added during the claim is then found at once, and not after
      // `pollMs`.
      const woken = new AbortController()
      this.#wake = () => woken.abort()
      const claims = free > 0 ? await this.#try(() => engine.claim(this.#queues, free)) : []
      for (const claimed of claims ?? []) this.#begin(claimed)
      // Each time another name is the first, so that one with many jobs does not keep back the others.
      this.#queues.push(...this.#queues.splice(0, 1))
      if (claims?.length) continue
      await this.#options.clock.wait(claims ? pollMs : afterErrorMs, woken.signal)
    }
  }

  /** Renews the claims while jobs run, even after the runner has stopped claiming. */
  async #renewUntilStopped(): Promise<void> {
    const { engine, clock, leaseMs } = this.#options
    const { signal } = this.#closing
    const idle = new AbortController()
    signal.addEventListener("abort", () => void this.#waitForJobs().then(() => idle.abort()), { once: true })
    if (signal.aborted) void this.#waitForJobs().then(() => idle.abort())
    while (!idle.signal.aborted) {
      const claims = [...this.#running.values()].map(({ claimed }) => claimed)
      const lost = claims.length > 0 ? await this.#try(() => engine.renew(claims)) : []
      for (const claimed of lost ?? []) {
        const running = this.#running.get(toKey(claimed))
        running?.stop.abort(jobFault("job_lost", [claimed.name]))
      }
      if (!signal.aborted) await this.#try(() => engine.reclaim())
      const counts = platform.env.getChannel?.("fw:jobs")
      if (counts?.hasSubscribers) await this.#try(async () => counts.publish(await engine.count()))
      await clock.wait(leaseMs / 3, idle.signal)
    }
  }

  #begin(claimed: ClaimedJob): void {
    const stop = new AbortController()
    const ended = this.#run(claimed, stop.signal).finally(() => {
      this.#running.delete(toKey(claimed))
      this.#wake()
    })
    this.#running.set(toKey(claimed), { claimed, stop, ended })
  }

  async #run(claimed: ClaimedJob, signal: AbortSignal): Promise<void> {
    const { engine, clock, definitions, log } = this.#options
    const definition = definitions.get(claimed.name) as JobDefinition
    let end: FailedAttempt | null = null
    try {
      const run = () => runAttempt(definition, claimed, { engine, clock, signal })
      const { id, name, attempt } = claimed
      const message = { "messaging.message.id": id, "fw.job.attempt": attempt }
      const attributes = { ...describeMessage("process", name, engine), ...message }
      await (jobChannel.isWatched ? jobChannel.run(name, run, undefined, attributes) : run())
    } catch (error) {
      const code = error instanceof FwError ? error.code : ""
      if (signal.aborted && code === "job_stopped") {
        await this.#try(() => engine.giveBack(claimed))
        return
      }
      // Another process has the claim now, and it will finish the job.
      if (code === "job_lost") {
        log("warn", `${describeJob(claimed)}: ${(error as Error).message}`)
        return
      }
      end = this.#toEnd(definition, claimed, error)
    }
    const { retryAt } = end ?? { retryAt: 0 }
    const isOurs = await this.#settle(() => (end ? engine.fail(claimed, end) : engine.finish(claimed)), signal)
    if (isOurs === false) log("warn", `${describeJob(claimed)}: ${jobFault("job_lost", [claimed.name]).message}`)
    else if (retryAt === null)
      log("warn", `${describeJob(claimed)} has failed for the last time. fw jobs retry ${claimed.id} runs it again`)
  }

  /**
   * Calls the engine until it answers. Otherwise a finished job would run again only because the engine was not
   * available for a moment.
   */
  async #settle(call: () => Promise<boolean>, signal: AbortSignal): Promise<boolean | undefined> {
    for (;;) {
      const answer = await this.#try(call)
      if (answer !== undefined || signal.aborted) return answer
      await this.#options.clock.wait(afterErrorMs, signal)
    }
  }

  /**
   * Returns the outcome of a failed attempt. A payload that does not fit is not tried again, because it will never fit.
   */
  #toEnd(definition: JobDefinition, claimed: ClaimedJob, error: unknown): FailedAttempt {
    const { clock, report } = this.#options
    report(error, `${describeJob(claimed)}, attempt ${claimed.attempt} of ${definition.queue.attempts} failed`)
    const isOver =
      claimed.attempt >= definition.queue.attempts || (error instanceof FwError && error.code === "job_payload")
    const backoff = isOver ? 0 : computeBackoff(definition, claimed.attempt, Math.random())
    return { error: toErrorText(error), retryAt: isOver ? null : clock.now() + backoff }
  }

  /**
   * Calls the engine; returns undefined if the call fails. Of several failures in a row, only the first one is
   * reported.
   */
  async #try<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await call()
      this.#hasFailed = false
      return result
    } catch (error) {
      this.#report(error)
      return undefined
    }
  }

  readonly #report = (error: unknown): void => {
    if (!this.#hasFailed)
      this.#options.report(error, `the job engine ${this.#options.engine.name} failed, and is tried again`)
    this.#hasFailed = true
  }
}

const toKey = ({ id, claim }: ClaimedJob) => `${id} ${claim}`

/** Maximum number of characters that are stored of an error. */
const maxErrorLength = 8_000

function toErrorText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error)
  // Some databases cannot store U+0000 and halves of surrogate pairs, so they are replaced.
  return text
    .replaceAll("\0", "\ufffd")
    .slice(0, maxErrorLength)
    .replace(/\p{Surrogate}/gu, "\ufffd")
}
