/** `bullmqJobs()`: stores jobs in Redis, with the package BullMQ of the application. */
import { checkKeys } from "../../lib/checks.ts"
import type {
  ClaimedJob,
  EngineSettings,
  JobData,
  JobEngine,
  JobFeature,
  JobFilter,
  JobQueue,
  JobRecord,
  JobState,
  NewJob,
} from "../../lib/jobs/engine.ts"
import { jobFault } from "../../lib/jobs/fault.ts"
import { toJobRecord } from "../../lib/jobs/job-data.ts"
import type { RedisClient } from "../../lib/store/redis/client.ts"
import { redisStore } from "../../lib/store/redis.ts"
import type { Store } from "../../lib/store/types.ts"

/** The data and the id of the job that BullMQ has claimed while it finished another one; empty if there is none. */
type NextJob = readonly [data?: object | null, id?: string]

/** The members of BullMQ's `Job` that fw uses. */
interface BullJob {
  readonly id?: string | undefined
  readonly name: string
  readonly data: JobData
  readonly attemptsStarted: number
  readonly timestamp: number
  readonly delay: number
  readonly failedReason?: string
  readonly constructor: { fromJSON(worker: BullWorker, data: object, id: string): BullJob }
  extendLock(token: string, ms: number): Promise<number>
  moveToCompleted(value: unknown, token: string, fetchNext: boolean): Promise<NextJob | undefined>
  moveToFailed(error: Error, token: string): Promise<unknown>
  moveToDelayed(time: number, token: string): Promise<void>
  updateData(data: JobData): Promise<void>
  retry(state: "failed", options?: object): Promise<void>
  remove(): Promise<unknown>
}

/** The members that BullMQ's `Queue` and `Worker` have in common. */
interface BullClient {
  on(event: "error", listener: () => void): unknown
  close(force?: boolean): Promise<void>
}

/** The members of BullMQ's `Queue` that fw uses. */
interface BullQueue extends BullClient {
  add(name: string, data: JobData, options: object): Promise<BullJob>
  getJobs(types: readonly string[], start: number, end: number): Promise<BullJob[]>
  getJobCounts(...types: string[]): Promise<Readonly<Record<string, number>>>
  setGlobalConcurrency(most: number): Promise<unknown>
  removeGlobalConcurrency(): Promise<unknown>
  pause(): Promise<void>
  resume(): Promise<void>
  isPaused(): Promise<boolean>
}

/** The members of BullMQ's `Worker` that fw uses. */
interface BullWorker extends BullClient {
  getNextJob(token: string, options: { block: boolean }): Promise<BullJob | undefined>
  startStalledCheckTimer(): Promise<void>
}

/**
 * Options of {@link bullmqJobs}.
 *
 * @example
 * import { Redis } from "ioredis"
 * class Queue {} // import { Queue, Worker } from "bullmq"
 * class Worker {}
 * const connection = new Redis("redis://127.0.0.1:6379", { maxRetriesPerRequest: null, lazyConnect: true })
 * const options: BullmqJobsOptions = { Queue, Worker, connection }
 */
export interface BullmqJobsOptions {
  /** The class `Queue` of BullMQ. */
  readonly Queue: new (
    name: string,
    options: never,
  ) => object
  /** The class `Worker` of BullMQ. */
  readonly Worker: new (
    name: string,
    processor: never,
    options: never,
  ) => object
  /** A client of `ioredis` with `maxRetriesPerRequest: null`. The program itself closes it. */
  readonly connection: object
  /** The beginning of all keys in Redis. Default: `fw-jobs`. */
  readonly prefix?: string
}

const features: ReadonlySet<JobFeature> = new Set(["concurrency", "priority", "steps", "unique"])
/** Every job with this number ends without a claim of the next job of its name. */
const finishesWithoutNext = 20
const typesByState: Readonly<Record<JobState, readonly string[]>> = {
  waiting: ["waiting", "delayed", "prioritized", "paused"],
  running: ["active"],
  failed: ["failed"],
}
/** Seconds for which a job of a schedule is kept after its end. In this time, no other process can add it again. */
const keepTimesSeconds = 3600
/** Maximum number of jobs that one call changes. */
const maxChanged = 10_000

/** The queue for the jobs of one name. */
interface Lane {
  readonly settings: JobQueue
  readonly queue: BullQueue
  /** Claims the jobs. It has a connection of its own, so a process that only adds jobs has none. */
  worker?: BullWorker
}

class BullmqEngine implements JobEngine {
  readonly name = "bullmq"
  readonly features = features
  readonly #options: BullmqJobsOptions
  readonly #store: Store<"kv">
  readonly #prefix: string
  readonly #lanes = new Map<string, Lane>()
  /** Claimed jobs that the next call of {@link claim} returns. */
  readonly #nextJobs: ClaimedJob[] = []
  #finishCount = 0
  #settings: EngineSettings | undefined

  constructor(options: BullmqJobsOptions) {
    this.#options = options
    this.#prefix = options.prefix ?? "fw-jobs"
    this.#store = redisStore(options.connection as RedisClient, { prefix: `${this.#prefix}:` })
  }

