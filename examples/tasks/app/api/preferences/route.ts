import type { Context } from "fw"
import { backToPage, isForm, readInput } from "../../../lib/answers.ts"
import { preferences } from "../../../lib/schemas.ts"

const year = 365 * 24 * 60 * 60

/** What this browser prefers. */
export function Get(c: Context) {
  return c.json(200, { theme: c.cookie("theme") || "auto" })
}

/** Keeps the theme in a cookie. It is no secret, so plain HTTP at home will do. */
export async function Post(c: Context) {
  const { theme } = await readInput(c, preferences)
  c.setCookie({ name: "theme", value: theme, maxAge: year, httpOnly: true, sameSite: "Lax" })
  return isForm(c) ? backToPage(c) : c.json(200, { theme })
}
