/** Reads a job file: the function that it exports, and its options with their defaults. */
import { checkKeys } from "../checks.ts"
import type { Log } from "../log/record.ts"
import { getExport } from "../mount/get-export.ts"
import type { StandardSchema } from "../request/schema.ts"
import type { Routes } from "../tree.ts"
import { readCron, type ScheduleTimes } from "./cron.ts"
import type { JobEngine, JobFeature, JobQueue } from "./engine.ts"
import { jobFault } from "./fault.ts"

/**
 * The second argument of a job's function.
 *
 * @example
 * export async function Job({ email }: { email: string }, job: JobContext) {
 *   const invoice = await job.step("invoice", () => ({ number: 7 }))
 *   job.log.info("the invoice is written", { email, invoice: invoice.number })
 * }
 */
export interface JobContext {
  /** The id of the job, the same for all attempts. Pass it to services that accept an idempotency key. */
  readonly id: string
  /** Name of the file's directory: `mail/welcome`. */
  readonly name: string
  /** The number of the attempt, from 1. Attempts whose process crashed count too. */
  readonly attempt: number
  /** The time for which a schedule has added the job; undefined for a job that the program has added. */
  readonly scheduled: Date | undefined
  /**
   * Aborts when the time of the attempt is over, when the program stops, and when another process has taken over the
   * job. Pass it to `fetch()` and to other calls that wait.
   */
  readonly signal: AbortSignal
  /** Writes lines of the program, as `c.log` does. Each has the name and the id of the job, and the attempt. */
  readonly log: Log
  /** Stores the progress, from 0 to 1. `fw jobs show` shows it. */
  progress(done: number): Promise<void>
  /**
   * Runs a function until it succeeds once. Later attempts get the stored result of that success, which must be JSON.
   *
   * @param name the name of the step, unique in this job.
   */
  step<Result>(name: string, run: () => Result | Promise<Result>): Promise<Result>
}

/**
 * Options of a job file: `export const options: JobOptions<Payload> = { … }`.
 *
 * @example
 * export const options: JobOptions<{ customer: string }> = {
 *   retries: 3,
 *   timeout: 60,
 *   concurrency: { limit: 1, key: ({ customer }) => customer },
 * }
 */
export interface JobOptions<Payload = never> {
  /** Number of attempts after the first one has failed. Default: 5. */
  readonly retries?: number
  /**
   * Seconds to wait after the first failed attempt. The time doubles with each attempt, up to an hour, and a random
   * part of at most a tenth is added. A function gets the number of the failed attempt and returns the seconds; if it
   * throws, its error is reported, and the job waits an hour. Default: 10.
   */
  readonly backoff?: number | ((attempt: number) => number)
  /** Maximum number of seconds of an attempt. Then `job.signal` aborts, and the attempt has failed. Default: 600. */
  readonly timeout?: number
  /**
   * How many of these jobs may run at the same time, over all processes. With `key`, the limit is for each value of the
   * key. Default: no limit.
   */
  readonly concurrency?: number | { readonly limit: number; readonly key: (payload: Payload) => string }
  /**
   * True to add no job while one with the same payload waits or runs. A function returns the text that must be unique
   * in place of the payload. Default: false.
   */
  readonly unique?: boolean | ((payload: Payload) => string)
  /** A number from -100 to 100. Jobs with a higher number run first. Default: 0. */
  readonly priority?: number
  /**
   * A cron expression that says when the job is added. It has five fields, such as `0 3 * * *`, or six with seconds
   * first.
   */
  readonly schedule?: string
  /** The time zone of the schedule, such as `Europe/Berlin`. Default: `UTC`. */
  readonly timezone?: string
  /**
   * What to do about times of the schedule at which no process was running: nothing, add one job for all of them, or
   * add one job for each, at most a hundred. Default: `once`.
   */
  readonly missed?: "skip" | "once" | "all"
}

/**
 * The key under which `Job()` may have a check. A program calls the check before it runs jobs, and the check throws if
 * something is missing.
 */
export const startCheck: unique symbol = Symbol("startCheck")

/** A job file, read and checked. */
export interface JobDefinition extends JobQueue {
  readonly file: string
  readonly run: { (payload: unknown, job: JobContext): unknown; readonly [startCheck]?: () => void }
  readonly options: JobOptions
  /** The times of its schedule; none if it has no schedule. */
  readonly times: ScheduleTimes
  /**
   * The validator that fw has made from the type of the payload. It validates an object whose property `payload` is the
   * payload.
   */
  readonly schema: StandardSchema | undefined
}

