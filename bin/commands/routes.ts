/** `fw routes`: lists the routes of the project, both those in files and those that the main file registers. */
import type { RouteTree, TreeMiddleware } from "../../lib/tree.ts"
import { findNearest } from "../cli/find-nearest.ts"
import { foldLines, formatTable } from "../cli/layout.ts"
import { methods } from "../cli/methods.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, Style, View } from "../cli/terminal.ts"
import { formatExplanation } from "../inspect/explain-text.ts"
import type { ExplainRequest, Explanation } from "../inspect/explanation.ts"
import { usageError } from "../messages/usage.ts"
import type { Project } from "../project/project.ts"
import { readProjectTree } from "../project/scan-project.ts"
import type * as specs from "../specs/project.ts"
import type { Untyped } from "../tools/typescript/api.ts"

/** A line of the list: a method and a pattern with a handler. */
export interface ListedRoute {
  /** The method. `*` stands for all methods without a handler of their own. */
  readonly method: string
  readonly pattern: string
  readonly file: string
  /** True if language models may call it. */
  readonly mcp?: true
  /** True if its answers are prerendered. */
  readonly prerender?: true
}

/** The list as data. */
export interface RoutesData {
  readonly routes: readonly ListedRoute[]
  /** The middleware files. A path contains the groups of its directories: `/(admin)/users`. */
  readonly middleware: ReadonlyArray<{ readonly path: string; readonly file: string }>
  /** The proxy file. `file` is empty if there is none. */
  readonly proxy: { readonly enabled: boolean; readonly file: string }
  /** Number of routes. */
  readonly total: number
  /** Why routes that the main file registers are missing, and the fix. */
  readonly unlisted?: { readonly message: string; readonly fix: string }
}

/** The routes of a project, including those that its main file registers. */
interface ListedTree extends RouteTree {
  readonly untyped?: Untyped | null
}

/** The routes that no link leads to. */
export interface UnlinkedRoutes {
  readonly tree: ListedTree
  readonly unlinked: readonly ListedRoute[]
}

type Result = ListedTree | Explanation | UnlinkedRoutes

/**
 * Returns the routes of the project, or explains which of them answers a request.
 *
 * @throws FwError if the route directory is missing or has mistakes; UsageError for an incomplete `--explain`.
 */
export async function run(options: OptionsOf<typeof specs.routes>, { cwd }: Pick<Io, "cwd">): Promise<Result> {
  const request = parseExplainRequest(options)
  if (request && options.unlinked) throw usageError("usage.together", ["--explain", "--unlinked"])
  const project = { root: cwd, appDir: options.appDir }
  const tree = await readListedTree(project, await readProjectTree(project))
  if (request) {
    const { explain } = await import("../inspect/explain.ts")
    return { ...(await explain(cwd, tree, request)), ...describeUnlisted(tree.untyped) }
  }
  if (!options.unlinked) return tree
  const { findUnlinkedRoutes } = await import("../inspect/links/unlinked.ts")
  return { tree, unlinked: findUnlinkedRoutes(cwd, tree).sort(compareByPattern) }
}

/** Adds the routes that the main file registers. */
export async function readListedTree(project: Project, fileTree: RouteTree): Promise<ListedTree> {
  const { addRegisteredRoutes } = await import("../openapi/registered-routes.ts")
  const { tree, untyped } = await addRegisteredRoutes(project, fileTree)
  return untyped ? { ...tree, untyped } : tree
}

/** The longest path for `--explain`, in characters: Node limits all headers of a request to 16 KiB. */
const maxTargetLength = 16_384

/** Parses `--explain GET /users`. Both words may be one argument, and the method may be missing. */
function parseExplainRequest({ explain, method, path }: OptionsOf<typeof specs.routes>): ExplainRequest | null {
  const words = [method, path].filter((word) => word !== undefined).flatMap((word) => word.trim().split(/\s+/))
  if (!explain && words.length > 0) throw usageError("unexpected_argument.explain", [words[0] as string])
  if (!explain) return null
  const [verb, target] = words.length === 1 && /^(?:\/|\w+:\/\/)/.test(words[0] as string) ? ["GET", words[0]] : words
  if (words.length > 2 || verb === undefined || target === undefined || !/^(?:\/|\w+:\/\/)/.test(target))
    throw usageError("missing_argument.request")
  if (target.length > maxTargetLength) throw usageError("invalid_value.target", [target.length, maxTargetLength])
  if (!methods.includes(verb)) throw usageError("invalid_value.method", [verb, findNearest(verb, methods) ?? null])
  return { method: verb, target }
}

/** Returns the list or the explanation for `--json` and MCP. */
export function data(result: Result): RoutesData | Explanation {
  if ("candidates" in result) return result
  if (!("unlinked" in result)) return toListing(result)
  const { unlinked } = result
  return { ...toListing(result.tree), routes: unlinked, total: unlinked.length }
}

