/** Claims jobs, runs several of them at the same time, renews their claims, and stops with the program. */
import { platform } from "#platform"
import { FwError } from "../errors.ts"
import { formatBug } from "../log/error-report.ts"
import { isSecretName } from "../log/record.ts"
import { toOwnCommand } from "../own-command.ts"
import { wait } from "./clock.ts"
import type { JobDefinition } from "./definition.ts"
import type { ClaimedJob } from "./engine.ts"
import { jobFault } from "./fault.ts"
import { toFence } from "./job-data.ts"
import { type OpenJobs, traceAttempt } from "./jobs.ts"
import { computeBackoff, describeJob, isLastAttempt, runAttempt } from "./run-job.ts"
import { runSchedules } from "./schedules.ts"

/** Milliseconds after which the runner asks the engine again for jobs, because another process may have added some. */
const pollMs = 500
/** Milliseconds to wait after a call of the engine has failed. */
const errorPauseMs = 2_000

/** Maximum number of characters that are stored of an error. */
const maxErrorLength = 8_000

/** After so many jobs, one ends without a claim of the next job of its name, so that other names get their turn. */
const turnLength = 20

/** Options of a {@link JobRunner}. */
export interface RunnerOptions extends OpenJobs {
  /** Maximum number of jobs that run at the same time. */
  readonly maxJobs: number
  /** Writes a line to the log. */
  readonly log: (text: string) => void
  /** Reports an error. `subject` says what failed: `job mail/welcome #12, attempt 1 of 6 failed`. */
  readonly report: (error: unknown, subject: string) => void
}

/** Runs the jobs of a program. */
export class JobRunner {
  readonly #options: RunnerOptions
  readonly #running = new Map<string, { readonly job: ClaimedJob; readonly stopController: AbortController }>()
  /** Aborts when the runner must not claim further jobs. */
  readonly #closeController = new AbortController()
  /** Aborts when no job is running any more, so that no claim has to be renewed. */
  readonly #idleController = new AbortController()
  /** Aborts when the time is over that running jobs have to end. */
  readonly #graceController = new AbortController()
  #claimLoop: Promise<void> = Promise.resolve()
  #loops: Promise<unknown> = Promise.resolve()
  #wake = () => {}
  #hasFailed = false
  #finishCount = 0

  constructor(options: RunnerOptions) {
    this.#options = options
  }

  /** Starts to claim and run jobs, and to add the jobs of schedules. */
  start(): void {
    const { definitions, engine, clock } = this.#options
    const { signal } = this.#closeController
    const schedules = runSchedules(definitions.values(), engine, clock, signal, this.#report)
    this.#claimLoop = this.#claimUntilStopped()
    this.#loops = Promise.all([this.#claimLoop, this.#renewUntilStopped(), schedules])
  }

  /** Runs all jobs whose time has come, one after the other. Must not be used together with {@link start}. */
  async runDue(): Promise<void> {
    const { engine, definitions } = this.#options
    const claimOne = async () => (await engine.claim([...definitions.values()], 1))[0]
    let job = await claimOne()
    while (job) job = (await this.#run(job, new AbortController())) ?? (await claimOne())
  }

  /** Asks the engine for jobs now. */
  readonly wake = (): void => this.#wake()

  /** Claims no further jobs. Resolves when the running jobs have ended. */
  async stopClaiming(): Promise<void> {
    this.#closeController.abort()
    this.#wake()
    await this.#claimLoop
    // The end of each job calls `#wake`.
    while (this.#running.size > 0) await new Promise<void>((resolve) => (this.#wake = resolve))
    this.#idleController.abort()
  }

  /**
   * Claims no further jobs, and waits for those that run. After `graceMs`, puts the remaining jobs back into the queue.
   */
  async stop(graceMs: number): Promise<void> {
    const { clock, log } = this.#options
    const endPromise = this.stopClaiming()
    await wait(clock, graceMs, this.#idleController.signal)
    this.#graceController.abort()
    for (const { job, stopController } of this.#running.values()) {
      log(`${describeJob(job)} did not end in time. It waits again, with the same number of attempts`)
      stopController.abort(jobFault("job_stopped", [job.name]))
    }
    await endPromise
    await this.#loops
  }

  async #claimUntilStopped(): Promise<void> {
    const { engine, clock, maxJobs, definitions } = this.#options
    const queues = [...definitions.values()]
    while (!this.#closeController.signal.aborted) {
      const freeSlots = maxJobs - this.#running.size
      // `#wake` is set before the claim. A job that is added during the claim is then found at once, and not after
      // `pollMs`.
      const wakeController = new AbortController()
      // Without an argument, abort() would create a DOMException that nobody reads.
      this.#wake = () => wakeController.abort(null)
      const claims = freeSlots > 0 ? await this.#try(() => engine.claim(queues, freeSlots)) : []
      for (const job of claims ?? []) this.#begin(job)
      // The next claim begins with the next queue, so that a queue with many jobs does not keep back the others.
      queues.push(...queues.splice(0, 1))
      if (claims?.length) continue
      await wait(clock, claims ? pollMs : errorPauseMs, wakeController.signal)
    }
  }

  /** Renews the claims while jobs run, even after the runner has stopped claiming. */
  async #renewUntilStopped(): Promise<void> {
    const { engine, clock, leaseMs } = this.#options
    const { signal } = this.#idleController
    while (!signal.aborted) {
      const renewals = [...this.#running.values()].map(async ({ job, stopController }) => {
        const isCurrent = await this.#try(() => engine.renew(job))
        if (isCurrent === false) stopController.abort(jobFault("job_lost", [job.name]))
      })
      await Promise.all(renewals)
      if (!this.#closeController.signal.aborted) await this.#try(() => engine.reclaim())
      const channel = platform.env.getChannel?.("fw:jobs")
      if (channel?.hasSubscribers) await this.#try(async () => channel.publish(await engine.count()))
      await wait(clock, leaseMs / 3, signal)
    }
  }

  #begin(job: ClaimedJob): void {
    const stopController = new AbortController()
    if (this.#graceController.signal.aborted) stopController.abort(jobFault("job_stopped", [job.name]))
    this.#running.set(toFence(job), { job, stopController })
    this.#run(job, stopController).then((next) => {
      this.#running.delete(toFence(job))
      if (next) this.#begin(next)
      else this.#wake()
    })
  }

