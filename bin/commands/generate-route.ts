/** `fw generate route`: writes a route file with a handler for each requested method. */

import { handlerExports } from "../../lib/tree.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { type NewFilesResult, writeNewFiles } from "../generate/files.ts"
import { formatFiles } from "../generate/result-text.ts"
import { checkNoConflicts, findAppDir, readRoutePath, scanNewFiles } from "../generate/route-paths.ts"
import { renderRoute } from "../generate/route-source.ts"
import { newFault } from "../messages/new.ts"
import type * as specs from "../specs/generate.ts"

/** The file that was written, and the requests that it answers. */
export interface GenerateRouteData extends NewFilesResult {
  readonly methods: readonly string[]
  /** The URL patterns of the route. An optional catch-all has two: without its last segment and with it. */
  readonly patterns: readonly string[]
}

/**
 * Writes the route file.
 *
 * @throws FwError for an invalid path, for a conflict, and if the file exists.
 */
export async function run(
  { path, methods, appDir, force }: OptionsOf<typeof specs.route>,
  { cwd, signal }: Pick<Io, "cwd" | "signal">,
): Promise<GenerateRouteData> {
  const routeDirectory = await findAppDir({ cwd, appDir })
  const names = readRoutePath(path)
  if (names[0] === "api") throw newFault("path", [path, "api"])
  const directory = [...(routeDirectory === "." ? [] : [routeDirectory]), "api", ...names].join("/")
  const file = `${directory}/route.ts`
  // Default methods: a path that ends with a parameter is one item, which clients can read, replace and delete.
  // Other paths can only be read.
  const isOneItem = /^\[[^.[\]]/.test(names.at(-1) ?? "")
  const chosenMethods = methods.length > 0 ? methods : isOneItem ? ["GET", "PUT", "DELETE"] : ["GET"]
  const order = Object.values(handlerExports).filter((method) => chosenMethods.some((one) => one === method))
  const { routes } = await scanNewFiles(routeDirectory, [{ file, text: "export function Get() {}\n" }])
  const last = routes.at(-1)
  const params = [...(last?.pattern ?? "").matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string)
  if (last?.rest !== undefined) params.push(last.rest)
  const files = [{ file, text: renderRoute(order, params) }]
  await checkNoConflicts({ cwd, appDir: routeDirectory }, files)
  const result = await writeNewFiles(files, { root: cwd, within: routeDirectory, force, signal })
  return { ...result, methods: order, patterns: routes.map(({ pattern }) => pattern) }
}

/** Returns the file and the requests that it answers. */
export function print({ methods, patterns, ...result }: GenerateRouteData, view: View): string {
  return `${formatFiles(result, view)}  The route answers ${methods.join(", ")} ${patterns.join(" and ")}.\n`
}