/** The name under which a generated module exports the validator of its payload. */
export const payloadExport = "$payload"

const isWholeNumber = (value: unknown, from: number, to: number) =>
  Number.isInteger(value) && (value as number) >= from && (value as number) <= to
const isFunction = (value: unknown) => typeof value === "function"
const isSeconds = (value: unknown) => typeof value === "number" && value > 0 && value <= 1_000_000
const isKeyedLimit = (value: unknown) => {
  const { limit, key } = Object(value) as { limit?: unknown; key?: unknown }
  return isWholeNumber(limit, 1, 10_000) && isFunction(key)
}

/** The rule of each option, and the sentence that explains it. */
const rules: Readonly<Record<keyof JobOptions, readonly [isValid: (value: unknown) => boolean, rule: string]>> = {
  retries: [(value) => isWholeNumber(value, 0, 1000), "Write a whole number from 0 to 1000."],
  backoff: [(value) => isSeconds(value) || isFunction(value), "Write seconds, or a function that returns seconds."],
  timeout: [isSeconds, "Write seconds, more than 0."],
  concurrency: [
    (value) => isWholeNumber(value, 1, 10_000) || isKeyedLimit(value),
    "Write a whole number from 1, or { limit: 1, key: (payload) => payload.customer }.",
  ],
  unique: [
    (value) => typeof value === "boolean" || isFunction(value),
    "Write true, or a function of the payload that returns a text.",
  ],
  priority: [(value) => isWholeNumber(value, -100, 100), "Write a whole number from -100 to 100."],
  schedule: [(value) => typeof value === "string", 'Write a cron expression, such as "0 3 * * *".'],
  timezone: [(value) => typeof value === "string", 'Write a name such as "Europe/Berlin".'],
  missed: [(value) => ["skip", "once", "all"].includes(value as string), 'Write "skip", "once" or "all".'],
}

/** Reads the job files of a program. @throws FwError `job_options` for an option that is not valid. */
export async function readDefinitions(routes: Routes): Promise<ReadonlyMap<string, JobDefinition>> {
  const promises = (routes.tree.jobs ?? []).map(({ name, file }) => readDefinition(routes, name, file))
  return new Map((await Promise.all(promises)).map((definition) => [definition.name, definition]))
}

async function readDefinition(routes: Routes, name: string, file: string): Promise<JobDefinition> {
  const run = getExport<JobDefinition["run"]>(routes, file, "Job")
  const { options = {}, [payloadExport]: schema } = routes.modules[file] as {
    options?: JobOptions
    [payloadExport]?: StandardSchema
  }
  checkKeys(options, Object.keys(rules), "job_options", `options of ${file}`)
  for (const [key, value] of Object.entries(options) as [keyof JobOptions, unknown][]) {
    const [isValid, rule] = rules[key]
    if (value !== undefined && !isValid(value)) throw jobFault("job_options", [key, value, rule], { at: { file } })
  }
  const { concurrency, retries = 5 } = options
  const hasKeys = typeof concurrency === "object"
  const maxRunning = hasKeys ? concurrency.limit : concurrency
  const times = await readSchedule(options, file)
  return { name, file, run, options, schema, times, hasKeys, maxRunning, maxAttempts: retries + 1 }
}

async function readSchedule({ schedule, timezone }: JobOptions, file: string): Promise<ScheduleTimes> {
  if (schedule === undefined) return () => []
  return readCron(schedule, timezone ?? "UTC").catch(({ message }: Error) => {
    throw jobFault("job_options.schedule", [schedule, timezone, message], { at: { file } })
  })
}

/** Checks that an engine has all features that the jobs use. @throws FwError `job_engine`. */
export function checkFeatures(definitions: Iterable<JobDefinition>, { name, features }: JobEngine): void {
  for (const { file, options, maxRunning, hasKeys } of definitions) {
    const requirements: readonly [boolean, JobFeature][] = [
      [maxRunning !== undefined && !hasKeys, "concurrency"],
      [hasKeys, "concurrency by key"],
      [options.priority !== undefined, "priority"],
      [Boolean(options.unique), "unique"],
    ]
    const missingFeature = requirements.find(([isNeeded, feature]) => isNeeded && !features.has(feature))
    if (missingFeature)
      throw jobFault("job_engine.feature", [name, missingFeature[1], `options of ${file}`], { at: { file } })
  }
}
