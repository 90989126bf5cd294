import type { Context } from "fw"

/** Reports that the application is running. */
export function Get(c: Context) {
  return c.json(200, { status: "ok" })
}