  async open(settings: EngineSettings): Promise<void> {
    this.#settings = settings
    const { Queue, connection } = this.#options
    for (const one of settings.queues) {
      const queue = new Queue(one.name, { connection, prefix: this.#prefix } as never) as BullQueue
      queue.on("error", ignoreError)
      this.#lanes.set(one.name, { settings: one, queue })
      await (one.maxRunning === undefined
        ? queue.removeGlobalConcurrency()
        : queue.setGlobalConcurrency(one.maxRunning))
    }
  }

  #lane(name: string): Lane {
    return this.#lanes.get(name) as Lane
  }

  async #startWorker(lane: Lane): Promise<BullWorker> {
    const { Worker, connection } = this.#options
    const { leaseMs } = this.#settings as EngineSettings
    const { name, maxAttempts } = lane.settings
    const times = { lockDuration: leaseMs, stalledInterval: leaseMs, maxStalledCount: maxAttempts - 1 }
    const options = { connection, prefix: this.#prefix, autorun: false, ...times }
    const worker = new Worker(name, null as never, options as never) as BullWorker
    worker.on("error", ignoreError)
    lane.worker = worker
    await worker.startStalledCheckTimer()
    return worker
  }

  async add({ name, data, delay, priority, unique }: NewJob): Promise<string | null> {
    // All processes use the same id for a time of a schedule, so only the first one adds the job.
    const isScheduled = data.scheduled !== undefined
    const jobId = isScheduled ? `time-${data.scheduled}` : crypto.randomUUID()
    const added = await this.#lane(name).queue.add(name, data, {
      jobId,
      delay,
      // In BullMQ, 1 is the most urgent priority, and jobs without a priority come before all others.
      ...(priority !== undefined && { priority: 101 - priority }),
      ...(unique !== undefined && { deduplication: { id: unique } }),
      removeOnComplete: isScheduled ? { age: keepTimesSeconds } : true,
    })
    return added.id === jobId ? jobId : null
  }

  async tick(name: string, time: number, last: number | null, job: NewJob | undefined): Promise<boolean> {
    if ((await this.lastTick(name)) !== last) return false
    if (job) await this.add(job)
    return this.#store.kv.compareAndSet(`tick:${name}`, last ?? undefined, time)
  }

  async lastTick(name: string): Promise<number | null> {
    return ((await this.#store.kv.get(`tick:${name}`)) as number | undefined) ?? null
  }

  async claim(queues: readonly JobQueue[], maxJobs: number): Promise<readonly ClaimedJob[]> {
    const claims = this.#nextJobs.splice(0)
    for (const { name } of queues) {
      const lane = this.#lane(name)
      const worker = lane.worker ?? (await this.#startWorker(lane))
      while (claims.length < maxJobs) {
        const claim = crypto.randomUUID()
        const native = await worker.getNextJob(claim, { block: false })
        if (!native) break
        claims.push(toClaim(native, claim))
      }
    }
    return claims
  }

  async renew(claims: readonly ClaimedJob[]): Promise<readonly ClaimedJob[]> {
    const renewals = await Promise.all(claims.map((claim) => this.#extend(claim)))
    return claims.filter((_, index) => !renewals[index])
  }

  #extend(job: ClaimedJob): Promise<boolean> {
    const { leaseMs } = this.#settings as EngineSettings
    return runUnlessLost(async () => (await toNative(job).extendLock(job.claim, leaseMs)) === 1)
  }

  /** Does nothing, because the BullMQ worker of each queue looks for the jobs of crashed processes with a timer. */
  async reclaim(): Promise<void> {}

  /** Finishes a job. The same call claims the next one of its name, which saves half of all calls. */
  async finish(job: ClaimedJob): Promise<boolean> {
    const native = toNative(job)
    this.#finishCount += 1
    // Now and then no next job of this name is claimed, so that jobs of other names get their turn.
    const claimsNext = this.#finishCount % finishesWithoutNext !== 0
    let next: NextJob = []
    const isOurs = await runUnlessLost(async () => {
      next = (await native.moveToCompleted(null, job.claim, claimsNext)) || []
    })
    const [data, id] = next
    const { worker } = this.#lane(job.name)
    if (worker && data && id) this.#nextJobs.push(toClaim(native.constructor.fromJSON(worker, data, id), job.claim))
    return isOurs
  }

  async release(job: ClaimedJob, delay: number | null): Promise<boolean> {
    if (!(await this.save(job))) return false
    const native = toNative(job)
    if (delay !== null) return runUnlessLost(() => native.moveToDelayed(Date.now() + delay, job.claim))
    return runUnlessLost(() => native.moveToFailed(new Error(job.data.error?.split("\n")[0]), job.claim))
  }

  /** Extends the claim first, so that no other process has the job while its data changes. */
  async save(job: ClaimedJob): Promise<boolean> {
    return (await this.#extend(job)) && runUnlessLost(() => toNative(job).updateData(job.data))
  }

  async #find({ name, id, state }: JobFilter, maxJobs: number): Promise<[BullJob, JobState][]> {
    const found: [BullJob, JobState][] = []
    const lanes = [...this.#lanes].filter(([lane]) => name === undefined || lane === name)
    for (const [, { queue }] of lanes) {
      for (const one of Object.keys(typesByState) as JobState[]) {
        if (state !== undefined && state !== one) continue
        const jobs = await queue.getJobs(typesByState[one], 0, maxJobs - 1)
        // A job may be removed while the list is read.
        for (const job of jobs) if (job && (id === undefined || job.id === id)) found.push([job, one])
      }
    }
    return found.slice(0, maxJobs)
  }

  async list(filter: JobFilter, maxJobs: number): Promise<readonly JobRecord[]> {
    const found = await this.#find(filter, filter.id === undefined ? maxJobs : maxChanged)
    return found.map(([job, state]) => {
      const { attempt, data, ...claim } = toClaim(job, "")
      const newData = { ...data, error: data.error ?? job.failedReason }
      return toJobRecord({ ...claim, attempt: Math.max(0, attempt), data: newData }, state, job.timestamp + job.delay)
    })
  }

  async count() {
    const all: { name: string; state: JobState; count: number }[] = []
    for (const [name, { queue }] of this.#lanes) {
      const counts = await queue.getJobCounts(...Object.values(typesByState).flat())
      for (const state of Object.keys(typesByState) as JobState[]) {
        const count = typesByState[state].reduce((sum, type) => sum + (counts[type] ?? 0), 0)
        if (count > 0) all.push({ name, state, count })
      }
    }
    return all
  }

  async retry(filter: JobFilter): Promise<number> {
    const found = await this.#find({ ...filter, state: "failed" }, maxChanged)
    for (const [job] of found) {
      await job.updateData({ ...job.data, uncountedAttempts: 0 })
      await job.retry("failed", { resetAttemptsMade: true, resetAttemptsStarted: true })
    }
    return found.length
  }

  async clear(filter: JobFilter): Promise<number> {
    const found = (await this.#find(filter, maxChanged)).filter(([, state]) => state !== "running")
    for (const [job] of found) await job.remove()
    return found.length
  }

  async setPaused(name: string, isPaused: boolean): Promise<void> {
    const { queue } = this.#lane(name)
    await (isPaused ? queue.pause() : queue.resume())
  }

  async listPaused(): Promise<readonly string[]> {
    const names = [...this.#lanes.keys()]
    const paused = await Promise.all(names.map((name) => this.#lane(name).queue.isPaused()))
    return names.filter((_, index) => paused[index])
  }

  async close(): Promise<void> {
    for (const job of this.#nextJobs.splice(0)) {
      job.data.uncountedAttempts += 1
      await this.release(job, 0)
    }
    for (const { queue, worker } of this.#lanes.values()) {
      await worker?.close(true)
      await queue.close()
    }
  }
}

function toClaim(native: BullJob, claim: string): ClaimedJob {
  const { id = "", name, data, attemptsStarted } = native
  return { id, claim, name, attempt: attemptsStarted - data.uncountedAttempts, data, native }
}

/**
 * Listens to `error`, because Node ends a process in which nothing does. If Redis fails, the calls fail too, and the
 * runner reports that.
 */
const ignoreError = () => {}

const toNative = ({ native }: ClaimedJob) => native as BullJob

/**
 * Errors of BullMQ which mean that a claim is lost: the lock is missing or has another owner, or the job is not active.
 */
const lostPattern = /lock|missing key|is not in the active state/i

/** Runs a call about a claimed job. Returns false if the claim is lost. */
async function runUnlessLost(call: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await call()) !== false
  } catch (error) {
    if (lostPattern.test(String((error as Error)?.message))) return false
    throw error
  }
}

/**
 * Returns the job engine for Redis. It uses BullMQ, version 5 or later, which the application installs; the lock of
 * BullMQ protects a claim. It does not support `concurrency` with a key and `tx`. Priorities apply among jobs of the
 * same name.
 *
 * @throws FwError `job_engine` if the classes of BullMQ are missing.
 * @example
 * import { Redis } from "ioredis"
 * class Queue {} // import { Queue, Worker } from "bullmq"
 * class Worker {}
 * const connection = new Redis("redis://127.0.0.1:6379", { maxRetriesPerRequest: null, lazyConnect: true })
 * setJobEngine(bullmqJobs({ Queue, Worker, connection }))
 */
export function bullmqJobs(options: BullmqJobsOptions): JobEngine {
  checkKeys(options, ["Queue", "Worker", "connection", "prefix"], "job_options", "bullmqJobs()", {
    Queue: "function",
    Worker: "function",
    prefix: "string",
  })
  const { Queue, Worker, connection } = options as Partial<BullmqJobsOptions>
  if (!Queue || !Worker || !connection) throw jobFault("job_engine.bullmq")
  return new BullmqEngine(options)
}
