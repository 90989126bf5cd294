/** The data of a job that engines store as JSON. */
import type { ClaimedJob, JobData, NewJob } from "./engine.ts"

/** Returns the data of a new job. */
export function createJobData({ payload, scheduled }: Pick<NewJob, "payload" | "scheduled">): JobData {
  return { payload, scheduled, steps: {}, returned: 0 }
}

/** Returns the data of a claimed job with some changes. */
export function toJobData(
  { payload, scheduled, steps, progress, returned, error }: ClaimedJob,
  changes: Partial<JobData> = {},
): JobData {
  return { payload, scheduled, steps, progress, returned, error, ...changes }
}
