/** Roles of files in the route directory, by their names, and names that resemble one. */
import type { FaultOptions } from "../catalogue.ts"
import type { FwError } from "../errors.ts"
import { scanFault } from "./fault.ts"

/** The role of a file. */
export type Role = "route" | "middleware" | "proxy" | "page" | "layout" | "not-found" | "error"

/** The error for a name that resembles one of a convention file. */
export type NearMiss = (options: FaultOptions) => FwError

const scripts = ["ts", "js", "mts", "mjs"]
const views = ["tpl", "ts", "tsx", "js", "jsx", "mts", "mjs"]

/** File name endings of each role; messages name the first. */
const endings: Readonly<Record<Role, readonly string[]>> = {
  route: scripts,
  middleware: scripts,
  proxy: scripts,
  page: views,
  layout: views,
  "not-found": ["tpl"],
  error: ["tpl"],
}

const templates = ["tpl", "tmpl", "templ", "gohtml", "html", "htm", "vue", "svelte", "astro", "ejs", "hbs"]
const markup = [...templates, "tsx", "jsx"]
const code = [...scripts, "cts", "cjs", "tsx", "jsx", "go"]

/** Endings that show which role was intended. `error.ts` and `pages.ts` may be anyone's helpers. */
const meant: Readonly<Record<Role, readonly string[]>> = {
  route: code,
  middleware: code,
  proxy: code,
  page: [...markup, ...code],
  layout: [...markup, ...code],
  "not-found": [...markup, ...scripts],
  error: markup,
}

/** Names from other frameworks and common misspellings, in lower case. */
const others: Readonly<Record<string, Role>> = {
  routes: "route",
  _route: "route",
  "+server": "route",
  middlewares: "middleware",
  _middleware: "middleware",
  "+middleware": "middleware",
  proxies: "proxy",
  _proxy: "proxy",
  "+page": "page",
  "+page.server": "page",
  _page: "page",
  "+layout": "layout",
  "+layout.server": "layout",
  _layout: "layout",
  notfound: "not-found",
  not_found: "not-found",
  "+error": "error",
  _error: "error",
}

/** The same for common names, which count only with a template's ending. */
const otherViews: Readonly<Record<string, Role>> = {
  index: "page",
  pages: "page",
  layouts: "layout",
  "404": "not-found",
  "500": "error",
  errors: "error",
}

const xmlPage: NearMiss = (options) => scanFault("file_name.xml", [], options)

/** Returns the role of a file, a near miss, or null for any other file. */
export function roleOf(file: string): Role | NearMiss | null {
  const dot = file.lastIndexOf(".")
  const stem = file.slice(0, dot)
  const ending = file.slice(dot + 1)
  if (dot < 1) return null
  if (ending === "tpl" && /^(?:page|layout|not-found|error)\.xml$/i.test(stem)) return xmlPage
  const exact = Object.hasOwn(endings, stem) ? (stem as Role) : null
  if (exact && endings[exact].includes(ending)) return exact
  const role = exact ?? nearRole(stem.toLowerCase(), ending)
  // `Layout.tsx` is a usual name for a component.
  const isComponent = /^[A-Z]/.test(stem) && /^[tj]sx$/.test(ending) && role !== "page"
  if (role && meant[role].includes(ending) && !isComponent) return misnamed(role, ending)
  return scripts.includes(ending) || /^[tj]sx$/.test(ending) ? flatRoute(stem) : null
}

function nearRole(stem: string, ending: string): Role | null {
  if (Object.hasOwn(endings, stem)) return stem as Role
  if (Object.hasOwn(others, stem)) return others[stem] as Role
  const isView = templates.includes(ending) && Object.hasOwn(otherViews, stem)
  return isView ? (otherViews[stem] as Role) : null
}

function misnamed(role: Role, ending: string): NearMiss {
  const allowed = endings[role]
  const name = `${role}.${allowed.includes(ending) ? ending : allowed[0]}`
  return (options) => scanFault("file_name.near", [name], options)
}

/**
 * Returns a near miss for `[id].ts` and `users.get.ts`: other frameworks route by file name, fw by directory.
 */
function flatRoute(stem: string): NearMiss | null {
  const suffix = /^(.+)\.(get|post|put|patch|delete|head|options)$/i.exec(stem)
  const name = suffix?.[1] ?? stem
  if (!suffix && !/^\[.+\]$/.test(stem)) return null
  const file = name === "index" ? "route.ts" : `${name}/route.ts`
  return (options) => scanFault("file_name.flat", [file], options)
}
