/** Light, dark, or as the browser has it: a choice that is kept in a cookie. */
import type { Context } from "fw"
import { themes } from "./schemas.ts"

export type Theme = (typeof themes)[number]

const year = 365 * 24 * 60 * 60

/** The theme of that name; what is none is `auto`. */
export function themeOf(name: string | undefined): Theme {
  return themes.find((known) => known === name) ?? "auto"
}

/** The cookie is no secret, so plain HTTP at home will do. */
export function keepTheme(c: Context, theme: Theme): void {
  c.setCookie({ name: "theme", value: theme, maxAge: year, httpOnly: true, sameSite: "Lax" })
}
