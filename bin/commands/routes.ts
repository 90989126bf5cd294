/** `fw routes`: what a scan of the project finds, as a list. Loaded by the table; MCP lists routes with it too. */
import type { RouteTree } from "../../lib/tree.ts"
import { scanProject } from "../project/scan-project.ts"
import type { OptionsOf } from "../spec.ts"
import type * as specs from "../specs/project.ts"
import { type Io, type Style, table, type View } from "../terminal.ts"

/** One line of the listing: what answers a method of a pattern. */
export interface ListedRoute {
  readonly method: string
  readonly pattern: string
  readonly file: string
}

/** The listing as data. */
export interface RoutesData {
  readonly routes: readonly ListedRoute[]
  readonly middleware: ReadonlyArray<{ readonly path: string; readonly file: string }>
  /** `file` is empty where there is no proxy. */
  readonly proxy: { readonly enabled: boolean; readonly file: string }
  /** How many routes there are. */
  readonly total: number
}

/** Scans the project. @throws FwError for a directory that is not there or holds mistakes. */
export async function run(
  { appDir }: OptionsOf<typeof specs.routes>,
  { cwd }: Pick<Io, "cwd">,
): Promise<RouteTree> {
  return scanProject(cwd, appDir)
}

/** The listing as `--json` and MCP give it. A page is a route for GET. */
export function data(tree: RouteTree): RoutesData {
  const pages = tree.pages.map(({ pattern, file }) => ({ method: "GET", pattern, file }))
  const handlers = tree.routes.map(({ method, pattern, file }) => ({ method, pattern, file }))
  const routes = [...pages, ...handlers].sort((a, b) =>
    a.pattern < b.pattern ? -1 : a.pattern > b.pattern ? 1 : 0,
  )
  return {
    routes,
    middleware: tree.middleware.map(({ path, file }) => ({ path, file })),
    proxy: { enabled: tree.proxy !== undefined, file: tree.proxy?.file ?? "" },
    total: routes.length,
  }
}

/** The listing as a person reads it. */
export function print(tree: RouteTree, { style }: Pick<View, "style">): string {
  const { routes, middleware, total } = data(tree)
  const sections: string[] = []
  const section = (title: string, body: string) => sections.push(`${style.bold(title)}\n${body}`)
  const dimFile = (cell: string, column: number, last: number) => (column === last ? style.dim(cell) : cell)
  if (tree.proxy) {
    section(
      "Proxy",
      table(proxyRows(tree.proxy), (cell, column) => dimFile(cell, column, 1)),
    )
  }
  if (middleware.length > 0) {
    const rows = middleware.map(({ path, file }) => [path, file])
    section(
      "Middleware",
      table(rows, (cell, column) => dimFile(cell, column, 1)),
    )
  }
  if (total > 0) {
    const rows = routes.map(({ method, pattern, file }) => [method, pattern, file])
    const paint = (cell: string, column: number) =>
      column === 0 ? paintMethod(cell, style) : dimFile(cell, column, 2)
    section("Routes", table(rows, paint))
  }
  sections.push(total > 0 ? `Total: ${total} ${total === 1 ? "route" : "routes"}\n` : empty(tree.appDir))
  return sections.join("\n")
}

function proxyRows({ matchers, excludes, file }: NonNullable<RouteTree["proxy"]>): string[][] {
  const included = matchers.length > 0 ? matchers.join(", ") : "every path"
  return [[excludes.length > 0 ? `${included}, except ${excludes.join(", ")}` : included, file]]
}

function empty(appDir: string): string {
  return `There are no routes in ${appDir} yet: ${appDir}/api/hello/route.ts with an exported Get would be the first.\n`
}

/** Reading is green, writing yellow, deleting red: what changes something stands out. */
function paintMethod(cell: string, style: Style): string {
  const method = cell.trim()
  const paint =
    method === "DELETE" ? style.red : ["GET", "HEAD", "OPTIONS"].includes(method) ? style.green : style.yellow
  return paint(cell)
}
