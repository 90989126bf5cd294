/** The data of a job that engines store as JSON. */
import type { ClaimedJob, JobData, JobRecord, JobState, NewJob } from "./engine.ts"

/** Returns the data of a new job. */
export function createJobData({ payload, scheduled }: Pick<NewJob, "payload" | "scheduled">): JobData {
  return { payload, scheduled, steps: {}, uncountedAttempts: 0 }
}

/** Returns the data of a claimed job with some changes. */
export function toJobData(
  { payload, scheduled, steps, progress, uncountedAttempts, error }: ClaimedJob,
  changes: Partial<JobData> = {},
): JobData {
  return { payload, scheduled, steps, progress, uncountedAttempts, error, ...changes }
}

/** Returns a job as `fw jobs list` shows it. @param due the earliest time at which it may run. */
export function toJobRecord(
  { id, name, payload, attempt, progress, error }: ClaimedJob,
  state: JobState,
  due: number,
): JobRecord {
  return { id, name, state, payload, attempt, due, progress, error }
}
