/** `fw routes`: what a scan of the project finds, as a list. Loaded by the table; MCP lists routes with it too. */
import { METHODS } from "node:http"
import type { RouteTree } from "../../lib/tree.ts"
import { UsageError } from "../flags.ts"
import { table } from "../layout.ts"
import type { ExplainRequest, Explanation } from "../project/explain.ts"
import { printExplanation } from "../project/explain-text.ts"
import { scanProject } from "../project/scan-project.ts"
import type { OptionsOf } from "../spec.ts"
import type * as specs from "../specs/project.ts"
import { nearest } from "../suggest.ts"
import type { Io, Style, View } from "../terminal.ts"

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

/** Scans the project. @throws FwError for a directory that is not there or holds mistakes, UsageError for half a request. */
export async function run(
  options: OptionsOf<typeof specs.routes>,
  { cwd }: Pick<Io, "cwd">,
): Promise<RouteTree | Explanation> {
  const request = requestOf(options)
  const tree = await scanProject(cwd, options.appDir)
  if (!request) return tree
  const { explain } = await import("../project/explain.ts")
  return explain(cwd, tree, request)
}

/** Characters of a path. Node's limit for all headers of a request is 16 KiB. */
const longestTarget = 16_384

const example = "Write: fw routes --explain GET /users/7"

/** `--explain GET /users`, also with the request as one word, and without a method. */
function requestOf({ explain, method, path }: OptionsOf<typeof specs.routes>): ExplainRequest | null {
  const words = [method, path]
    .filter((word) => word !== undefined)
    .flatMap((word) => word.trim().split(/\s+/))
  const fix = example
  if (!explain && words.length > 0)
    throw new UsageError("unexpected_argument", `fw routes takes "${words[0]}" only with --explain`, fix)
  if (!explain) return null
  const [verb, target] =
    words.length === 1 && /^(?:\/|\w+:\/\/)/.test(words[0] as string) ? ["GET", words[0]] : words
  if (words.length > 2 || verb === undefined || target === undefined || !/^(?:\/|\w+:\/\/)/.test(target))
    throw new UsageError(
      "missing_argument",
      "a request has a method and a path that begins with a slash",
      fix,
    )
  if (target.length > longestTarget) {
    const what = `the path has ${target.length} characters, which no server reads`
    throw new UsageError("invalid_value", what, `Give a path of at most ${longestTarget} characters.`)
  }
  if (!methods.includes(verb)) throw notAMethod(verb)
  return { method: verb, target }
}

/** The methods that HTTP and its extensions have (IANA's registry); case counts (RFC 9110 §9.1). `SOCKET` asks for the upgrade. */
const methods = [...METHODS, "SOCKET"]

function notAMethod(verb: string): UsageError {
  const meant = nearest(verb, methods)
  const fix = `${meant ? `Did you mean ${meant}?` : "Take one such as GET or POST."} ${example}`
  return new UsageError("invalid_value", `${JSON.stringify(verb)} is not an HTTP method`, fix)
}

/** The listing, or the explanation, as `--json` and MCP give it. */
export function data(result: RouteTree | Explanation): RoutesData | Explanation {
  return "candidates" in result ? result : listing(result)
}

/** The listing as data. A page is a route for GET. */
export function listing(tree: RouteTree): RoutesData {
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

/** The result as a person reads it. */
export function print(result: RouteTree | Explanation, view: View): string {
  return "candidates" in result ? printExplanation(result, view) : printListing(result, view)
}

function printListing(tree: RouteTree, { style, width }: View): string {
  const { routes, middleware, total } = listing(tree)
  const sections: string[] = []
  const section = (title: string, body: string) => sections.push(`${style.bold(title)}\n${body}`)
  const dimFile = (cell: string, column: number, last: number) => (column === last ? style.dim(cell) : cell)
  if (tree.proxy) {
    section(
      "Proxy",
      table(proxyRows(tree.proxy), (cell, column) => dimFile(cell, column, 1), width),
    )
  }
  if (middleware.length > 0) {
    const rows = middleware.map(({ path, file }) => [path, file])
    section(
      "Middleware",
      table(rows, (cell, column) => dimFile(cell, column, 1), width),
    )
  }
  if (total > 0) {
    const rows = routes.map(({ method, pattern, file }) => [method, pattern, file])
    const paint = (cell: string, column: number) =>
      column === 0 ? paintMethod(cell, style) : dimFile(cell, column, 2)
    section("Routes", table(rows, paint, width))
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
