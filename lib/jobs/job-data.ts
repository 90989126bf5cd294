/** The data of a job that engines store as JSON. */
import type { ClaimedJob, JobData, JobRecord, JobState } from "./engine.ts"

export const jobStates: readonly JobState[] = ["waiting", "running", "failed"]

/** Maximum number of jobs that one call of an engine changes. */
export const maxChanged = 10_000

/** Returns a text that differs for each claim of each job. */
export const toFence = ({ id, claim }: ClaimedJob): string => `${id}:${claim}`

/** Returns the data of a new job. @param scheduled the time for which a schedule adds it. */
export function createJobData(payload: string, scheduled?: number): JobData {
  return { payload, scheduled, steps: {}, uncountedAttempts: 0 }
}

/** Returns a job as `fw jobs list` shows it. @param due the earliest time at which it may run. */
export function toJobRecord({ id, name, attempt, data }: ClaimedJob, state: JobState, due: number): JobRecord {
  const { payload, progress, error } = data
  return { id, name, state, payload, attempt, due, progress, error }
}
