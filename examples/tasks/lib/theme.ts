/** The theme: light, dark or automatic, stored in a cookie. */
import type { Context } from "fw"
import { themes } from "./schemas.ts"

export type Theme = (typeof themes)[number]

const yearSeconds = 365 * 24 * 60 * 60

/** Returns the theme with a name; `auto` for an unknown one. */
export function findTheme(name: string | undefined): Theme {
  return themes.find((theme) => theme === name) ?? "auto"
}

/** Stores the theme. The cookie is not a secret, so it is also set over plain HTTP. */
export function keepTheme(c: Context, theme: Theme): void {
  c.setCookie({ name: "theme", value: theme, maxAge: yearSeconds, httpOnly: true, sameSite: "Lax" })
}
