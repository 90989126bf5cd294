/**
 * `serveJobs()`: runs the jobs of a worker. Cloudflare Queues keep the jobs, and a Cron Trigger adds those of
 * schedules.
 */
import { platform } from "#platform"
import type { App } from "../../lib/app.ts"
import { machineClock } from "../../lib/jobs/clock.ts"
import { checkFeatures, type JobDefinition, readDefinitions } from "../../lib/jobs/definition.ts"
import type { ClaimedJob, JobData, JobEngine, NewJob } from "../../lib/jobs/engine.ts"
import { jobFault } from "../../lib/jobs/fault.ts"
import { createJobData } from "../../lib/jobs/job-data.ts"
import { jobSettings, traceAttempt } from "../../lib/jobs/jobs.ts"
import { createNewJob } from "../../lib/jobs/new-job.ts"
import { mountedJobs } from "../../lib/jobs/registry.ts"
import { computeBackoff, isLastAttempt, runAttempt } from "../../lib/jobs/run-job.ts"
import { formatBug } from "../../lib/log/error-report.ts"
import { log } from "../../lib/log/log.ts"
import { serve, type Worker } from "../workers.ts"

/** A job in the form of a message for a queue. */
type JobMessage = Pick<ClaimedJob, "id" | "name"> & Pick<JobData, "payload" | "scheduled">

/** The members of a binding for sending to a queue that fw uses. */
interface QueueBinding {
  send(body: object, options: { contentType: "json"; delaySeconds?: number }): Promise<unknown>
}

/** A message that a queue delivers to the worker. */
interface QueueMessage {
  readonly body: unknown
  /** The number of the delivery; 1 for the first one. */
  readonly attempts: number
  ack(): void
  retry(options: { delaySeconds: number }): void
}

/**
 * A worker that serves an app and runs its jobs.
 *
 * @example const readHandlers = ({ fetch, queue, scheduled }: JobWorker) => [fetch, queue, scheduled]
 */
export interface JobWorker extends Worker {
  /** Runs the jobs of a batch of messages. */
  queue(batch: { readonly messages: readonly QueueMessage[] }, env: object): Promise<void>
  /** Adds the jobs whose schedules have a time in the minute of the trigger. */
  scheduled(event: { readonly scheduledTime: number }, env: object): Promise<void>
}

/** Limits of the platform: the bytes of a message that are left for a payload, and the seconds of a delay. */
const maxPayloadBytes = 120_000
const maxDelaySeconds = 43_200
/** The largest values that job options can have on this platform. */
const maxRetries = 100
const maxTimeoutSeconds = 890
/** Seconds before the next attempt of a job whose file this version of the worker does not have. */
const unknownSeconds = 60
const minuteMs = 60_000

const toSeconds = (ms: number) => Math.ceil(ms / 1000)

/** The bindings of the worker. They come with each event. */
let bindings: Readonly<Record<string, QueueBinding | undefined>> = {}

function getQueue(name: "JOBS" | "JOBS_FAILED"): QueueBinding {
  const queue = bindings[name]
  if (typeof queue?.send !== "function") throw jobFault("job_engine.binding", [name])
  return queue
}

/** Adds jobs. Everything else that an engine does is done by the platform. */
const engine = {
  name: "cloudflare",
  features: new Set<never>(),
  open: async () => {},
  async add({ name, data, delay }: NewJob): Promise<string> {
    const { payload, scheduled } = data
    const bytes = new TextEncoder().encode(payload).length
    if (bytes > maxPayloadBytes) throw jobFault("job_payload.large", [name, bytes, maxPayloadBytes])
    const delaySeconds = toSeconds(delay)
    if (delaySeconds > maxDelaySeconds) throw jobFault("job_engine.delay", [name, delaySeconds, maxDelaySeconds])
    // A trigger may be delivered twice. Both times, its jobs get the same id.
    const id = scheduled === undefined ? crypto.randomUUID() : `${name}@${new Date(scheduled).toISOString()}`
    const message: JobMessage = { id, name, payload, scheduled }
    await getQueue("JOBS").send(message, { contentType: "json", ...(delaySeconds > 0 && { delaySeconds }) })
    return id
  },
}

