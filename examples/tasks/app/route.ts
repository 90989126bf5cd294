import type { Context } from "fw"
import { themes } from "../lib/schemas.ts"
import { store } from "../lib/store.ts"
import { page } from "../lib/view.ts"

/** The page. It works by plain forms, without a script. */
export function Get(c: Context) {
  const theme = themes.find((known) => known === c.cookie("theme")) ?? "auto"
  return c.html(200, page(store.list(), { settings: store.settings, theme, themes }))
}
