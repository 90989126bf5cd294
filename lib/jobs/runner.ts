/** Claims jobs, runs several of them at the same time, renews their claims, and stops with the program. */
import { platform } from "#platform"
import { FwError } from "../errors.ts"
import { toOwnCommand } from "../own-command.ts"
import type { JobDefinition } from "./definition.ts"
import type { ClaimedJob, FailedAttempt, JobClock, JobEngine } from "./engine.ts"
import { jobFault } from "./fault.ts"
import { traceAttempt } from "./jobs.ts"
import { computeBackoff, describeJob, isLastAttempt, runAttempt } from "./run-job.ts"
import { readSchedules, runSchedules } from "./schedules.ts"

/** Milliseconds after which the runner asks the engine again for jobs, because another process may have added some. */
const pollMs = 500
/** Milliseconds to wait after a call of the engine has failed. */
const errorPauseMs = 2_000

/** Options of a {@link JobRunner}. */
export interface RunnerOptions {
  /** An open engine. */
  readonly engine: JobEngine
  readonly definitions: ReadonlyMap<string, JobDefinition>
  /** Maximum number of jobs that run at the same time. */
  readonly maxJobs: number
  readonly leaseMs: number
  readonly clock: JobClock
  /** Writes a line to the log. */
  readonly log: (level: "info" | "warn", text: string) => void
  /** Reports an error. `subject` says what failed: `job mail/welcome #12, attempt 1 of 6 failed`. */
  readonly report: (error: unknown, subject: string) => void
}

/** A job that is running. */
interface RunningJob {
  readonly job: ClaimedJob
  readonly stopController: AbortController
  readonly endPromise: Promise<void>
}

/** Runs the jobs of a program. */
export class JobRunner {
  readonly #options: RunnerOptions
  readonly #running = new Map<string, RunningJob>()
  /** Aborts when the runner must not claim further jobs. */
  readonly #closeController = new AbortController()
  /** Aborts when no job is running any more, so that no claim has to be renewed. */
  readonly #idleController = new AbortController()
  readonly #queues
  #claimLoop: Promise<void> = Promise.resolve()
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
    const { signal } = this.#closeController
    const schedules = readSchedules(definitions.values()).then((list) =>
      runSchedules(list, engine, clock, signal, this.#report, this.wake),
    )
    this.#claimLoop = this.#claimUntilStopped()
    this.#loops = Promise.all([this.#claimLoop, this.#renewUntilStopped(), schedules])
  }

  /** Runs all jobs whose time has come, one after the other. Must not be used together with {@link start}. */
  async runDue(): Promise<void> {
    for (;;) {
      const [job] = await this.#options.engine.claim(this.#queues, 1)
      if (!job) return
      await this.#run(job, this.#closeController.signal)
    }
  }

  /** Asks the engine for jobs now. */
  readonly wake = (): void => this.#wake()

