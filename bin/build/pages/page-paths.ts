/** Lists the paths that are prerendered. */
import { buildLink } from "../../../lib/links.ts"
import { compareByCodeUnit } from "../../../lib/order.ts"
import { parsePattern } from "../../../lib/pattern.ts"
import { describeType } from "../../../lib/text.ts"
import type { Routes, TreePage, TreeRoute } from "../../../lib/tree.ts"
import type { PageFailure } from "./page-answer.ts"

/** A path, and the file of its page or route. */
export interface PagePath {
  readonly path: string
  readonly source: string
}

/**
 * Returns the paths in order, and the mistakes in the lists. A pattern without parameters is a path; for other
 * patterns, the file exports `prerender()`, which lists them.
 *
 * @param toFailure converts an error that a `prerender()` throws.
 */
export async function listPaths(
  { tree, modules }: Routes,
  toFailure: (error: unknown, path: string, source: string) => PageFailure,
): Promise<{ readonly paths: PagePath[]; readonly failures: PageFailure[] }> {
  const sources = new Map<string, string>()
  const failures: PageFailure[] = []
  const prerenderedRoutes = [...tree.pages, ...tree.routes].filter(({ prerender }) => prerender)
  for (const file of new Set(prerenderedRoutes.map((item) => item.file))) {
    const patterns = prerenderedRoutes.filter((item) => item.file === file)
    const { pattern } = patterns[0] as TreePage
    try {
      const hasList = patterns.length > 1 || parsePattern(pattern).names.length > 0
      const items = hasList ? await readList(modules[file]?.prerender, patterns) : [pattern]
      for (const path of items) {
        if (typeof path === "string") sources.set(path, file)
        else failures.push({ ...path, at: { file } })
      }
    } catch (error) {
      failures.push(toFailure(error, pattern, file))
    }
  }
  const paths = [...sources].map(([path, source]) => ({ path, source }))
  return { paths: paths.sort((a, b) => compareByCodeUnit(a.path, b.path)), failures }
}

/**
 * Returns the paths that the `prerender` of a file lists, or a failure for each wrong item.
 *
 * @param patterns the patterns of the file, the shortest first. Only a file with an optional catch-all has more
 * than one.
 */
async function readList(prerender: unknown, patterns: readonly (TreePage | TreeRoute)[]) {
  const longest = patterns.at(-1) as TreePage
  const names = parsePattern(longest.pattern).names.map((name) => (name === "*" ? (longest.rest ?? name) : name))
  const list: unknown = typeof prerender === "function" ? await prerender() : prerender
  const createFailure = (item: unknown) => ({ name: "prerender.list", facts: [names, formatItem(item)] }) as const
  if (!Array.isArray(list)) return [createFailure(list)]
  return list.map((item: unknown) => {
    const values = Object(item) as Readonly<Record<string, unknown>>
    const { pattern } = patterns.length > 1 && !values[longest.rest as string] ? (patterns[0] as TreePage) : longest
    const requiredNames = pattern === longest.pattern ? names : names.slice(0, -1)
    const hasAllValues = requiredNames.every((name) => typeof values[name] === "string" && values[name] !== "")
    return hasAllValues && Object.keys(values).every((name) => names.includes(name))
      ? buildLink(pattern, [values], longest.rest)
      : createFailure(item)
  })
}

function formatItem(item: unknown): string {
  return typeof item === "object" && item !== null ? JSON.stringify(item) : describeType(item)
}
