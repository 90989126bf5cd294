/** The paths whose answers are made at build time. */
import { buildLink } from "../../../lib/links.ts"
import { compareByCodeUnit } from "../../../lib/order.ts"
import { parsePattern } from "../../../lib/pattern.ts"
import { describeType } from "../../../lib/text.ts"
import type { Routes, TreePage, TreeRoute } from "../../../lib/tree.ts"
import type { PageFailure } from "./page-answer.ts"

/** A path, and the file that answers it. */
export interface PagePath {
  readonly path: string
  readonly source: string
}

/** The patterns of a file, the shortest one first: only an optional catch-all has several. */
type FilePatterns = readonly (TreePage | TreeRoute)[]

/**
 * Returns the paths, sorted: those of patterns without parameters, and those that a file's `prerender()` lists; and what is
 * wrong with these lists.
 *
 * @param toFailure makes a failure of the error of a function that throws.
 */
export async function listPaths(
  { tree, modules }: Routes,
  toFailure: (error: unknown, path: string, source: string) => PageFailure,
): Promise<{ readonly paths: PagePath[]; readonly failures: PageFailure[] }> {
  const byFile = new Map<string, FilePatterns>()
  for (const item of [...tree.pages, ...tree.routes].filter(({ prerender }) => prerender))
    byFile.set(item.file, [...(byFile.get(item.file) ?? []), item])
  const paths = new Map<string, string>()
  const failures: PageFailure[] = []
  for (const [source, patterns] of byFile) {
    const { pattern } = patterns[0] as TreePage
    const hasList = patterns.length > 1 || parsePattern(pattern).names.length > 0
    try {
      const found = hasList ? await readList(modules[source]?.prerender, patterns) : [pattern]
      for (const path of found) {
        if (typeof path === "string") paths.set(path, source)
        else failures.push({ ...path, at: { file: source } })
      }
    } catch (error) {
      failures.push(toFailure(error, pattern, source))
    }
  }
  const sorted = [...paths]
    .map(([path, source]) => ({ path, source }))
    .sort((a, b) => compareByCodeUnit(a.path, b.path))
  return { paths: sorted, failures }
}

/** A path, or what is wrong with an item of a list. */
type ListedPath = string | Omit<PageFailure, "at">

/** Calls the `prerender` of a file. */
async function readList(prerender: unknown, patterns: FilePatterns): Promise<readonly ListedPath[]> {
  if (typeof prerender !== "function") return [{ name: "prerender.function", facts: [] }]
  const list: unknown = await prerender()
  if (!Array.isArray(list)) return [{ name: "prerender.list", facts: [describeType(list)] }]
  return list.map((values) => toPath(patterns, values))
}

/** Returns the path for the values of an item; what is wrong with it if there is none. */
function toPath(patterns: FilePatterns, values: unknown): ListedPath {
  const long = patterns.at(-1) as TreePage
  const names = parsePattern(long.pattern).names.map((name) => (name === "*" ? (long.rest ?? name) : name))
  if (typeof values !== "object" || values === null)
    return { name: "prerender.item", facts: [describeType(values), names] }
  const own = values as Readonly<Record<string, unknown>>
  const unknown = Object.keys(own).find((name) => !names.includes(name))
  if (unknown !== undefined) return { name: "prerender.unknown", facts: [unknown, names] }
  const isShort = patterns.length > 1 && !own[long.rest as string]
  const needed = isShort ? names.slice(0, -1) : names
  const wrong = needed.find((name) => typeof own[name] !== "string" || own[name] === "")
  if (wrong !== undefined) return { name: "prerender.value", facts: [wrong, describeType(own[wrong])] }
  return buildLink(isShort ? (patterns[0] as TreePage).pattern : long.pattern, [own], long.rest)
}
