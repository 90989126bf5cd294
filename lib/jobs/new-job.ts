/** Creates the job that an engine stores, from a payload and options. */
import { checkKeys } from "../checks.ts"
import type { JobDefinition } from "./definition.ts"
import type { NewJob } from "./engine.ts"
import { jobFault } from "./fault.ts"
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

/** The times of a new job, in milliseconds since 1970. */
interface JobTimes {
  readonly due: number
  readonly scheduled?: number
}

/**
 * Creates a job. @throws FwError `job_payload` for a payload that does not fit, `job_options` for a key that is not
 * valid.
 */
export async function createNewJob(
  definition: JobDefinition,
  payload: unknown,
  { due, scheduled }: JobTimes,
  uniqueKey?: string,
): Promise<NewJob> {
  const { name, options } = definition
  const text = await writePayload(definition, payload)
  const { concurrency, unique, priority = 0 } = options
  const keys = { unique: uniqueKey, group: undefined as string | undefined }
  // `unique` and `key` get the payload in the form in which Job() gets it.
  const readBack = async () => (await readPayload(definition, text)) as never
  if (uniqueKey === undefined && unique) keys.unique = typeof unique === "function" ? unique(await readBack()) : text
  if (typeof concurrency === "object") keys.group = concurrency.key(await readBack())
  for (const [option, value] of Object.entries(keys))
    if (value !== undefined && typeof value !== "string")
      throw jobFault("job_options.add", [name, `a ${option} that is not a text`])
  return { name, payload: text, due, priority, ...keys, scheduled }
}

/**
 * Returns the earliest time for a job, in milliseconds since 1970. @throws FwError `job_options` for options that are
 * not valid.
 */
export function readAddOptions(name: string, options: AddOptions, now: number): number {
  checkKeys(options, ["delay", "at", "unique", "tx"], "job_options", "jobs.add()", { unique: "string" })
  const { delay, at } = options
  const createFault = (problem: string) => jobFault("job_options.add", [name, problem])
  if (delay !== undefined && at !== undefined) throw createFault("both delay and at")
  if (delay !== undefined && !(Number.isFinite(delay) && delay >= 0))
    throw createFault("a delay that is not a number of seconds")
  if (at !== undefined && !(at instanceof Date && Number.isFinite(at.getTime())))
    throw createFault("a time that is not a date")
  return at?.getTime() ?? now + (delay ?? 0) * 1000
}
