/** Links to routes: those that nothing answers are reported, and each leads to the file of its route. */

import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { LinkSource } from "../../inspect/links/project-links.ts"
import { shownPath } from "../../project/problems.ts"
import type { Feature, OpenTemplate } from "../feature.ts"
import { type Diagnostic, type DocumentParams, type Range, warningSeverity } from "../protocol.ts"
import { Text } from "../text.ts"
import { codeStringAt } from "./code-strings.ts"
import { importLinks } from "./import-links.ts"
import { partAt, placesOf } from "./places.ts"
import type { ProjectRoutes } from "./project-routes.ts"
import { isMarkup } from "./shadow-parts.ts"

/** Checks the links of templates, and goes to their routes. */
export class LinkFeature implements Feature {
  readonly #root: () => string
  readonly #routes: ProjectRoutes

  constructor(root: () => string, routes: ProjectRoutes) {
    this.#root = root
    this.#routes = routes
  }

  /** Answers where the values of attributes lead: at a position, or all of a template. */
  async answer(method: string, { position }: DocumentParams, open: OpenTemplate): Promise<unknown> {
    if (method === "textDocument/documentLink") return this.#links(open)
    if (method !== "textDocument/definition" || !position) return undefined
    const offset = open.text.offsetAt(position)
    const attribute = partAt(placesOf(open.template.parts).attributes, offset)
    if (!attribute) return undefined
    const { shadow } = open.template
    const isName = !isMarkup(shadow, offset) && !codeStringAt(open.text.value, shadow, offset)
    // TypeScript knows what a name in the code leads to.
    if (isName) return undefined
    const places = (await this.#targetsOf(open)).get(attribute.start)
    return places && Promise.all(places.map((place) => this.#place(place)))
  }

  /** Returns the values that lead to one file, and the imports of files next to the template. */
  async #links(open: OpenTemplate): Promise<object[]> {
    const targets = await this.#targetsOf(open)
    const places = new Map<string, Promise<Place>>()
    const links = placesOf(open.template.parts).attributes.map(async ({ start, end }) => {
      const [target, ...others] = targets.get(start) ?? []
      if (!target || others.length > 0) return []
      const key = target.join()
      const place = places.get(key) ?? this.#place(target)
      places.set(key, place)
      const { uri, range } = await place
      const { line } = range.start
      return [{ range: valueRange(open, start, end), target: line > 0 ? `${uri}#L${line + 1}` : uri }]
    })
    return [...(await Promise.all(links)).flat(), ...(await importLinks(open))]
  }

  /** Returns the links that nothing answers, as `fw validate` does, for the text in the editor. */
  async diagnostics(open: OpenTemplate): Promise<Diagnostic[]> {
    const { project, sources, answers, ignored } = await this.#routes.read()
    const { checkLinks } = await import("./link-tools.ts")
    const root = this.#root()
    const source = this.#sourceOf(open)
    const { file } = source
    const texts = [...sources.filter((other) => other.file !== file), source]
    const checked = await checkLinks(root, project, { texts, answers, ignored })
    const found = checked.filter((one) => one.file === file)
    if (found.length === 0) return []
    const { attributes } = placesOf(open.template.parts)
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

  #sourceOf({ path, text }: OpenTemplate): LinkSource {
    return { file: shownPath(this.#root(), path), text: text.value }
  }

  /** Returns the files that answer the links of a template, with the methods, by the offsets of their attributes. */
  async #targetsOf(open: OpenTemplate): Promise<Map<number, Target[]>> {
    const { project, answers } = await this.#routes.read()
    const { alike, linksOf, literalStart } = await import("./link-tools.ts")
    const targets = new Map<number, Target[]>()
    for (const { target, method, start } of linksOf(this.#root(), [this.#sourceOf(open)], project.tree)) {
      const routes = alike(answers.covering(target), target)
      const fitting = routes.filter((route) => [null, route.method].includes(method) || route.method === "*")
      const directory = answers.isFile(target) ? answers.directoryOf(target) : undefined
      const { path } = literalStart(target)
      const below = directory?.prefix === "/" ? path : path.slice(directory?.prefix.length)
      const found: Target[] = (fitting.length > 0 ? fitting : routes).map(({ file }) => [file, method])
      if (found.length === 0 && directory) found.push([`${directory.dir}${below}`, null])
      const all = new Map([...(targets.get(start) ?? []), ...found])
      if (all.size > 0) targets.set(start, [...all])
    }
    return targets
  }

  /** Returns the place of a handler in its file; the start of a file without one. */
  async #place([file, method]: Target): Promise<Place> {
    const path = join(this.#root(), file)
    const text = await readFile(path, "utf8").catch(() => "")
    const name = `${method?.[0]}${method?.slice(1).toLowerCase()}`
    const handler = file.endsWith(".tpl") ? "template\\s+" : "export\\s+(?:async\\s+)?(?:function|const)\\s+"
    const at = new RegExp(`^(${handler})(?:${file.endsWith(".tpl") ? "Page" : name})\\b`, "m").exec(text)
    const offset = at ? at.index + (at[1]?.length ?? 0) : 0
    return { uri: pathToFileURL(path).href, range: new Text(text).rangeOf(offset, offset) }
  }
}

/** A file that answers a link, relative to the project, and the method of the request. */
type Target = [file: string, method: string | null]
/** A place in a file (LSP 3.17, Location). */
interface Place {
  readonly uri: string
  readonly range: Range
}

/** Returns the range of an attribute's value, without the marks around it. */
function valueRange({ text }: OpenTemplate, start: number, end: number): Range {
  const parts = /^([^=]*=\s*\{?\s*(["'`]?))(.*?)\2\s*\}?$/s.exec(text.value.slice(start, end)) ?? []
  const [, marks = "", , value = ""] = parts
  return text.rangeOf(start + marks.length, start + marks.length + value.length)
}
