/** All links that are written in a project: in its templates, and in the redirects of its code. */
import { readdirSync } from "node:fs"
import { join, posix } from "node:path"
import { parsePattern } from "../../../lib/pattern.ts"
import { lineStarts, locate } from "../../../lib/template/position.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import { readStamped, stampOf } from "../../project/stamps.ts"
import { isIgnoredDirectory, produced } from "../../system/watch.ts"
import { linksInCode } from "./code-links.ts"
import type { Link } from "./link.ts"
import { linksInTemplate } from "./template-links.ts"

/** A link, and its place. */
export interface WrittenLink extends Link {
  readonly at: { readonly file: string; readonly line: number; readonly column: number }
}

/** A source of the project. */
export interface LinkSource {
  readonly file: string
  readonly text: string
}

const code = /\.[cm]?[jt]sx?$/
/** Tests request paths that must not exist, and compiled templates repeat their sources. */
const left = /\.tpl\.ts$|\.d\.[cm]?ts$|[._](?:test|spec)\.[cm]?[jt]sx?$/
const testFolders = new Set(["test", "tests", "__tests__"])

/** Reads the templates and the code of a project without its tests, in a stable order. */
export function linkSources(root: string): LinkSource[] {
  const sources: LinkSource[] = []
  const visit = (directory: string): void => {
    for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
      const file = directory === "" ? entry.name : `${directory}/${entry.name}`
      if (entry.isDirectory()) {
        const isLeft =
          isIgnoredDirectory(entry.name) || produced.includes(file) || testFolders.has(entry.name)
        if (!isLeft) visit(file)
      } else if (file.endsWith(".tpl") || (code.test(file) && !left.test(file))) {
        const text = textOf(join(root, file))
        if (text !== undefined) sources.push({ file, text })
      }
    }
  }
  visit("")
  return sources.sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** The texts of files as last read, by their paths: a check after every save reads only what changed. */
const texts = new Map<string, { readonly text: string; readonly stamp: string | null }>()

function textOf(path: string): string | undefined {
  const before = texts.get(path)
  if (before && before.stamp !== null && before.stamp === stampOf(path)) return before.text
  const read = readStamped(path)
  if (read) texts.set(path, read)
  return read?.text
}

interface Read {
  readonly text: string
  readonly page: string | undefined
  readonly links: readonly WrittenLink[]
}

/** The links of each file as last read, by its path. */
const known = new Map<string, Read>()

/** Returns the links of sources. */
export function linksOf(root: string, sources: readonly LinkSource[], tree: RouteTree): WrittenLink[] {
  const pages = pagesOf(tree, sources)
  return sources.flatMap(({ file, text }) => {
    const key = join(root, file)
    const page = pages.get(file)
    const before = known.get(key)
    if (before?.text === text && before.page === page) return before.links
    const links = readLinks(file, text, page)
    known.set(key, { text, page, links })
    return links
  })
}

function readLinks(file: string, text: string, page: string | undefined): WrittenLink[] {
  // Feeds and sitemaps are read by other programs, which need whole URLs.
  if (file.endsWith(".xml.tpl")) return []
  const segments = page === undefined ? undefined : parsePattern(page).segments
  const found = file.endsWith(".tpl") ? linksInTemplate(text, segments) : linksInCode(text)
  if (found.length === 0) return []
  const starts = lineStarts(text)
  return found.map((link) => {
    const { line, column } = locate(starts, link.start)
    return { ...link, at: { file, line: line + 1, column: column + 1 } }
  })
}

/**
 * Returns the pattern of each page whose address is known: one with a single pattern, which no file of another directory
 * prints, in a project without `<base>`.
 */
function pagesOf({ pages }: RouteTree, sources: readonly LinkSource[]): Map<string, string> {
  if (sources.some(({ file, text }) => file.endsWith(".tpl") && /<base\b/i.test(text))) return new Map()
  const printed = new Set(sources.flatMap(({ file, text }) => importedPages(file, text)))
  const known = new Map<string, string>()
  for (const { file, pattern } of pages) {
    if (known.has(file)) printed.add(file)
    known.set(file, pattern)
  }
  return new Map([...known].filter(([file]) => !printed.has(file)))
}

/** Returns the pages that a file imports from other directories. */
function importedPages(file: string, text: string): string[] {
  if (!text.includes("page.tpl.ts")) return []
  const folder = posix.dirname(file)
  return [...text.matchAll(/["']([^"'\n]*page\.tpl)\.ts["']/g)]
    .map(([, name = ""]) => posix.join(folder, name))
    .filter((page) => posix.dirname(page) !== folder)
}