/** Returns the list as data. A page is listed as a route for GET. */
export function toListing({ untyped, ...tree }: ListedTree): RoutesData {
  const pages = tree.pages.map((page) => ({ ...page, method: "GET" }))
  const routes = [...pages, ...tree.routes].map(toListedRoute).sort(compareByPattern)
  return {
    routes,
    middleware: tree.middleware.map((one) => ({ path: addGroups(one, tree.appDir), file: one.file })),
    proxy: { enabled: tree.proxy !== undefined, file: tree.proxy?.file ?? "" },
    total: routes.length,
    ...describeUnlisted(untyped),
  }
}

function describeUnlisted(untyped: ListedTree["untyped"]): Pick<RoutesData, "unlisted"> {
  return untyped ? { unlisted: { message: `${untyped.untyped}: ${hiddenRoutesMessage}`, fix: untyped.fix } } : {}
}

/**
 * Returns the path of a middleware including route groups, such as `/(admin)/users`. Without the groups, the path
 * would not say for which routes it runs.
 */
function addGroups({ path, file }: TreeMiddleware, appDir: string): string {
  const top = appDir === "." ? "" : `${appDir}/`
  if (!file.startsWith(top)) return path
  const names = file.slice(top.length).split("/").slice(0, -1)
  const segments = path.split("/").slice(1)
  return `/${names.map((name) => (name.startsWith("(") ? name : segments.shift())).join("/")}`
}

const hiddenRoutesMessage = "routes that the main file registers are not seen"

function toListedRoute({ method, pattern, file, mcp, prerender }: ListedRoute): ListedRoute {
  return { method, pattern, file, ...(mcp && { mcp }), ...(prerender && { prerender }) }
}

function compareByPattern(a: ListedRoute, b: ListedRoute): number {
  return a.pattern < b.pattern ? -1 : a.pattern > b.pattern ? 1 : 0
}

export function print(result: Result, view: View): string {
  if ("candidates" in result) return formatExplanation(result, view)
  return "unlinked" in result ? printUnlinked(result, view) : printListing(result, view)
}

function printUnlinked({ tree, unlinked }: UnlinkedRoutes, { style, width }: View): string {
  const { total } = toListing(tree)
  if (unlinked.length === 0) return `Something links to each of the ${total} routes.\n`
  const title = style.bold("Routes to which nothing links")
  return `${title}\n${formatRouteTable(unlinked, style, width)}\nTotal: ${unlinked.length} of ${total} routes\n`
}

function formatRouteTable(routes: readonly ListedRoute[], style: Style, width: number): string {
  const rows = routes.map(({ method, pattern, file, prerender }) => {
    return [method, pattern, prerender ? `${file}  prerender` : file]
  })
  const paint = (cell: string, column: number) => {
    return column === 0 ? paintMethod(cell, style) : column === 2 ? style.dim(cell) : cell
  }
  return formatTable(rows, paint, width)
}

function printListing(tree: ListedTree, { style, width }: View): string {
  const { routes, middleware, total, unlisted } = toListing(tree)
  const sections: string[] = []
  const addSection = (title: string, body: string) => sections.push(`${style.bold(title)}\n${body}`)
  const dimFile = (cell: string, column: number, last: number) => (column === last ? style.dim(cell) : cell)
  if (tree.proxy) {
    addSection(
      "Proxy",
      formatTable(toProxyRows(tree.proxy), (cell, column) => dimFile(cell, column, 1), width),
    )
  }
  if (middleware.length > 0) {
    const rows = middleware.map(({ path, file }) => [path, file])
    addSection(
      "Middleware",
      formatTable(rows, (cell, column) => dimFile(cell, column, 1), width),
    )
  }
  if (total > 0) addSection("Routes", formatRouteTable(routes, style, width))
  if (total > 0) sections.push(`Total: ${total} ${total === 1 ? "route" : "routes"}\n`)
  else if (!unlisted) sections.push(formatEmpty(tree.appDir))
  if (unlisted) sections.push(style.dim(foldLines(`${unlisted.message}. ${unlisted.fix}\n`, width)))
  return sections.join("\n")
}

function toProxyRows({ matchers, excludes, file }: NonNullable<RouteTree["proxy"]>): string[][] {
  const included = matchers.length > 0 ? matchers.join(", ") : "every path"
  return [[excludes.length > 0 ? `${included}, except ${excludes.join(", ")}` : included, file]]
}

function formatEmpty(appDir: string): string {
  return `There are no routes in ${appDir} yet. Run "fw generate route hello" to write the first one.\n`
}

/** Colours a method by its effect: green for reading, yellow for writing, red for deleting. */
function paintMethod(cell: string, style: Style): string {
  const method = cell.trim()
  const paint =
    method === "DELETE" ? style.red : ["GET", "HEAD", "OPTIONS"].includes(method) ? style.green : style.yellow
  return paint(cell)
}
