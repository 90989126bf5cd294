/** Finds the routes to which nothing in the project links. */
import { parsePattern } from "../../../lib/pattern.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import type { Link } from "./link.ts"
import { type LinkTarget, mayMatch, type Piece, toLinkTarget } from "./link-target.ts"
import { type LinkSource, readLinkSources, readProjectLinks } from "./project-links.ts"

/** A handler or page of the tree. */
interface TreeEntry {
  readonly method: string
  readonly pattern: string
  readonly file: string
}

/** A use of a path. The method is null if it may be any. */
interface PathUse {
  readonly method: string | null
  readonly target: LinkTarget
}

/** Methods that browsers request without a link. */
const implicitMethods = new Set(["HEAD", "OPTIONS"])

/**
 * Matches a text in quotes that begins with a slash, such as a path in a script, in a list of links or in `link()`.
 * Values of attributes and targets of redirects are left out: they are read as links, with their method.
 */
const quotedPath = /(?<![\w:-]=\{?)(?<!\bredirect\([^()\n]*)(["'`])(\/(?!\/)[^"'`\s\\]*)\1/g

/**
 * Returns the routes and pages to which no template, redirect, call of `link()` or text with a path leads. The
 * start page needs no link, and tests do not count.
 */
export function findUnlinkedRoutes(root: string, tree: RouteTree): TreeEntry[] {
  const sources = readLinkSources(root).filter(({ file }) => file !== tree.proxy?.file)
  const uses: PathUse[] = [...removeSelfLinks(readProjectLinks(root, sources, tree)), ...findMentions(sources)].flatMap(
    ({ method, target }) => listTargets(target).map((one) => ({ method, target: one })),
  )
  const pages = tree.pages.map(({ pattern, file }) => ({ method: "GET", pattern, file }))
  const handlers = tree.routes.map(({ method, pattern, file }) => ({ method, pattern, file }))
  const entries: TreeEntry[] = [...pages, ...handlers]
  const linkedKeys = new Set<string>()
  for (const entry of entries) {
    const { segments } = parsePattern(entry.pattern)
    if (uses.some(({ method, target }) => usesMethod(method, entry.method) && mayMatch(target, segments)))
      linkedKeys.add(toKey(entry))
  }
  return entries.filter((entry) => {
    const isStart = entry.pattern === "/" && entry.method === "GET"
    return !isStart && !implicitMethods.has(entry.method) && !linkedKeys.has(toKey(entry))
  })
}

/** Removes forms that only send a request to their own page. */
function removeSelfLinks(links: readonly Link[]): readonly PathUse[] {
  return links.filter(({ impliedGET }) => !impliedGET?.isSelf)
}

/**
 * Returns a key for a handler or page. Both patterns of an optional catch-all have the same key, because they share
 * a handler.
 */
function toKey({ method, file }: TreeEntry): string {
  return `${method} ${file}`
}

function usesMethod(method: string | null, routeMethod: string): boolean {
  return method === null || routeMethod === "*" || method === routeMethod
}

/**
 * Returns the links that a link with an unknown end may be: an expression after a slash is one more segment, an
 * expression after text may be a query. If the whole path is an expression, it may be any route and counts for
 * none.
 */
function listTargets(target: LinkTarget): LinkTarget[] {
  const { segments, isOpenEnded } = target
  if (!isOpenEnded) return [target]
  const above = segments.slice(0, -1)
  const text = (segments.at(-1) ?? []).slice(0, -1)
  if (text.length === 0) return above.length === 0 ? [] : [{ ...target, isOpenEnded: false }]
  return [
    { ...target, isOpenEnded: false },
    { ...target, isOpenEnded: false, segments: [...above, text] },
  ]
}

/** Returns the paths in texts. A pattern counts too; the name of its parameter counts as a value. */
function findMentions(sources: readonly LinkSource[]): PathUse[] {
  return sources.flatMap(({ text }) =>
    [...text.matchAll(quotedPath)].flatMap(([, , found = ""]) => {
      const target = toLinkTarget(toPieces(found))
      return target ? [{ method: null, target }] : []
    }),
  )
}

/** Returns the pieces of a path, which may come from a template literal. */
function toPieces(text: string): Piece[] {
  const parts = text.split(/\$\{[^}]*\}/)
  return parts.flatMap((part, at): Piece[] => (at === 0 ? [part] : part === "" ? [null] : [null, part]))
}
