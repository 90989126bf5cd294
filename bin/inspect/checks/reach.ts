/**
 * Finds files and code that no request reaches: files hidden by routes, routes behind a proxy that answers
 * everything, and layouts and middleware without routes.
 */
import { parsePattern } from "../../../lib/pattern.ts"
import { hasRouteBelow } from "../../../lib/router.ts"
import type { ModuleText } from "../../../lib/scan/exports.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import { listModuleImports } from "../../project/module-imports.ts"
import type { StaticFiles } from "../links/static-files.ts"
import { createTreeRouter } from "../tree-router.ts"
import { createWarning, type Finding } from "./finding.ts"

/** Returns findings for static files that routes hide. */
export function findHiddenFiles(tree: RouteTree, served: readonly StaticFiles[]): Finding[] {
  const { router } = createTreeRouter(tree)
  return served.flatMap(({ prefix, dir, by, paths }) => {
    if (paths.length === 0) return []
    if (by === "default" && hasRouteBelow(router, prefix)) return findClaimedPrefix(tree, prefix, dir)
    const hidden = new Map<string, string[]>()
    for (const path of paths) {
      const file = router.find("GET", path)?.route?.source
      if (file !== undefined) hidden.set(file, [...(hidden.get(file) ?? []), path])
    }
    return [...hidden].map(([file, [first, ...rest]]) => {
      const more = rest.length > 0 ? ` and ${rest.length} more` : ""
      const message = `it answers ${first}${more}, which the files in ${dir}/ would answer otherwise: routes come first`
      return createWarning("static_hidden", { file }, message, "Move it below a path of its own.")
    })
  })
}

/**
 * Returns a finding if a route is at or below the prefix of a directory, because the directory is not served then.
 */
function findClaimedPrefix(tree: RouteTree, prefix: string, dir: string): Finding[] {
  const below = [...tree.routes, ...tree.pages].find(({ pattern }) => {
    return pattern === prefix || pattern.startsWith(`${prefix}/`)
  })
  if (!below) return []
  const message = `the files in ${dir}/ are not served: this claims ${below.pattern}`
  const fix = `Move it, or serve the files elsewhere in main.ts: app.static("/assets", "${dir}").`
  return [createWarning("static_hidden", { file: below.file }, message, fix)]
}

/**
 * Returns findings for layouts without pages and for middleware without routes.
 *
 * @param importedFiles files that other files import.
 */
export function findUnusedWrappers(
  { layouts, middleware, routes, pages }: RouteTree,
  importedFiles: ReadonlySet<string>,
): Finding[] {
  const usedMiddleware = new Set([...routes, ...pages].flatMap((item) => item.middleware))
  const usedLayouts = new Set(pages.map(({ layout }) => layout))
  return [
    ...middleware
      .filter((_, index) => !usedMiddleware.has(index))
      .map(({ file }) =>
        createWarning(
          "unused",
          { file },
          "no route and no page is at or below this middleware's directory, so it never runs",
          "Move it to the directory of its routes, or remove it.",
        ),
      ),
    ...layouts
      .filter(({ file }, index) => !usedLayouts.has(index) && !importedFiles.has(file))
      .map(({ file }) =>
        createWarning(
          "unused",
          { file },
          "no page has this layout as its nearest one",
          "Move it to the directory of its pages, or remove it.",
        ),
      ),
  ]
}

/**
 * Returns findings for directories whose names look percent-encoded. The names are used literally, so browsers do
 * not request them.
 */
export function findEncodedNames(tree: RouteTree): Finding[] {
  const files = new Map([...tree.routes, ...tree.pages].map(({ file, pattern }) => [file, pattern]))
  return [...files].flatMap(([file, pattern]) => {
    const encoded = parsePattern(pattern).segments.find((segment) => {
      return segment.kind === "static" && /%[\da-f]{2}/i.test(segment.value)
    })
    if (encoded?.kind !== "static") return []
    const message = `the directory's name ${JSON.stringify(encoded.value)} is not decoded: it answers ${pattern}`
    return [createWarning("encoded_name", { file }, message, "Give the directory the decoded name.")]
  })
}

/**
 * Returns a finding for a proxy that only answers and redirects, so that routes are never reached. It is reported
 * only if the file leaves no doubt: it does not contain continue or rewrite, and imports only fw.
 *
 * @param covers returns true if the proxy runs for the paths of a pattern.
 */
export function findClosedProxy(
  tree: RouteTree,
  module: ModuleText | null,
  covers: (pattern: string) => boolean,
): Finding[] {
  if (!tree.proxy || !module) return []
  const names = module.tokens.map(({ text }) => text)
  const isOpen = names.some((text, at) => {
    return text === "continue" || text === "rewrite" || (text === "import" && names[at + 1] === "(")
  })
  if (isOpen || listModuleImports(module.tokens).some(({ specifier }) => specifier !== "fw")) return []
  const unreachablePatterns = [...new Set([...tree.routes, ...tree.pages].map(({ pattern }) => pattern))].filter(covers)
  if (unreachablePatterns.length === 0) return []
  const found = module.exports.find(({ name }) => name === "Proxy")
  const more = unreachablePatterns.length > 1 ? ` and ${unreachablePatterns.length - 1} more` : ""
  const message = `the proxy never continues, so no request reaches ${unreachablePatterns[0]}${more}`
  const fix = "Return proxy.continue() for requests that may pass, or narrow its matcher."
  return [
    createWarning("unreachable", { file: tree.proxy.file, line: found?.line, column: found?.column }, message, fix),
  ]
}
