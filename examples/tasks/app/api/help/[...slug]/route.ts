import { type Context, notFound } from "fw"
import { helpPages } from "../../../../lib/help.ts"

/** Returns a help page. */
export function Get(c: Context<"slug">) {
  const text = helpPages.get(c.param("slug"))
  if (text === undefined) throw notFound("there is no such help page: /api/help lists them")
  return c.string(200, text)
}
