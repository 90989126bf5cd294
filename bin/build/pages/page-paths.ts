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
  const prerendered = [...tree.pages, ...tree.routes].filter(({ prerender }) => prerender)
  for (const file of new Set(prerendered.map((item) => item.file))) {
    const patterns = prerendered.filter((item) => item.file === file)
    const { pattern } = patterns[0] as TreePage
    try {
      const hasList = patterns.length > 1 || parsePattern(pattern).names.length > 0
      const found = hasList ? await readList(modules[file]?.prerender, patterns) : [pattern]
      for (const path of found) {
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
  const long = patterns.at(-1) as TreePage
  const names = parsePattern(long.pattern).names.map((name) => (name === "*" ? (long.rest ?? name) : name))
  const list: unknown = typeof prerender === "function" ? await prerender() : prerender
  const refuse = (given: unknown) => ({ name: "prerender.list", facts: [names, formatItem(given)] }) as const
  if (!Array.isArray(list)) return [refuse(list)]
  return list.map((item: unknown) => {
    const values = Object(item) as Readonly<Record<string, unknown>>
    const { pattern } = patterns.length > 1 && !values[long.rest as string] ? (patterns[0] as TreePage) : long
    const needed = pattern === long.pattern ? names : names.slice(0, -1)
    const isWhole = needed.every((name) => typeof values[name] === "string" && values[name] !== "")
    return isWhole && Object.keys(values).every((name) => names.includes(name))
      ? buildLink(pattern, [values], long.rest)
      : refuse(item)
  })
}

function formatItem(given: unknown): string {
  return typeof given === "object" && given !== null ? JSON.stringify(given) : describeType(given)
}
