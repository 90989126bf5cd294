/** `bullmqJobs()`: stores jobs in Redis, with the package BullMQ of the application. */
import type { Job, JobJson, JobType, Queue, Worker } from "bullmq"
import { checkKeys } from "../../lib/checks.ts"
import type { ClaimedJob, JobData, JobEngine, JobFilter, JobState } from "../../lib/jobs/engine.ts"
import { jobFault } from "../../lib/jobs/fault.ts"
import { jobStates, maxChanged, toJobRecord } from "../../lib/jobs/job-data.ts"
import type { RedisClient } from "../../lib/store/redis/client.ts"
import { redisStore } from "../../lib/store/redis.ts"
import type { PackageClass } from "./package-class.ts"

type BullJob = Job<JobData>
type BullQueue = Queue<JobData>
type BullWorker = Worker<JobData>

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
  readonly Queue: PackageClass
  /** The class `Worker` of BullMQ. */
  readonly Worker: PackageClass
  /** A client of `ioredis` with `maxRetriesPerRequest: null`. The program itself closes it. */
  readonly connection: object
  /** The beginning of all keys in Redis. Default: `fw-jobs`. */
  readonly prefix?: string
}

const typesByState: Readonly<Record<JobState, JobType[]>> = {
  // BullMQ 5 keeps the jobs of a paused queue in a list of their own.
  waiting: ["waiting", "delayed", "prioritized", "paused" as JobType],
  running: ["active"],
  failed: ["failed"],
}
/** Seconds for which a job of a schedule is kept after its end. In this time, no other process can add it again. */
const keepTimesSeconds = 3600

/** The queue for the jobs of one name. */
interface Lane {
  readonly maxAttempts: number
  readonly queue: BullQueue
  /** Claims the jobs. It has a connection of its own, so a process that only adds jobs has none. */
  worker?: BullWorker
}

