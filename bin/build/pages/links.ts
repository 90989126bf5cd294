/** Finds links in prerendered pages to pages that were not prerendered. */
import { canonicalizePath } from "../../../lib/path.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import { createTreeRouter } from "../../inspect/tree-router.ts"
import type { Problem } from "../../project/problems.ts"
import type { PageAnswer } from "./page-answer.ts"

const hrefPattern = /<a\s[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi

/**
 * Returns a warning for each link from a prerendered page to a path whose route has `prerender`, but does not list
 * this path.
 *
 * @param isStatic true for a static host, which answers such a path with 404.
 */
export function findUnlistedLinks(answers: readonly PageAnswer[], tree: RouteTree, isStatic: boolean): Problem[] {
  const { router } = createTreeRouter(tree)
  const prerenderedPaths = new Set(answers.map(({ path }) => path))
  const routes = [...tree.pages, ...tree.routes].filter(({ prerender }) => prerender)
  const files = new Set(routes.map(({ file }) => file))
  const decoder = new TextDecoder()
  const reportedTargets = new Set<string>()
  return answers.flatMap(({ path, source, headers, bytes }) => {
    if (!/^text\/html\b/.test(headers["content-type"] ?? "")) return []
    return [...decoder.decode(bytes).matchAll(hrefPattern)].flatMap(([, double, single]): Problem[] => {
      const target = toTarget(double ?? single ?? "", path)
      const file = target === null ? undefined : router.find("GET", target)?.route?.source
      if (
        target === null ||
        file === undefined ||
        !files.has(file) ||
        prerenderedPaths.has(target) ||
        reportedTargets.has(target)
      )
        return []
      reportedTargets.add(target)
      const effect = isStatic ? "a static host answers 404" : "the server makes the page for each request"
      return [
        {
          file: source,
          message: `${path} links to ${target}, which ${file} does not list for the build: ${effect}`,
          fix: `Return its values from prerender() of ${file}, or take the link out.`,
        },
      ]
    })
  })
}

/** Returns the canonical path to which a link leads; null for another site. */
function toTarget(href: string, path: string): string | null {
  try {
    const url = new URL(href.replaceAll("&amp;", "&"), `http://fw.invalid${path}`)
    return url.host === "fw.invalid" ? canonicalizePath(url.pathname).replace(/(?<=.)\/$/, "") : null
  } catch {
    return null
  }
}
