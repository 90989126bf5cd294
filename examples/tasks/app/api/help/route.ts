import type { Context } from "fw"
import { helpPages } from "../../../lib/help.ts"

/** Lists the help pages. */
export function Get(c: Context) {
  return c.string(200, `${[...helpPages.keys()].map((path) => `/api/help/${path}`).join("\n")}\n`)
}
