/** The rule for a number of workers. `FW_WORKERS` and `fw start --workers` share it. */

/** Maximum number of workers of a program. */
export const maxWorkers = 1024

/** Returns true for a number from 1 to {@link maxWorkers}, and for `auto`, which means one worker per processor. */
export function isWorkerCount(text: string): boolean {
  return text === "auto" || (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= maxWorkers)
}
