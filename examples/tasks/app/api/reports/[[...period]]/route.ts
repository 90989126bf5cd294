import { badRequest, type Context } from "fw"
import { createReport } from "../../../../lib/report.ts"
import { store } from "../../../../lib/store.ts"

/** Counts all tasks, or those of a year (`/2026`) or a month (`/2026/03`). */
export function Get(c: Context<"period">) {
  const counts = createReport(store.list(), c.param("period"))
  if (!counts) throw badRequest("a period is a year such as 2026, or a month such as 2026/03")
  return c.json(200, counts)
}
