import type { Context } from "fw"

/** Whether the process answers. */
export function Get(c: Context) {
  return c.json(200, { status: "ok" })
}
