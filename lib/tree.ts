/** The scanned application as plain data. */
import type { AssetManifest } from "./assets.ts"

/**
 * Exports of a route file, and the HTTP method of each. `*` is every method without its own handler, `SOCKET` an
 * upgrade to WebSocket.
 */
export const handlerExports = {
  Get: "GET",
  Post: "POST",
  Put: "PUT",
  Patch: "PATCH",
  Delete: "DELETE",
  Head: "HEAD",
  Options: "OPTIONS",
  All: "*",
  Socket: "SOCKET",
} as const

/** Name of a handler that a route file exports. */
export type HandlerExport = keyof typeof handlerExports

/** Handlers that a route file can offer to language models, each with one method of its own. */
export const offerableExports = ["Get", "Post", "Put", "Patch", "Delete"] as const satisfies readonly HandlerExport[]

/**
 * A method of a pattern. An optional catch-all has two patterns, with and without its last segment.
 *
 * @example const line = ({ method, pattern, file }: TreeRoute) => `${method} ${pattern} ${file}`
 */
export interface TreeRoute {
  /** `*` is every method that has no handler or page of its own for this pattern. */
  readonly method: string
  /** Canonical: `/api/users/{id}`, `/api/docs/*`. */
  readonly pattern: string
  /** Name of the final `*`, from the directory `[...name]`. */
  readonly rest?: string
  /** Relative to the project, with forward slashes. */
  readonly file: string
  readonly export: HandlerExport
  /** Line of the export in its file, from 1. */
  readonly line: number
  /** The comment right above the handler, without its marks. */
  readonly comment?: string
  /** True if the file's `mcp` offers it to language models. */
  readonly mcp?: true
  /** True if its answers are made at build time: the file exports `prerender`. */
  readonly prerender?: true
  /** Index into {@link RouteTree.layouts} of the nearest one, which `c.page()` uses. */
  readonly layout?: number
  /** Indexes into {@link RouteTree.middleware}, outermost first. */
  readonly middleware: readonly number[]
}

/**
 * A `middleware` file: it wraps every route at or below its directory.
 *
 * @example const line = ({ path, file }: TreeMiddleware) => `${path} ${file}`
 */
export interface TreeMiddleware {
  /** The directory's pattern, without groups: `/api/users/{id}`. */
  readonly path: string
  readonly file: string
  /** The comment right above `Middleware`, without its marks. */
  readonly comment?: string
}

/**
 * A page, as `page.tpl` or `page.ts`.
 *
 * @example const line = ({ pattern, title, file }: TreePage) => `${pattern} ${title} ${file}`
 */
export interface TreePage {
  readonly pattern: string
  readonly rest?: string
  readonly file: string
  /** Index into {@link RouteTree.layouts} of the nearest layout. */
  readonly layout?: number
  readonly middleware: readonly number[]
  /** True if its answers are made at build time: the file exports `prerender`. */
  readonly prerender?: true
  /** Title for a page that exports none, from its directory's name. */
  readonly title: string
}

/**
 * A layout: it wraps the pages at and below its directory that have no nearer layout.
 *
 * @example const line = ({ path, file }: TreeLayout) => `${path} ${file}`
 */
export interface TreeLayout {
  readonly path: string
  readonly file: string
}

/** The `proxy` file. @example const line = ({ file }: TreeProxy) => file */
export interface TreeProxy {
  readonly file: string
  /** As written in its `ProxyConfig`. If empty, every path. */
  readonly matchers: readonly string[]
  readonly excludes: readonly string[]
  /** The comment right above `Proxy`, without its marks. */
  readonly comment?: string
}

/**
 * A `job` file. It answers no request: `fw/jobs` runs it.
 *
 * @example const line = ({ name, file }: TreeJob) => `${name} ${file}`
 */
export interface TreeJob {
  /** Its directory below the route directory, without groups: `mail/welcome`. */
  readonly name: string
  readonly file: string
  /** The comment right above `Job`, without its marks. */
  readonly comment?: string
}

/**
 * The result of a scan, in a stable order.
 *
 * @example
 * const list = ({ routes }: RouteTree) => routes.map(({ method, pattern }) => `${method} ${pattern}`)
 * const routes = app.routeTree ? list(app.routeTree) : []
 */
export interface RouteTree {
  /** The scanned directory, relative to the project. */
  readonly appDir: string
  readonly routes: readonly TreeRoute[]
  readonly middleware: readonly TreeMiddleware[]
  readonly pages: readonly TreePage[]
  readonly layouts: readonly TreeLayout[]
  readonly proxy?: TreeProxy
  /** Sorted by name; missing if there are none. */
  readonly jobs?: readonly TreeJob[]
  /** Pages of the application for missing paths and errors. */
  readonly notFound?: { readonly file: string }
  readonly error?: { readonly file: string }
  /** The tools for language models as JSON, if routes offer any and the program was built. */
  readonly tools?: string
}

/**
 * A tree with its modules, by file, which generated code passes to `app.mount()`.
 *
 * @example
 * const routes: Routes = {
 *   tree: { appDir: "app", routes: [], middleware: [], pages: [], layouts: [] },
 *   modules: {},
 * }
 * await app.mount(routes)
 */
export interface Routes {
  readonly tree: RouteTree
  /** Each file of the tree as an imported module. */
  readonly modules: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The OpenAPI document as JSON, if the app serves it with `app.openapi()` and was built. */
  readonly openapi?: string
  /** The files that pages load, if the project has any. */
  readonly assets?: AssetManifest
}

/** Returns every file of a tree, sorted by code unit: the keys of {@link Routes.modules}. */
export function listTreeFiles(tree: RouteTree): string[] {
  const single = [tree.proxy, tree.notFound, tree.error].filter((item) => item !== undefined)
  const all = [...tree.routes, ...tree.middleware, ...tree.pages, ...tree.layouts, ...(tree.jobs ?? []), ...single]
  return [...new Set(all.map(({ file }) => file))].sort()
}

/**
 * Returns the module to import for a file of a tree: a template's compiled sibling, otherwise the file
 * itself.
 */
export function getModuleFile(file: string): string {
  return file.endsWith(".tpl") ? `${file}.ts` : file
}

/** Returns the tree of a project without a route directory, which registers everything by hand. */
export function createEmptyTree(appDir: string): RouteTree {
  return { appDir, routes: [], middleware: [], pages: [], layouts: [] }
}
