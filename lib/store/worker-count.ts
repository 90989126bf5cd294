/**
 * Finds out whether a program has several workers. Each would have its own state in memory, so stores in memory are
 * refused then.
 */
import { platform } from "#platform"

/** The environment variable in which a worker finds the number of workers of its program. */
export const workerVariable = "FW_WORKER"

/** Returns the number of workers if there are several; otherwise undefined. */
export function findWorkerCount(): string | undefined {
  const count = platform.env.get(workerVariable)
  return count === "1" ? undefined : count
}
