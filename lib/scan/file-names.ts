/** Finds the role of a file in the route directory by its name, and names that are probably meant to be one. */
import type { FaultOptions } from "../errors/catalogue.ts"
import type { FwError } from "../errors.ts"
import { scanFault } from "./fault.ts"

/** The role of a file. */
export type FileRole = "route" | "middleware" | "proxy" | "page" | "layout" | "not-found" | "error" | "job"

/** Creates the error for a file whose name resembles that of a convention file. */
export type CreateNearMiss = (options: FaultOptions) => FwError

const scriptEndings = ["ts", "js", "mts", "mjs"]
const viewEndings = ["tpl", "ts", "tsx", "js", "jsx", "mts", "mjs"]

/** The endings of file names for each role. Messages name the first one. */
const endingsByRole: Readonly<Record<FileRole, readonly string[]>> = {
  route: scriptEndings,
  middleware: scriptEndings,
  proxy: scriptEndings,
  page: viewEndings,
  layout: viewEndings,
  "not-found": ["tpl"],
  error: ["tpl"],
  job: scriptEndings,
}

const templateEndings = ["tpl", "tmpl", "templ", "gohtml", "html", "htm", "vue", "svelte", "astro", "ejs", "hbs"]
const markupEndings = [...templateEndings, "tsx", "jsx"]
const codeEndings = [...scriptEndings, "cts", "cjs", "tsx", "jsx", "go"]

/**
 * Endings with which a wrong name is probably a mistake. `error.ts` and `pages.ts` may be helpers of the application.
 */
const likelyEndings: Readonly<Record<FileRole, readonly string[]>> = {
  route: codeEndings,
  middleware: codeEndings,
  proxy: codeEndings,
  page: [...markupEndings, ...codeEndings],
  layout: [...markupEndings, ...codeEndings],
  "not-found": [...markupEndings, ...scriptEndings],
  error: markupEndings,
  job: codeEndings,
}

/** Names in other frameworks, and common misspellings, in lower case. */
const roleByAlias: Readonly<Record<string, FileRole>> = {
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

/** Further names, which are common. They count only with the ending of a template. */
const roleByViewAlias: Readonly<Record<string, FileRole>> = {
  index: "page",
  pages: "page",
  layouts: "layout",
  "404": "not-found",
  "500": "error",
  errors: "error",
}

const createXmlPageMiss: CreateNearMiss = (options) => scanFault("file_name.xml", [], options)

/** Returns the role of a file, a function that creates an error for a probable mistake, or null for any other file. */
export function findRole(file: string): FileRole | CreateNearMiss | null {
  const dot = file.lastIndexOf(".")
  const stem = file.slice(0, dot)
  const ending = file.slice(dot + 1)
  if (dot < 1) return null
  if (ending === "tpl" && /^(?:page|layout|not-found|error)\.xml$/i.test(stem)) return createXmlPageMiss
  const exact = Object.hasOwn(endingsByRole, stem) ? (stem as FileRole) : null
  if (exact && endingsByRole[exact].includes(ending)) return exact
  const role = exact ?? findSimilarRole(stem.toLowerCase(), ending)
  // `Layout.tsx` is often the name of a component.
  const isComponent = /^[A-Z]/.test(stem) && /^[tj]sx$/.test(ending) && role !== "page"
  if (role && likelyEndings[role].includes(ending) && !isComponent) return createNameMiss(role, ending)
  return scriptEndings.includes(ending) || /^[tj]sx$/.test(ending) ? findFlatRouteMiss(stem) : null
}

function findSimilarRole(stem: string, ending: string): FileRole | null {
  if (Object.hasOwn(endingsByRole, stem)) return stem as FileRole
  if (Object.hasOwn(roleByAlias, stem)) return roleByAlias[stem] as FileRole
  const isView = templateEndings.includes(ending) && Object.hasOwn(roleByViewAlias, stem)
  return isView ? (roleByViewAlias[stem] as FileRole) : null
}

function createNameMiss(role: FileRole, ending: string): CreateNearMiss {
  const endings = endingsByRole[role]
  const name = `${role}.${endings.includes(ending) ? ending : endings[0]}`
  return (options) => scanFault("file_name.near", [name], options)
}

/**
 * Finds files such as `[id].ts` and `users.get.ts`. Other frameworks route by file name, fw by directory.
 */
function findFlatRouteMiss(stem: string): CreateNearMiss | null {
  const suffix = /^(.+)\.(get|post|put|patch|delete|head|options)$/i.exec(stem)
  const name = suffix?.[1] ?? stem
  if (!suffix && !/^\[.+\]$/.test(stem)) return null
  const file = name === "index" ? "route.ts" : `${name}/route.ts`
  return (options) => scanFault("file_name.flat", [file], options)
}
