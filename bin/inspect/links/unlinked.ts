/** Finds the routes of a project to which nothing in it links. */
import { parsePattern } from "../../../lib/pattern.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import type { Link } from "./link.ts"
import { type LinkSource, linkSources, linksOf } from "./project-links.ts"
import { mayMatch, type Piece, type Target, targetOf } from "./target.ts"

/** A handler or a page of the tree. */
interface TreeEntry {
  readonly method: string
  readonly pattern: string
  readonly file: string
}

/** A use of a path; its method is null where any may be meant. */
interface Use {
  readonly method: string | null
  readonly target: Target
}

/** Methods that are requested without a link. */
const unasked = new Set(["HEAD", "OPTIONS"])

/**
 * Texts in quotes that begin with a slash: paths in scripts, in lists of links and in calls of `link()`. The value of an
 * attribute and the target of a redirect have a method, and are read as links.
 */
const path = /(?<![\w:-]=\{?)(?<!\bredirect\([^()\n]*)(["'`])(\/(?!\/)[^"'`\s\\]*)\1/g

/**
 * Returns the routes and pages that no template, no redirect, no call of `link()` and no path in a script or another text
 * leads to. The start page needs no link, and tests do not count.
 */
export function unlinkedRoutes(root: string, tree: RouteTree): TreeEntry[] {
  const sources = linkSources(root).filter(({ file }) => file !== tree.proxy?.file)
  const uses: Use[] = [...asking(linksOf(root, sources, tree)), ...mentionsOf(sources)].flatMap(
    ({ method, target }) => closed(target).map((one) => ({ method, target: one })),
  )
  const pages = tree.pages.map(({ pattern, file }) => ({ method: "GET", pattern, file }))
  const handlers = tree.routes.map(({ method, pattern, file }) => ({ method, pattern, file }))
  const entries: TreeEntry[] = [...pages, ...handlers]
  const linked = new Set<string>()
  for (const entry of entries) {
    const { segments } = parsePattern(entry.pattern)
    if (uses.some(({ method, target }) => asks(method, entry.method) && mayMatch(target, segments)))
      linked.add(keyOf(entry))
  }
  return entries.filter((entry) => {
    const isStart = entry.pattern === "/" && entry.method === "GET"
    return !isStart && !unasked.has(entry.method) && !linked.has(keyOf(entry))
  })
}

/** Returns links without the forms that only ask their own page again. */
function asking(links: readonly Link[]): readonly Use[] {
  return links.filter(({ implied }) => !implied?.isSelf)
}

/** Both patterns of an optional catch-all are one handler. */
function keyOf({ method, file }: TreeEntry): string {
  return `${method} ${file}`
}

function asks(method: string | null, answered: string): boolean {
  return method === null || answered === "*" || method === answered
}

/**
 * Returns a link whose end is not known as the links that it probably is: an expression after a slash is one more segment,
 * and one after text may be a query. One that is all of the path may be any route, so it counts for none.
 */
function closed(target: Target): Target[] {
  const { segments, open } = target
  if (!open) return [target]
  const above = segments.slice(0, -1)
  const text = (segments.at(-1) ?? []).slice(0, -1)
  if (text.length === 0) return above.length === 0 ? [] : [{ ...target, open: false }]
  return [
    { ...target, open: false },
    { ...target, open: false, segments: [...above, text] },
  ]
}

/** Returns the paths in texts. A pattern is one, too: the name of its parameter is a value. */
function mentionsOf(sources: readonly LinkSource[]): Use[] {
  return sources.flatMap(({ text }) =>
    [...text.matchAll(path)].flatMap(([, , found = ""]) => {
      const target = targetOf(piecesOf(found))
      return target ? [{ method: null, target }] : []
    }),
  )
}

/** Returns the pieces of a path, which may be the inside of a template literal. */
function piecesOf(text: string): Piece[] {
  const parts = text.split(/\$\{[^}]*\}/)
  return parts.flatMap((part, at): Piece[] => (at === 0 ? [part] : part === "" ? [null] : [null, part]))
}
