/**
 * Environment variable of a worker: the number of workers of its program. State in memory is refused where it is set, because
 * each worker would have its own.
 */
export const workerVariable = "FW_WORKER"