/** Checks that the platform can do what a job needs. @throws FwError `job_engine`. */
function checkLimits({ file, options }: JobDefinition): void {
  const { retries = 0, timeout = 0, missed = "skip" } = options
  const fail = (option: string, rule: string) => {
    throw jobFault("job_engine.limit", [engine.name, option, rule], { at: { file } })
  }
  if (retries > maxRetries) fail("retries", `at most ${maxRetries}`)
  if (timeout > maxTimeoutSeconds) fail("timeout", `at most ${maxTimeoutSeconds}`)
  if (missed !== "skip") fail("missed", "skip, because the platform does not repeat a Cron Trigger")
}

/** Runs the job of a message, and decides whether the platform delivers it again. */
async function runMessage(message: QueueMessage, definitions: ReadonlyMap<string, JobDefinition>): Promise<void> {
  const { attempts } = message
  const body = message.body as JobMessage
  const { id, name, payload, scheduled } = body
  const definition = definitions.get(name)
  if (!definition) return message.retry({ delaySeconds: unknownSeconds })
  const claimed: ClaimedJob = { id, name, claim: "", attempt: attempts, data: createJobData(payload, scheduled) }
  const lines = log.with({ job: name, jobID: id, attempt: attempts })
  const tools = {
    engine: { ...engine, save: async () => true },
    clock: machineClock,
    stopController: new AbortController(),
  }
  try {
    await traceAttempt(claimed, engine.name, () => runAttempt(definition, claimed, tools))
    return message.ack()
  } catch (error) {
    platform.report(error)
    if (!isLastAttempt(definition, attempts, error)) {
      const seconds = toSeconds(computeBackoff(definition, attempts, Math.random()))
      lines.warn("the job has failed, and is tried again", { seconds })
      return message.retry({ delaySeconds: Math.min(seconds, maxDelaySeconds) })
    }
    lines.warn("the job has failed for the last time")
    try {
      const [reason] = formatBug(error).split("\n", 1)
      await getQueue("JOBS_FAILED").send({ ...body, error: reason }, { contentType: "json" })
      message.ack()
    } catch (problem) {
      platform.report(problem)
      message.retry({ delaySeconds: unknownSeconds })
    }
  }
}

/** Adds the jobs of schedules that are due in the minute of a Cron Trigger. */
async function addScheduled(definitions: Iterable<JobDefinition>, scheduledTime: number): Promise<void> {
  const from = Math.floor(scheduledTime / minuteMs) * minuteMs
  for (const definition of definitions) {
    for (const scheduled of definition.times(from - 1)) {
      if (scheduled >= from + minuteMs) break
      const delay = Math.max(0, scheduled - Date.now())
      await engine.add(await createNewJob(definition, undefined, { delay, scheduled }))
    }
  }
}

/**
 * Returns an app with jobs as a worker. `fw build --target workers` calls it for a project with job files. Jobs are messages
 * of the queue with the binding `JOBS`. Jobs that have failed for the last time go to the queue `JOBS_FAILED`. A Cron Trigger
 * that runs every minute adds the jobs of schedules.
 *
 * @throws FwError `job_options` for options of a job file that are not valid, `job_engine` for those that the platform
 * cannot have.
 * @example
 * const app = new App()
 * app.get("/", (c) => c.string(200, "hello"))
 * export default await serveJobs(app)
 */
export async function serveJobs(app: App): Promise<JobWorker> {
  const worker = serve(app)
  jobSettings.engine = engine as unknown as JobEngine
  const { routes } = mountedJobs
  const definitions = routes ? await readDefinitions(routes) : new Map<string, JobDefinition>()
  checkFeatures(definitions.values(), jobSettings.engine)
  for (const definition of definitions.values()) checkLimits(definition)
  return {
    fetch(request, env, context) {
      bindings = env as typeof bindings
      return worker.fetch(request, env, context)
    },
    async queue({ messages }, env) {
      bindings = env as typeof bindings
      await Promise.all(messages.map((message) => runMessage(message, definitions)))
    },
    async scheduled({ scheduledTime }, env) {
      bindings = env as typeof bindings
      await addScheduled(definitions.values(), scheduledTime)
    },
  }
}
