/** Creates the job that an engine stores, from a payload and options. */
import { checkKeys } from "../checks.ts"
import type { JobDefinition } from "./definition.ts"
import type { JobData, NewJob } from "./engine.ts"
import { jobFault } from "./fault.ts"
import { createJobData } from "./job-data.ts"
import { readPayload, writePayload } from "./payload.ts"

/**
 * Options of `jobs.add()`.
 *
 * @example
 * const options: AddOptions = { delay: 3600 }
 */
export interface AddOptions {
  /** Seconds that the job waits at least. */
  readonly delay?: number
  /** The earliest time at which the job runs. */
  readonly at?: Date
  /** The unique key of this job. It replaces the key that the job's option `unique` would give. */
  readonly unique?: string
  /**
   * A transaction, as `db.transaction()` of `fw/db` passes it. The job is added if the transaction commits.
   */
  readonly tx?: object
}

/**
 * What the caller decides about a new job. The default of `delay` is 0, and that of `unique` is what the option of the
 * job file says.
 */
type NewJobSettings = Partial<Pick<NewJob, "delay" | "unique">> & Pick<JobData, "scheduled">

/**
 * Creates a job. @throws FwError `job_payload` for a payload that does not fit, `job_options` for a key that is not
 * valid.
 */
export async function createNewJob(
  definition: JobDefinition,
  payload: unknown,
  { delay = 0, scheduled, unique }: NewJobSettings = {},
): Promise<NewJob> {
  const { name, options } = definition
  const text = await writePayload(definition, payload)
  // `unique` and `key` get the payload in the form in which Job() gets it.
  const readBack = async () => (await readPayload(definition, text)) as never
  const { concurrency, priority, unique: rule } = options
  const ruleKey = typeof rule === "function" ? rule(await readBack()) : rule ? text : undefined
  const group = typeof concurrency === "object" ? concurrency.key(await readBack()) : undefined
  return { name, data: createJobData(text, scheduled), delay, priority, unique: unique ?? ruleKey, group }
}

/**
 * Returns the milliseconds that a job waits at least. @throws FwError `job_options` for options that are not valid.
 *
 * @param now the time, in milliseconds since 1970.
 */
export function readDelay(name: string, options: AddOptions, now: number): number {
  checkKeys(options, ["delay", "at", "unique", "tx"], "job_options", "jobs.add()", { unique: "string" })
  const { delay = 0, at } = options
  const createFault = (problem: string) => jobFault("job_options.add", [name, problem])
  if (options.delay !== undefined && at !== undefined) throw createFault("both delay and at")
  if (!(Number.isFinite(delay) && delay >= 0)) throw createFault("a delay that is not a number of seconds")
  if (at === undefined) return delay * 1000
  if (!(at instanceof Date && Number.isFinite(at.getTime()))) throw createFault("a time that is not a date")
  return Math.max(0, at.getTime() - now)
}
