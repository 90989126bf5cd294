/** Reports links in templates that lead nowhere, and finds the file to which each link leads. */
import { readFile, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { checkLinks, preferSameLength } from "../../inspect/links/check-links.ts"
import { findLiteralStart } from "../../inspect/links/link-target.ts"
import { type LinkSource, readProjectLinks } from "../../inspect/links/project-links.ts"
import { toProjectPath } from "../../project/problems.ts"
import type { Feature, OpenTemplate } from "../feature.ts"
import { type Diagnostic, type DocumentParams, type Range, warningSeverity } from "../protocol.ts"
import { SourceText } from "../source-text.ts"
import { findCodeString } from "./code-strings.ts"
import { findPartAt, findPlaces } from "./places.ts"
import type { ProjectRoutes } from "./project-routes.ts"
import { isMarkup } from "./shadow-parts.ts"

/** Answers requests about the links in templates. */
export class LinkFeature implements Feature {
  readonly #root: () => string
  readonly #routes: ProjectRoutes

  constructor(root: () => string, routes: ProjectRoutes) {
    this.#root = root
    this.#routes = routes
  }

  /** Answers where a link leads: the link at a position, or all links of a template. */
  async answer(method: string, { position }: DocumentParams, open: OpenTemplate): Promise<unknown> {
    if (method === "textDocument/documentLink") return this.#findLinks(open)
    if (method !== "textDocument/definition" || !position) return undefined
    const offset = open.text.offsetAt(position)
    const attribute = findPartAt(findPlaces(open.template.parts).attributes, offset)
    if (!attribute) return undefined
    const { shadow } = open.template
    const isName = !isMarkup(shadow, offset) && !findCodeString(open.text.value, shadow, offset)
    // Names in the code are left to TypeScript.
    if (isName) return undefined
    const targets = (await this.#findTargets(open)).get(attribute.start)
    return targets && Promise.all(targets.map((target) => this.#findLocation(target)))
  }

  /** Returns the links that lead to exactly one file, and the imports of files. */
  async #findLinks(open: OpenTemplate): Promise<object[]> {
    const targets = await this.#findTargets(open)
    const locations = new Map<string, Promise<Location>>()
    const links = findPlaces(open.template.parts).attributes.map(async ({ start, end }) => {
      const [target, ...others] = targets.get(start) ?? []
      if (!target || others.length > 0) return []
      const key = target.join()
      const location = locations.get(key) ?? this.#findLocation(target)
      locations.set(key, location)
      const { uri, range } = await location
      const { line } = range.start
      return [{ range: toValueRange(open, start, end), target: line > 0 ? `${uri}#L${line + 1}` : uri }]
    })
    return [...(await Promise.all(links)).flat(), ...(await findImportLinks(open))]
  }

  /** Returns the links that lead nowhere, as `fw validate` does, but for the text in the editor. */
  async findDiagnostics(open: OpenTemplate): Promise<Diagnostic[]> {
    const { project, answers, findIgnored } = await this.#routes.read()
    const root = this.#root()
    const source = this.#toLinkSource(open)
    const { file } = source
    const texts = [...project.texts.filter((other) => other.file !== file), source]
    const problems = await checkLinks(root, { ...project, texts }, { answers, findIgnored })
    const found = problems.filter((one) => one.file === file)
    if (found.length === 0) return []
    const { attributes } = findPlaces(open.template.parts)
    return found.map(({ line, column, message, fix, code }) => {
      const start = { line: (line ?? 1) - 1, character: (column ?? 1) - 1 }
      const at = open.text.offsetAt(start)
      const end = open.text.positionAt(attributes.find(({ start }) => start === at)?.end ?? at + 1)
      return {
        range: { start, end },
        severity: warningSeverity,
        source: "fw",
        code,
        message: fix ? `${message}\n${fix}` : message,
      }
    })
  }

  #toLinkSource({ path, text }: OpenTemplate): LinkSource {
    return { file: toProjectPath(this.#root(), path), text: text.value }
  }

  /** Returns the files to which the links in a template lead, with the methods, by the offset of the attribute. */
  async #findTargets(open: OpenTemplate): Promise<Map<number, RouteTarget[]>> {
    const { project, answers } = await this.#routes.read()
    const targets = new Map<number, RouteTarget[]>()
    for (const { target, method, start } of readProjectLinks(this.#root(), [this.#toLinkSource(open)], project.tree)) {
      const routes = preferSameLength(answers.findRoutes(target), target)
      const methodRoutes = routes.filter((route) => [null, route.method].includes(method) || route.method === "*")
      const directory = answers.isFile(target) ? answers.findDirectory(target) : undefined
      const { path } = findLiteralStart(target)
      const pathInDirectory = directory?.prefix === "/" ? path : path.slice(directory?.prefix.length)
      const found: RouteTarget[] = (methodRoutes.length > 0 ? methodRoutes : routes).map(({ file }) => [file, method])
      if (found.length === 0 && directory) found.push([`${directory.dir}${pathInDirectory}`, null])
      const all = new Map([...(targets.get(start) ?? []), ...found])
      if (all.size > 0) targets.set(start, [...all])
    }
    return targets
  }

  /** Returns the position of a handler in its file, or the start of the file. */
  async #findLocation([file, method]: RouteTarget): Promise<Location> {
    const path = join(this.#root(), file)
    const text = await readFile(path, "utf8").catch(() => "")
    const name = `${method?.[0]}${method?.slice(1).toLowerCase()}`
    const handler = file.endsWith(".tpl") ? "template\\s+" : "export\\s+(?:async\\s+)?(?:function|const)\\s+"
    const at = new RegExp(`^(${handler})(?:${file.endsWith(".tpl") ? "Page" : name})\\b`, "m").exec(text)
    const offset = at ? at.index + (at[1]?.length ?? 0) : 0
    return { uri: pathToFileURL(path).href, range: new SourceText(text).toRange(offset, offset) }
  }
}

/** The file to which a link leads, relative to the project, and the method of the request. */
type RouteTarget = [file: string, method: string | null]
/** A position in a file (LSP 3.17, Location). */
interface Location {
  readonly uri: string
  readonly range: Range
}

/** Returns the range of an attribute's value without quotes and braces. */
function toValueRange({ text }: OpenTemplate, start: number, end: number): Range {
  const parts = /^([^=]*=\s*\{?\s*(["'`]?))(.*?)\2\s*\}?$/s.exec(text.value.slice(start, end)) ?? []
  const [, marks = "", , value = ""] = parts
  return text.toRange(start + marks.length, start + marks.length + value.length)
}

/** Matches a relative specifier after `from` or `import`. */
const importSpecifier = /(?<![\w$.])(?:from|import)\s*\(?\s*(["'])(\.{1,2}\/[^"'\n]*)\1/g

/**
 * Returns links to the files that exist (LSP 3.17, DocumentLink). A link to a compiled module leads to its
 * template.
 */
async function findImportLinks({ path, text, template }: OpenTemplate): Promise<object[]> {
  const { bodies } = template.shadow
  const found = [...text.value.matchAll(importSpecifier)].map(async ({ 0: whole, 2: name = "", index }) => {
    if (bodies.some(({ start, end }) => start <= index && index <= end)) return []
    const end = index + whole.lastIndexOf(name) + name.length
    const file = await findFile(join(dirname(path), name))
    return file ? [{ range: text.toRange(end - name.length, end), target: pathToFileURL(file).href }] : []
  })
  return (await Promise.all(found)).flat()
}

async function findFile(path: string): Promise<string | undefined> {
  const names = [path.replace(/(?<=\.tpl)\.ts$/, ""), path, path.replace(/\.js$/, ".ts")]
  for (const name of names) if ((await stat(name).catch(() => undefined))?.isFile()) return name
  return undefined
}
