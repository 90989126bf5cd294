/** Adds jobs, and holds the job files, the engine and the clock of the program. */
import { channels, type Operation, type OperationChannel } from "../trace/operations.ts"
import type { Routes } from "../tree.ts"
import { machineClock } from "./clock.ts"
import { checkFeatures, type JobDefinition, readDefinitions } from "./definition.ts"
import type { ClaimedJob, EngineSettings, JobClock, JobEngine } from "./engine.ts"
import { jobFault } from "./fault.ts"
import { type AddOptions, createNewJob, readDelay } from "./new-job.ts"
import { mountedJobs } from "./registry.ts"

/** Milliseconds until the claims of a crashed process are lost. */
export const leaseMs = 15_000

/** The job files of a program, with an engine that is open. */
export interface OpenJobs extends Pick<EngineSettings, "clock" | "leaseMs"> {
  readonly definitions: ReadonlyMap<string, JobDefinition>
  readonly engine: JobEngine
}

/** The engine and the clock of this process. A runtime without an engine of its own has none at first. */
export const jobSettings: { engine: JobEngine | undefined; clock: JobClock } = {
  engine: undefined,
  clock: machineClock,
}

let openedJobs: { readonly routes: Routes; readonly engine: JobEngine; readonly jobs: Promise<OpenJobs> } | undefined

/** Functions that are called after this process has added a job. */
export const newJobListeners: Set<() => void> = new Set()

/**
 * Returns the jobs of the program. The first call opens the engine. @throws FwError `job_name` if there are no job
 * files.
 */
export async function openJobs(): Promise<OpenJobs> {
  const { routes } = mountedJobs
  if (!routes) throw jobFault("job_name.unmounted")
  const { engine } = jobSettings
  if (!engine) throw jobFault("job_engine.none")
  // Tests mount several apps in one process, each with other job files.
  if (openedJobs?.routes !== routes || openedJobs.engine !== engine)
    openedJobs = { routes, engine, jobs: open(routes, engine) }
  const { jobs } = openedJobs
  return jobs.catch((error) => {
    if (openedJobs?.jobs === jobs) openedJobs = undefined
    throw error
  })
}

async function open(routes: Routes, engine: JobEngine): Promise<OpenJobs> {
  const definitions = await readDefinitions(routes)
  checkFeatures(definitions.values(), engine)
  const { clock } = jobSettings
  await engine.open({ queues: [...definitions.values()], leaseMs, clock })
  return { definitions, engine, clock, leaseMs }
}

/** Returns a job by its name. @throws FwError `job_name` if there is none. */
export function findDefinition({ definitions }: Pick<OpenJobs, "definitions">, name: string): JobDefinition {
  const definition = definitions.get(name)
  if (!definition) throw jobFault("job_name", [name, [...definitions.keys()]])
  return definition
}

/**
 * Chooses the engine that stores the jobs of the program. Default: {@link sqliteJobs} with `data/jobs.db`.
 *
 * @throws FwError `job_engine` for a value that is not an engine, and after the first job was added.
 * @example
 * setJobEngine(sqliteJobs({ file: "data/jobs.db" }))
 */
export function setJobEngine(engine: JobEngine): void {
  const { features, claim } = Object(engine) as Partial<JobEngine>
  if (!(features instanceof Set) || typeof claim !== "function") throw jobFault("job_engine", [typeof engine])
  if (openedJobs) throw jobFault("job_engine.late")
  jobSettings.engine = engine
}

/** Replaces the engine and the clock, for tests. */
export function resetJobs(engine: JobEngine | undefined, clock: JobClock): void {
  Object.assign(jobSettings, { engine, clock })
  openedJobs = undefined
}

type AddArguments<Payload> = undefined extends Payload
  ? [payload?: Payload, options?: AddOptions]
  : [payload: Payload, options?: AddOptions]

/**
 * The type of the payload that the function of a job file takes.
 *
 * @example
 * const Job = (payload: { email: string }) => console.log(payload.email)
 * const payload: PayloadOf<typeof Job> = { email: "ada@shop.example" }
 */
export type PayloadOf<Job extends (...args: never[]) => unknown> =
  Parameters<Job> extends [] ? undefined : Parameters<Job>[0]

/**
 * The type of `jobs` in `#jobs`. It knows every job file and its payload.
 *
 * @example
 * const jobs: Jobs<{ "mail/welcome": { email: string } }> = createJobs()
 */
export interface Jobs<Payloads> {
  /**
   * Adds a job, which a process of the program runs later. Takes one statement of the engine's database.
   *
   * @returns the id of the job; null if a job with the same unique key already waits or runs.
   * @throws FwError `job_name` for a name without a file, `job_payload` for a payload that does not fit its type,
   * `job_options` for options that are not valid, and `job_engine` for `tx` if the engine cannot use it.
   */
  add<Name extends keyof Payloads & string>(name: Name, ...args: AddArguments<Payloads[Name]>): Promise<string | null>
}

/** Returns the object that `.fw/jobs.ts` exports. @example const jobs = createJobs<{ "mail/welcome": { email: string } }>() */
export function createJobs<Payloads>(): Jobs<Payloads> {
  return { add: (name, ...args) => addJob(name, args[0], args[1] as AddOptions | undefined) }
}

/** Adds a job, as `jobs.add()` does. */
export async function addJob(name: string, payload: unknown, options: AddOptions = {}): Promise<string | null> {
  const jobs = await openJobs()
  const { engine, clock } = jobs
  const definition = findDefinition(jobs, name)
  const delay = readDelay(name, options, clock.now())
  const { tx, unique } = options
  if (tx !== undefined && !engine.features.has("tx")) throw jobFault("job_engine.tx", [engine.name])
  if (unique !== undefined && !engine.features.has("unique"))
    throw jobFault("job_engine.feature", [engine.name, "unique", `jobs.add(${JSON.stringify(name)}, …)`])
  const id = await traceMessage(channels.enqueue, "send", name, engine.name, async (operation) => {
    const added = await engine.add(await createNewJob(definition, payload, { delay, unique }), tx)
    if (operation && added !== null) operation.attributes["messaging.message.id"] = added
    return added
  })
  for (const listener of newJobListeners) listener()
  return id
}

/** Runs an attempt, and publishes it for tracing. */
export function traceAttempt(job: ClaimedJob, engineName: string, run: () => Promise<void>): Promise<void> {
  const attributes = { "messaging.message.id": job.id, "fw.job.attempt": job.attempt }
  return traceMessage(channels.job, "process", job.name, engineName, run, attributes)
}

/** Publishes that a job is added or runs, with attributes of the semantic conventions of OpenTelemetry for messaging. */
function traceMessage<Result>(
  channel: OperationChannel,
  verb: "send" | "process",
  name: string,
  engineName: string,
  run: (operation?: Operation) => Promise<Result>,
  attributes: Operation["attributes"] = {},
): Promise<Result> {
  if (!channel.isWatched) return run()
  return channel.run(name, run, undefined, {
    "messaging.system": engineName,
    "messaging.operation.name": verb,
    "messaging.operation.type": verb,
    "messaging.destination.name": name,
    ...attributes,
  })
}
