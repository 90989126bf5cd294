import type { Context } from "fw"
import { preferences } from "../../../lib/schemas.ts"
import { keepTheme } from "../../../lib/theme.ts"

/** Returns the preferences of this browser. */
export function Get(c: Context) {
  return c.json(200, { theme: c.cookie("theme") || "auto" })
}

/**
 * Stores the theme in a cookie.
 *
 * @security none
 */
export async function Post(c: Context) {
  const { theme } = await c.bind(preferences)
  keepTheme(c, theme)
  return c.json(200, { theme })
}
