/** State in memory exists once in each worker of a program, so it is refused where there are several. */
import { platform } from "#platform"

/** Environment variable of a worker: the number of workers of its program. */
export const workerVariable = "FW_WORKER"

/** Returns the number of workers if there are several. */
export function findWorkerCount(): string | undefined {
  const count = platform.env.get(workerVariable)
  return count === "1" ? undefined : count
}
