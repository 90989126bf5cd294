/** Counts tasks that were created and finished in a year, a month, or in total. */
import type { Task } from "./store.ts"

export interface Report {
  /** `2026`, `2026-03` or `all`. */
  readonly period: string
  readonly created: number
  readonly finished: number
  /** Created in the period and still open. */
  readonly open: number
}

/**
 * Returns a report.
 *
 * @param period `""`, `2026` or `2026/03`, as in the path. Null for anything else.
 */
export function createReport(tasks: readonly Task[], period: string): Report | null {
  if (!/^(?:|\d{4}(?:\/(?:0[1-9]|1[0-2]))?)$/.test(period)) return null
  const start = period.replace("/", "-")
  const within = (time: string | null) => time?.startsWith(start) ?? false
  const created = tasks.filter((task) => within(task.created))
  return {
    period: start || "all",
    created: created.length,
    finished: tasks.filter((task) => within(task.finished)).length,
    open: created.filter((task) => task.finished === null).length,
  }
}
