/** The data of a job that engines store as JSON. */
import type { ClaimedJob, JobData, NewJob } from "./engine.ts"

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
