/** The types of a scanned application, which is plain data. */
import type { AssetManifest } from "./assets.ts"

/**
 * The exports of a route file, with their HTTP methods. `*` stands for every method without a handler of its own, and
 * `SOCKET` for a WebSocket.
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

/** The name of a handler that a route file exports. */
export type HandlerExport = keyof typeof handlerExports

/** The handlers that a route file can offer to language models. Each stands for exactly one method. */
export const offerableExports = ["Get", "Post", "Put", "Patch", "Delete"] as const satisfies readonly HandlerExport[]

/**
 * A handler of a route file. An optional catch-all has two such entries, with and without its last segment.
 *
 * @example const line = ({ method, pattern, file }: TreeRoute) => `${method} ${pattern} ${file}`
 */
export interface TreeRoute {
  /** The HTTP method. `*` stands for every method that has no handler or page for this pattern. */
  readonly method: string
  /** The canonical pattern: `/api/users/{id}`, `/api/docs/*`. */
  readonly pattern: string
  /** The name of the final `*`, from the directory `[...name]`. */
  readonly rest?: string
  /** The path of the file, relative to the project and with forward slashes. */
  readonly file: string
  readonly export: HandlerExport
  /** The line of the export in its file, from 1. */
  readonly line: number
  /** The text of the comment directly above the handler. */
  readonly comment?: string
  /** True if the file's export `mcp` offers the handler to language models. */
  readonly mcp?: true
  /** True if the file exports `prerender`, so that its answers are made at build time. */
  readonly prerender?: true
  /** The index of the nearest layout in {@link RouteTree.layouts}. `c.page()` uses it. */
  readonly layout?: number
  /** Indexes into {@link RouteTree.middleware}, outermost first. */
  readonly middleware: readonly number[]
}

/**
 * A `middleware` file. It applies to every route in its directory and below.
 *
 * @example const line = ({ path, file }: TreeMiddleware) => `${path} ${file}`
 */
export interface TreeMiddleware {
  /** The pattern of the directory, without groups: `/api/users/{id}`. */
  readonly path: string
  readonly file: string
  /** The text of the comment directly above `Middleware`. */
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
  /** The index of the nearest layout in {@link RouteTree.layouts}. */
  readonly layout?: number
  readonly middleware: readonly number[]
  /** True if the file exports `prerender`, so that its answers are made at build time. */
  readonly prerender?: true
  /** A title made from the name of the directory, for a page that exports none. */
  readonly title: string
}

/**
 * A layout. It applies to the pages in its directory and below that have no nearer layout.
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
  /** The matchers of its `ProxyConfig`. If the list is empty, the proxy runs for every path. */
  readonly matchers: readonly string[]
  readonly excludes: readonly string[]
  /** The text of the comment directly above `Proxy`. */
  readonly comment?: string
}

/**
 * A `job` file. It answers no requests; `fw/jobs` runs it.
 *
 * @example const line = ({ name, file }: TreeJob) => `${name} ${file}`
 */
export interface TreeJob {
  /** The path of its directory below the route directory, without groups: `mail/welcome`. */
  readonly name: string
  readonly file: string
  /** The text of the comment directly above `Job`. */
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
  /** The jobs, sorted by name. Missing if there are none. */
  readonly jobs?: readonly TreeJob[]
  /** Pages of the application for missing paths and errors. */
  readonly notFound?: { readonly file: string }
  readonly error?: { readonly file: string }
  /** The tools for language models as JSON. Set in a built program with routes that offer some. */
  readonly tools?: string
}

/**
 * A tree together with its modules. Generated code passes it to `app.mount()`.
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
  /** The imported modules, by the files of the tree. */
  readonly modules: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The OpenAPI document as JSON. Set in a built program that calls `app.openapi()`. */
  readonly openapi?: string
  /** The files that pages load, if the project has any. */
  readonly assets?: AssetManifest
}

/** Returns all files of a tree, sorted by code unit. They are the keys of {@link Routes.modules}. */
export function listTreeFiles(tree: RouteTree): string[] {
  const singleItems = [tree.proxy, tree.notFound, tree.error].filter((item) => item !== undefined)
  const items = [
    ...tree.routes,
    ...tree.middleware,
    ...tree.pages,
    ...tree.layouts,
    ...(tree.jobs ?? []),
    ...singleItems,
  ]
  return [...new Set(items.map(({ file }) => file))].sort()
}

/**
 * Returns the module to import for a file of a tree. For a template it is the compiled file next to it, otherwise the
 * file itself.
 */
export function getModuleFile(file: string): string {
  return file.endsWith(".tpl") ? `${file}.ts` : file
}

/** Returns a tree without routes, for a project without a route directory. */
export function createEmptyTree(appDir: string): RouteTree {
  return { appDir, routes: [], middleware: [], pages: [], layouts: [] }
}
