/** The interface of an engine, which stores jobs. The engines are in `adapters/jobs/`. */

/** The data of a job, which an engine stores as JSON and returns with each claim. An attempt changes it. */
export interface JobData {
  /** The payload as JSON; an empty text if there is none. */
  readonly payload: string
  /** The time for which a schedule has added the job, in milliseconds since 1970. */
  readonly scheduled?: number | undefined
  /** Results of steps as JSON, by name. */
  readonly steps: Record<string, string>
  progress?: number | undefined
  /** The number of attempts that do not count, because the program was stopped. */
  uncountedAttempts: number
  /** The error of the last attempt. */
  error?: string | undefined
}

/** A job to add. */
export interface NewJob {
  /** Name of the job file's directory: `mail/welcome`. */
  readonly name: string
  readonly data: JobData
  /** The milliseconds that it waits at least. */
  readonly delay: number
  /** Jobs with a higher number run first. Default: 0. */
  readonly priority?: number | undefined
  /** While a job with the same name and the same `unique` waits or runs, no other one is added. */
  readonly unique?: string | undefined
  /** A limit applies to all jobs of this group together. Undefined if it applies to all jobs of the name. */
  readonly group?: string | undefined
}

/**
 * A job that this process may run. If another process takes over the job, its `claim` has another number. So calls with
 * `id` and an old `claim` have no effect.
 */
export interface ClaimedJob {
  readonly id: string
  readonly claim: string
  readonly name: string
  /** The number of the attempt, from 1. Attempts whose process crashed count too. */
  readonly attempt: number
  readonly data: JobData
  /** The object that the engine itself has for the job. */
  readonly native?: unknown
}

/** The state of a job. A job that has succeeded is removed, so it has none. */
export type JobState = "waiting" | "running" | "failed"

/** A job in the list of `fw jobs list`. */
export interface JobRecord
  extends Pick<ClaimedJob, "id" | "name" | "attempt">,
    Pick<JobData, "payload" | "progress" | "error"> {
  readonly state: JobState
  /** The earliest time at which it may run, in milliseconds since 1970. */
  readonly due: number
}

/** The settings of one job file that an engine needs. */
export interface JobQueue {
  readonly name: string
  /** How many jobs may run at the same time, over all processes; undefined for no limit. */
  readonly maxRunning: number | undefined
  /** Maximum number of attempts. The engine needs it for jobs whose process has crashed. */
  readonly maxAttempts: number
  /** True if `maxRunning` is the limit for each value of a key. */
  readonly hasKeys: boolean
}

/** The argument of {@link JobEngine.open}. */
export interface EngineSettings {
  readonly queues: readonly JobQueue[]
  /** Milliseconds after which a claim is lost if it was not renewed. */
  readonly leaseMs: number
  readonly clock: JobClock
}

/** A clock, which tests replace. */
export interface JobClock {
  /** Returns milliseconds since 1970. They jump if somebody sets the clock. */
  now(): number
  /** Returns milliseconds since some fixed time. They never jump. */
  elapsed(): number
  /** Calls a function after some milliseconds. Returns a function that prevents the call. */
  after(ms: number, run: () => void): () => void
}

/** A feature that not every engine has. A program that uses a missing feature does not start. */
export type JobFeature = "concurrency" | "concurrency by key" | "priority" | "tx" | "steps" | "unique"

/** The jobs that a command lists, retries or clears. */
export interface JobFilter {
  readonly name?: string | undefined
  readonly id?: string | undefined
  readonly state?: JobState | undefined
}

/**
 * Stores jobs and decides which process may run them. A call that changes a claimed job has an effect only if the claim
 * is still valid. Its result says whether it was.
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
  /**
   * Adds a job. Returns its id; null if a job with the same `unique` waits or runs. @param tx a transaction of the
   * program.
   */
  add(job: NewJob, tx?: unknown): Promise<string | null>
  /**
   * Records the time up to which a schedule is done, and adds its job. Does nothing and returns false if the recorded
   * time is not `last` any more, because another process was faster.
   *
   * @param last the result of {@link lastTick}.
   * @param job undefined to record the time only.
   */
  tick(name: string, time: number, last: number | null, job: NewJob | undefined): Promise<boolean>
  /** Returns the recorded time of a schedule; null for a new schedule. */
  lastTick(name: string): Promise<number | null>
  /** Claims at most `maxJobs` jobs whose time has come, the most urgent first. */
  claim(queues: readonly JobQueue[], maxJobs: number): Promise<readonly ClaimedJob[]>
  /** Extends a claim. */
  renew(job: ClaimedJob): Promise<boolean>
  /** Puts the jobs of crashed processes back into the queue. After its last attempt, a job counts as failed. */
  reclaim(): Promise<void>
  /**
   * Removes a job that has succeeded.
   *
   * @param claimsNext true if the call may also claim another job of the same name, and return it.
   */
  finish(job: ClaimedJob, claimsNext?: boolean): Promise<ClaimedJob | boolean>
  /**
   * Records the data of a job, and ends its claim. The job waits again, at least `delay` milliseconds. With null, it has
   * failed for good.
   */
  release(job: ClaimedJob, delay: number | null): Promise<boolean>
  /** Records the data of a job. A second call begins after the first one has ended. */
  save(job: ClaimedJob): Promise<boolean>
  list(filter: JobFilter, maxJobs: number): Promise<readonly JobRecord[]>
  /** Counts jobs by name and state. */
  count(): Promise<readonly { readonly name: string; readonly state: JobState; readonly count: number }[]>
  /** Puts failed jobs back into the queue, with all their attempts. Returns their number. */
  retry(filter: JobFilter): Promise<number>
  /** Removes jobs that are not running. Returns their number. */
  clear(filter: JobFilter): Promise<number>
  /** Pauses the jobs of a name in all processes, or continues them. */
  setPaused(name: string, isPaused: boolean): Promise<void>
  /** Returns the names of paused jobs. */
  listPaused(): Promise<readonly string[]>
  close(): Promise<void>
}