  /** Runs a job. Returns the next one, if the engine has claimed it with the end of this one. */
  async #run(job: ClaimedJob, stopController: AbortController): Promise<ClaimedJob | undefined> {
    const { engine, clock, definitions, log } = this.#options
    const definition = definitions.get(job.name) as JobDefinition
    let end = () => {
      this.#finishCount += 1
      return engine.finish(job, !this.#closeController.signal.aborted && this.#finishCount % turnLength !== 0)
    }
    let isFailed = false
    try {
      await traceAttempt(job, engine.name, () => runAttempt(definition, job, { engine, clock, stopController }))
    } catch (error) {
      const delay = this.#recordFailure(definition, job, error)
      isFailed = delay === null
      // After `job_lost`, another process has the claim, and it will finish the job.
      end = async () => !isFault(error, "job_lost") && engine.release(job, delay)
    }
    const answer = await this.#settle(end)
    if (answer === false) log(`${describeJob(job)}: ${jobFault("job_lost", [job.name]).message}`)
    else if (isFailed)
      log(`${describeJob(job)} has failed for the last time. ${toOwnCommand(`jobs retry ${job.id}`)} runs it again`)
    return typeof answer === "object" ? answer : undefined
  }

  /**
   * Calls the engine until it answers. Otherwise a finished job would run again only because the engine was not
   * available for a moment.
   */
  async #settle<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
    const { signal } = this.#graceController
    for (;;) {
      const answer = await this.#try(call)
      if (answer !== undefined || signal.aborted) return answer
      await wait(this.#options.clock, errorPauseMs, signal)
    }
  }

  /**
   * Records a failed attempt in the data of its job. Returns the milliseconds until the next attempt; null if there is
   * none.
   */
  #recordFailure(definition: JobDefinition, job: ClaimedJob, error: unknown): number | null {
    const { attempt, data } = job
    if (isFault(error, "job_lost")) return null
    if (isFault(error, "job_stopped")) {
      data.uncountedAttempts += 1
      return 0
    }
    // Some databases cannot store U+0000, which formatBug() escapes, and halves of surrogate pairs.
    data.error = formatBug(error, isSecretName).slice(0, maxErrorLength).toWellFormed()
    this.#options.report(error, `${describeJob(job)}, attempt ${attempt} of ${definition.maxAttempts} failed`)
    return isLastAttempt(definition, attempt, error) ? null : computeBackoff(definition, attempt, Math.random())
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

const isFault = (error: unknown, code: string) => error instanceof FwError && error.code === code
