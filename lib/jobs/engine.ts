/** The interface between jobs and what keeps them: `JobEngine`. The engines are in `adapters/jobs/`. */

/** A job to add. Its data is JSON. */
export interface NewJob {
  /** Name of the job file's directory: `mail/welcome`. */
  readonly name: string
  /** The payload as JSON. */
  readonly payload: string
  /** Time from which it may run, in milliseconds since 1970. */
  readonly due: number
  /** Jobs with a higher number run first. */
  readonly priority: number
  /** While a job with the same name and this key waits or runs, another one is not added. */
  readonly unique?: string | undefined
  /** The jobs with this key share the limit `most`. Undefined for a job whose limit counts all jobs of its name. */
  readonly group?: string | undefined
  /** Most jobs of the group that run at the same time. */
  readonly most?: number | undefined
  /** The time of the schedule that added it, in milliseconds since 1970. */
  readonly scheduled?: number | undefined
}

/** A job that this process may run. `id` and `claim` together are the fence: another claim of the job has another number. */
export interface ClaimedJob {
  readonly id: string
  readonly claim: string
  readonly name: string
  readonly payload: string
  /** Counts from 1, and includes attempts whose process ended. */
  readonly attempt: number
  readonly scheduled?: number | undefined
  /** Results of steps as JSON, by name. */
  readonly steps: Readonly<Record<string, string>>
  /** The engine's own object of the job. */
  readonly native?: unknown
}

/** The state of a job that is not finished. A finished one is removed. */
export type JobState = "waiting" | "running" | "failed"

/** A job as `fw jobs list` shows it. */
export interface JobRecord {
  readonly id: string
  readonly name: string
  readonly state: JobState
  readonly payload: string
  readonly attempt: number
  /** Time from which it may run, in milliseconds since 1970. */
  readonly due: number
  readonly progress?: number | undefined
  /** The error of the last attempt. */
  readonly error?: string | undefined
}

/** The jobs of one name that a program has. */
export interface JobQueue {
  readonly name: string
  /** Most jobs that run at the same time over all processes; undefined for no limit. */
  readonly most: number | undefined
  /** Most attempts. An engine that finds what ended processes left behind needs it. */
  readonly attempts: number
  /** True if the limit is for each value of a key. */
  readonly hasKeys: boolean
  readonly isUnique: boolean
  readonly hasPriority: boolean
}

/** What an engine needs to know. */
export interface EngineSettings {
  readonly queues: readonly JobQueue[]
  /** Milliseconds after which a claim that is not renewed is over. */
  readonly leaseMs: number
  readonly clock: JobClock
}

/** Time, which tests replace. */
export interface JobClock {
  /** Milliseconds since 1970, which may jump. */
  now(): number
  /** Milliseconds that have passed, which never jump. */
  elapsed(): number
  /** Resolves after some milliseconds, or when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** What an engine may lack. The use of what it lacks is an error at the start. */
export type JobFeature = "concurrency" | "concurrency by key" | "priority" | "tx" | "steps" | "unique"

/** How an attempt that did not succeed ends. */
export interface FailedAttempt {
  readonly error: string
  /** Time of the next attempt, in milliseconds since 1970; null to put the job to the dead letters. */
  readonly retryAt: number | null
}

/** Which jobs to list, retry or clear. */
export interface JobFilter {
  readonly name?: string | undefined
  readonly id?: string | undefined
  readonly state?: JobState | undefined
}

/**
 * What keeps jobs and decides who may run them. A call that changes a claimed job has an effect only while the claim is
 * the current one, and says whether it was.
 *
 * @example
 * const engine: JobEngine = sqliteJobs({ file: "data/jobs.db" })
 * setJobEngine(engine)
 */
export interface JobEngine {
  readonly name: string
  readonly features: ReadonlySet<JobFeature>
  /** Prepares the queues. Called once, before any other call. */
  open(settings: EngineSettings): Promise<void>
  /** Adds a job. Returns its id; null if its unique key is taken. @param tx a transaction of the program. */
  add(job: NewJob, tx?: unknown): Promise<string | null>
  /**
   * Records that a schedule is done up to a time, and adds its job, if its last time is still `last`. Of several
   * processes, one succeeds.
   *
   * @param last as {@link lastTick} has returned it.
   * @param job undefined to record the time only.
   */
  tick(name: string, time: number, last: number | null, job: NewJob | undefined): Promise<boolean>
  /** Returns the last time of a schedule; null for a new one. */
  lastTick(name: string): Promise<number | null>
  /** Claims jobs that are due, the most urgent first. */
  claim(queues: readonly JobQueue[], most: number): Promise<readonly ClaimedJob[]>
  /** Extends claims. Returns those that are over, because this process was late. */
  renew(claims: readonly ClaimedJob[]): Promise<readonly ClaimedJob[]>
  /** Makes jobs of processes that have ended wait again, or dead letters after their last attempt. */
  reclaim(): Promise<void>
  finish(job: ClaimedJob): Promise<boolean>
  fail(job: ClaimedJob, end: FailedAttempt): Promise<boolean>
  /** Makes a job wait as if it had never been claimed. */
  giveBack(job: ClaimedJob): Promise<boolean>
  saveStep(job: ClaimedJob, step: string, result: string): Promise<boolean>
  saveProgress(job: ClaimedJob, progress: number): Promise<boolean>
  list(filter: JobFilter, most: number): Promise<readonly JobRecord[]>
  /** Counts jobs by name and state. */
  count(): Promise<readonly { readonly name: string; readonly state: JobState; readonly count: number }[]>
  /** Makes failed jobs wait again, with all their attempts. Returns their number. */
  retry(filter: JobFilter): Promise<number>
  /** Removes jobs that do not run. Returns their number. */
  clear(filter: JobFilter): Promise<number>
  /** Stops or starts the claims of a name in all processes. */
  setPaused(name: string, isPaused: boolean): Promise<void>
  /** Returns the names that are paused. */
  listPaused(): Promise<readonly string[]>
  close(): Promise<void>
}