  /** Claims no further jobs. Resolves when the running jobs have ended. */
  async stopClaiming(): Promise<void> {
    this.#closeController.abort()
    this.#wake()
    await this.#claimLoop
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ endPromise }) => endPromise))
    this.#idleController.abort()
  }

  /**
   * Claims no further jobs, and waits for those that run. After `graceMs`, puts the remaining jobs back into the queue.
   */
  async stop(graceMs: number): Promise<void> {
    const { clock, log } = this.#options
    const endController = new AbortController()
    const endPromise = this.stopClaiming().then(() => endController.abort())
    await clock.wait(graceMs, endController.signal)
    for (const { job } of this.#running.values())
      log("warn", `${describeJob(job)} did not end in time. It waits again, with the same number of attempts`)
    for (const { job, stopController } of this.#running.values())
      stopController.abort(jobFault("job_stopped", [job.name]))
    await endPromise
    await this.#loops
  }

  async #claimUntilStopped(): Promise<void> {
    const { engine, maxJobs } = this.#options
    while (!this.#closeController.signal.aborted) {
      const freeSlots = maxJobs - this.#running.size
      // `#wake` is set before the claim. A job that is added during the claim is then found at once, and not after
      // `pollMs`.
      const wakeController = new AbortController()
      // Without an argument, abort() would create a DOMException that nobody reads.
      this.#wake = () => wakeController.abort(null)
      const claims = freeSlots > 0 ? await this.#try(() => engine.claim(this.#queues, freeSlots)) : []
      for (const job of claims ?? []) this.#begin(job)
      // The next claim begins with the next queue, so that a queue with many jobs does not keep back the others.
      this.#queues.push(...this.#queues.splice(0, 1))
      if (claims?.length) continue
      await this.#options.clock.wait(claims ? pollMs : errorPauseMs, wakeController.signal)
    }
  }

  /** Renews the claims while jobs run, even after the runner has stopped claiming. */
  async #renewUntilStopped(): Promise<void> {
    const { engine, clock, leaseMs } = this.#options
    const { signal } = this.#idleController
    while (!signal.aborted) {
      const claims = [...this.#running.values()].map(({ job }) => job)
      const lostClaims = claims.length > 0 ? await this.#try(() => engine.renew(claims)) : []
      for (const job of lostClaims ?? [])
        this.#running.get(toKey(job))?.stopController.abort(jobFault("job_lost", [job.name]))
      if (!this.#closeController.signal.aborted) await this.#try(() => engine.reclaim())
      const channel = platform.env.getChannel?.("fw:jobs")
      if (channel?.hasSubscribers) await this.#try(async () => channel.publish(await engine.count()))
      await clock.wait(leaseMs / 3, signal)
    }
  }

  #begin(job: ClaimedJob): void {
    const stopController = new AbortController()
    const endPromise = this.#run(job, stopController.signal).finally(() => {
      this.#running.delete(toKey(job))
      this.#wake()
    })
    this.#running.set(toKey(job), { job, stopController, endPromise })
  }

  async #run(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const { engine, clock, definitions, log } = this.#options
    const definition = definitions.get(job.name) as JobDefinition
    let failure: FailedAttempt | null = null
    try {
      await traceAttempt(job, engine, () => runAttempt(definition, job, { engine, clock, signal }))
    } catch (error) {
      const code = error instanceof FwError ? error.code : ""
      if (signal.aborted && code === "job_stopped") {
        await this.#try(() => engine.giveBack(job))
        return
      }
      // Another process has the claim now, and it will finish the job.
      if (code === "job_lost") {
        log("warn", `${describeJob(job)}: ${(error as Error).message}`)
        return
      }
      failure = this.#createFailedAttempt(definition, job, error)
    }
    const { retryAt } = failure ?? { retryAt: 0 }
    const isClaimValid = await this.#settle(() => (failure ? engine.fail(job, failure) : engine.finish(job)), signal)
    if (isClaimValid === false) log("warn", `${describeJob(job)}: ${jobFault("job_lost", [job.name]).message}`)
    else if (retryAt === null)
      log(
        "warn",
        `${describeJob(job)} has failed for the last time. ${toOwnCommand(`jobs retry ${job.id}`)} runs it again`,
      )
  }

  /**
   * Calls the engine until it answers. Otherwise a finished job would run again only because the engine was not
   * available for a moment.
   */
  async #settle(call: () => Promise<boolean>, signal: AbortSignal): Promise<boolean | undefined> {
    for (;;) {
      const answer = await this.#try(call)
      if (answer !== undefined || signal.aborted) return answer
      await this.#options.clock.wait(errorPauseMs, signal)
    }
  }

  /** Reports the error of a failed attempt, and returns the outcome. */
  #createFailedAttempt(definition: JobDefinition, job: ClaimedJob, error: unknown): FailedAttempt {
    const { clock, report } = this.#options
    report(error, `${describeJob(job)}, attempt ${job.attempt} of ${definition.queue.maxAttempts} failed`)
    const isLast = isLastAttempt(definition, job.attempt, error)
    const retryAt = isLast ? null : clock.now() + computeBackoff(definition, job.attempt, Math.random())
    return { error: toErrorText(error), retryAt }
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