function createEngine({ Queue, Worker, connection, prefix = "fw-jobs" }: BullmqJobsOptions): JobEngine {
  const { kv } = redisStore(connection as RedisClient, { prefix: `${prefix}:` })
  const lanes = new Map<string, Lane>()
  let leaseMs = 0

  const getLane = (name: string) => lanes.get(name) as Lane

  async function startWorker(name: string, lane: Lane): Promise<BullWorker> {
    const times = { lockDuration: leaseMs, stalledInterval: leaseMs, maxStalledCount: lane.maxAttempts - 1 }
    const options = { connection, prefix, autorun: false, ...times }
    const worker = new Worker(...([name, null, options] as never[])) as BullWorker
    worker.on("error", ignoreError)
    lane.worker = worker
    await worker.startStalledCheckTimer()
    return worker
  }

  const extend = ({ claim, native }: ClaimedJob) =>
    runUnlessLost(async () => (await (native as BullJob).extendLock(claim, leaseMs)) === 1)

  /** Extends the claim first, so that no other process has the job while its data changes. */
  const save = async (job: ClaimedJob) =>
    (await extend(job)) && runUnlessLost(() => (job.native as BullJob).updateData(job.data))

  async function find({ name, id, state }: JobFilter, maxJobs: number): Promise<[BullJob, JobState][]> {
    const found: [BullJob, JobState][] = []
    for (const [lane, { queue }] of lanes) {
      for (const one of jobStates) {
        if ((name ?? lane) !== lane || (state ?? one) !== one) continue
        const jobs = await queue.getJobs(typesByState[one], 0, maxJobs - 1)
        // A job may be removed while the list is read.
        for (const job of jobs) if (job && (id === undefined || job.id === id)) found.push([job, one])
      }
    }
    return found.slice(0, maxJobs)
  }

  const engine: JobEngine = {
    name: "bullmq",
    features: new Set(["concurrency", "priority", "steps", "unique"]),
    async open(settings) {
      leaseMs = settings.leaseMs
      for (const { name, maxRunning, maxAttempts } of settings.queues) {
        const queue = new Queue(...([name, { connection, prefix }] as never[])) as BullQueue
        queue.on("error", ignoreError)
        lanes.set(name, { maxAttempts, queue })
        await (maxRunning === undefined ? queue.removeGlobalConcurrency() : queue.setGlobalConcurrency(maxRunning))
      }
    },
    async add({ name, data, delay, priority, unique }) {
      // All processes use the same id for a time of a schedule, so only the first one adds the job.
      const isScheduled = data.scheduled !== undefined
      const jobId = isScheduled ? `time-${data.scheduled}` : crypto.randomUUID()
      const added = await getLane(name).queue.add(name, data, {
        jobId,
        delay,
        // In BullMQ, 1 is the most urgent priority, and jobs without a priority come before all others.
        ...(priority !== undefined && { priority: 101 - priority }),
        ...(unique !== undefined && { deduplication: { id: unique } }),
        removeOnComplete: isScheduled ? { age: keepTimesSeconds } : true,
      })
      return added.id === jobId ? jobId : null
    },
    async tick(name, time, last, job) {
      if ((await engine.lastTick(name)) !== last) return false
      if (job) await engine.add(job)
      return kv.compareAndSet(`tick:${name}`, last ?? undefined, time)
    },
    lastTick: async (name) => ((await kv.get(`tick:${name}`)) as number | undefined) ?? null,
    async claim(queues, maxJobs) {
      const claims: ClaimedJob[] = []
      for (const { name } of queues) {
        const lane = getLane(name)
        const worker = lane.worker ?? (await startWorker(name, lane))
        while (claims.length < maxJobs) {
          const claim = crypto.randomUUID()
          const native = await worker.getNextJob(claim, { block: false })
          if (!native) break
          claims.push(toClaim(native, claim))
        }
      }
      return claims
    },
    renew: extend,
    // The BullMQ worker of each queue looks for the jobs of crashed processes with a timer.
    reclaim: async () => {},
    async finish({ name, claim, native }, claimsNext = false) {
      const job = native as BullJob
      // The data and the id of the job that BullMQ has claimed at the same time.
      let next: [data?: JobJson, id?: string] = []
      const isCurrent = await runUnlessLost(async () => {
        next = ((await job.moveToCompleted(null, claim, claimsNext)) || []) as typeof next
      })
      const [data, id] = next
      const { worker } = getLane(name)
      const JobClass = job.constructor as typeof Job
      return worker && data && id ? toClaim(JobClass.fromJSON(worker, data, id), claim) : isCurrent
    },
    async release(job, delay) {
      if (!(await save(job))) return false
      const native = job.native as BullJob
      if (delay !== null) return runUnlessLost(() => native.moveToDelayed(Date.now() + delay, job.claim))
      return runUnlessLost(() => native.moveToFailed(new Error(job.data.error?.split("\n")[0]), job.claim))
    },
    save,
    async list(filter, maxJobs) {
      const found = await find(filter, filter.id === undefined ? maxJobs : maxChanged)
      return found.map(([job, state]) => {
        const { attempt, data, ...claim } = toClaim(job, "")
        const shown = { ...claim, attempt: Math.max(0, attempt), data: { error: job.failedReason, ...data } }
        return toJobRecord(shown, state, job.timestamp + job.delay)
      })
    },
    async count() {
      const all: { name: string; state: JobState; count: number }[] = []
      for (const [name, { queue }] of lanes) {
        // One call for all states, so that a job that changes its state is counted once.
        const counts = await queue.getJobCounts(...Object.values(typesByState).flat())
        for (const state of jobStates)
          all.push({ name, state, count: typesByState[state].reduce((sum, type) => sum + (counts[type] ?? 0), 0) })
      }
      return all.filter(({ count }) => count > 0)
    },
    async retry(filter) {
      const found = await find({ ...filter, state: "failed" }, maxChanged)
      for (const [job] of found) {
        await job.updateData({ ...job.data, uncountedAttempts: 0 })
        await job.retry("failed", { resetAttemptsMade: true, resetAttemptsStarted: true })
      }
      return found.length
    },
    async clear(filter) {
      const found = (await find(filter, maxChanged)).filter(([, state]) => state !== "running")
      for (const [job] of found) await job.remove()
      return found.length
    },
    setPaused: (name, isPaused) => getLane(name).queue[isPaused ? "pause" : "resume"](),
    async listPaused() {
      const paused = await Promise.all([...lanes.values()].map(({ queue }) => queue.isPaused()))
      return [...lanes.keys()].filter((_, index) => paused[index])
    },
    async close() {
      for (const { queue, worker } of lanes.values()) {
        await worker?.close(true)
        await queue.close()
      }
    },
  }
  return engine
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
  const types = { Queue: "function", Worker: "function", prefix: "string" } as const
  checkKeys(options, ["Queue", "Worker", "connection", "prefix"], "job_options", "bullmqJobs()", types)
  const { Queue, Worker, connection } = options as Partial<BullmqJobsOptions>
  if (!Queue || !Worker || !connection) throw jobFault("job_engine.bullmq")
  return createEngine(options)
}
