/** `jobs.add()`, and the jobs of the program that runs: definitions, engine and clock. */
import type { Routes } from "../tree.ts"
import { checkFeatures, type JobDefinition, readDefinitions } from "./definition.ts"
import type { JobClock, JobEngine } from "./engine.ts"
import { jobFault } from "./fault.ts"
import { type AddOptions, createNewJob, readAddOptions } from "./new-job.ts"
import { mountedJobs } from "./registry.ts"

/** Milliseconds after which the claims of a process that has ended are over. */
export const leaseMs = 15_000

/** The time of the machine. */
export const machineClock: JobClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wait(ms, signal) {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener("abort", end)
        resolve()
      }
      // Longer waits are cut: a timer has 31 bits.
      const timer = setTimeout(end, Math.min(ms, 2 ** 31 - 1))
      signal.addEventListener("abort", end, { once: true })
    })
  },
}

/** The jobs of a program with an open engine. */
export interface OpenJobs {
  readonly routes: Routes
  readonly definitions: ReadonlyMap<string, JobDefinition>
  readonly engine: JobEngine
  readonly clock: JobClock
  readonly leaseMs: number
}

/** What this process uses. */
export const jobParts: {
  engine: JobEngine | undefined
  clock: JobClock
  /** Returns the engine of a program that has chosen none. */
  createEngine: () => JobEngine
} = {
  engine: undefined,
  clock: machineClock,
  createEngine: () => {
    throw jobFault("job_engine.none")
  },
}

let opened: { readonly routes: Routes; readonly engine: JobEngine; readonly jobs: Promise<OpenJobs> } | undefined

/** Called after a job was added by this process. */
export const addListeners: Set<() => void> = new Set()

/** Returns the jobs of the program. The first call opens the engine. @throws FwError `job_name` without job files. */
export async function openJobs(): Promise<OpenJobs> {
  const { routes } = mountedJobs
  if (!routes) throw jobFault("job_name.unmounted")
  jobParts.engine ??= jobParts.createEngine()
  const { engine } = jobParts
  // Tests mount several apps in one process.
  if (opened?.routes !== routes || opened.engine !== engine) opened = { routes, engine, jobs: open(routes, engine) }
  const { jobs } = opened
  return jobs.catch((error) => {
    if (opened?.jobs === jobs) opened = undefined
    throw error
  })
}

async function open(routes: Routes, engine: JobEngine): Promise<OpenJobs> {
  const definitions = await readDefinitions(routes)
  checkFeatures(definitions.values(), engine)
  const { clock } = jobParts
  await engine.open({ queues: [...definitions.values()].map(({ queue }) => queue), leaseMs, clock })
  return { routes, definitions, engine, clock, leaseMs }
}

/** Returns a job by its name. @throws FwError `job_name` for another one. */
export function findDefinition({ definitions }: Pick<OpenJobs, "definitions">, name: string): JobDefinition {
  const found = definitions.get(name)
  if (!found) throw jobFault("job_name", [name, [...definitions.keys()]])
  return found
}

/**
 * Chooses the engine that keeps the jobs of the program. Without it, that is {@link sqliteJobs} with `data/jobs.db`.
 *
 * @throws FwError `job_engine` for another object, and after the first job was added.
 * @example
 * setJobEngine(sqliteJobs({ file: "data/jobs.db" }))
 */
export function setJobEngine(engine: JobEngine): void {
  const { features, claim } = Object(engine) as Partial<JobEngine>
  if (!(features instanceof Set) || typeof claim !== "function") throw jobFault("job_engine", [typeof engine])
  if (opened) throw jobFault("job_engine.late")
  jobParts.engine = engine
}

/** Replaces engine and clock, for tests. */
export function resetJobs(engine: JobEngine | undefined, clock: JobClock): void {
  Object.assign(jobParts, { engine, clock })
  opened = undefined
}

type AddArguments<Payload> = undefined extends Payload
  ? [payload?: Payload, options?: AddOptions]
  : [payload: Payload, options?: AddOptions]

/**
 * The payload of a job file's function.
 *
 * @example
 * const Job = (payload: { email: string }) => console.log(payload.email)
 * const payload: PayloadOf<typeof Job> = { email: "ada@shop.example" }
 */
export type PayloadOf<Job extends (...given: never[]) => unknown> =
  Parameters<Job> extends [] ? undefined : Parameters<Job>[0]

/**
 * The object `jobs` of `#jobs`, whose types know every job file.
 *
 * @example
 * const jobs: Jobs<{ "mail/welcome": { email: string } }> = createJobs()
 */
export interface Jobs<Payloads> {
  /**
   * Adds a job, which some process of the program runs later. One statement of the engine.
   *
   * @returns the id of the job; null if a job with the same unique key waits or runs already.
   * @throws FwError `job_name` for a name without a file, `job_payload` for a payload that does not fit its type,
   * `job_options` for options that are not valid, `job_engine` for `tx` with an engine that cannot use it.
   */
  add<Name extends keyof Payloads & string>(name: Name, ...given: AddArguments<Payloads[Name]>): Promise<string | null>
}

/** Returns the object that `.fw/jobs.ts` exports. @example const jobs = createJobs<{ "mail/welcome": { email: string } }>() */
export function createJobs<Payloads>(): Jobs<Payloads> {
  return {
    add: (name, ...given) => addJob(name, given[0], given[1] as AddOptions | undefined),
  }
}

async function addJob(name: string, payload: unknown, options: AddOptions = {}): Promise<string | null> {
  const jobs = await openJobs()
  const { engine, clock } = jobs
  const definition = findDefinition(jobs, name)
  const due = readAddOptions(name, options, clock.now())
  const { tx, unique } = options
  if (tx !== undefined && !engine.features.has("tx")) throw jobFault("job_engine.tx", [engine.name])
  if (unique !== undefined && !engine.features.has("unique"))
    throw jobFault("job_engine.feature", [engine.name, "unique", `jobs.add(${JSON.stringify(name)}, …)`])
  const id = await engine.add(await createNewJob(definition, payload, { due }, unique), tx)
  for (const listener of addListeners) listener()
  return id
}
