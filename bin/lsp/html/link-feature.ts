/** Links to routes: those that nothing answers are reported, and each leads to the file of its route. */

import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Segment } from "../../../lib/pattern.ts"
import type { LinkSource } from "../../inspect/links/project-links.ts"
import { shownPath } from "../../project/problems.ts"
import type { Feature, OpenTemplate } from "../feature.ts"
import type { Diagnostic, DocumentParams } from "../protocol.ts"
import { Text } from "../text.ts"
import { type PlacedAttribute, partAt, placesOf } from "./places.ts"
import type { ProjectRoutes } from "./project-routes.ts"

/** The severity of a warning. */
const warning = 2

/** Checks the links of templates, and goes to their routes. */
export class LinkFeature implements Feature {
  readonly #root: () => string
  readonly #routes: ProjectRoutes

  constructor(root: () => string, routes: ProjectRoutes) {
    this.#root = root
    this.#routes = routes
  }

  /** Goes from the value of an attribute with a link to the files that answer it. */
  async answer(method: string, params: DocumentParams, open: OpenTemplate): Promise<unknown> {
    if (method !== "textDocument/definition" || !params.position) return undefined
    const attribute = partAt(
      placesOf(open.template.compiled.pieces).attributes,
      open.text.offsetAt(params.position),
    )
    return attribute ? this.#filesOf(attribute, open) : undefined
  }

  /** Returns the links that nothing answers, as `fw validate` does, for the text in the editor. */
  async diagnostics(open: OpenTemplate): Promise<Diagnostic[]> {
    const { project, sources, answers, ignored } = await this.#routes.read()
    const { checkLinks } = await import("./link-tools.ts")
    const root = this.#root()
    const source = await this.#sourceOf(open)
    const { file } = source
    const texts = [...sources.filter((other) => other.file !== file), source]
    const checked = await checkLinks(root, project, { texts, answers, ignored })
    const found = checked.filter((one) => one.file === file)
    if (found.length === 0) return []
    const { attributes } = placesOf(open.template.compiled.pieces)
    return found.map(({ line, column, message, fix, code }) => {
      const start = { line: (line ?? 1) - 1, character: (column ?? 1) - 1 }
      const at = open.text.offsetAt(start)
      const end = open.text.positionAt(attributes.find(({ start }) => start === at)?.end ?? at + 1)
      return {
        range: { start, end },
        severity: warning,
        source: "fw",
        code,
        message: fix ? `${message}\n${fix}` : message,
      }
    })
  }

  /** Returns the template in the editor. The links of a piece that stays are not read again. */
  async #sourceOf({ path, text, template }: OpenTemplate): Promise<LinkSource> {
    const { linksInPart } = await import("./link-tools.ts")
    const links = (page?: readonly Segment[]) =>
      template.compiled.pieces.flatMap(({ part, source, shift }) =>
        linksInPart(part, source, page).map((link) => ({ ...link, start: link.start + shift })),
      )
    return { file: shownPath(this.#root(), path), text: text.value, links }
  }

  async #filesOf(attribute: PlacedAttribute, open: OpenTemplate): Promise<unknown> {
    const { project, answers } = await this.#routes.read()
    const { linksOf, literalStart } = await import("./link-tools.ts")
    const root = this.#root()
    const source = await this.#sourceOf(open)
    const links = linksOf(root, [source], project.tree).filter(({ start }) => start === attribute.start)
    const found = links.flatMap(({ target, method }) => {
      const routes = answers.covering(target)
      const fitting = routes.filter((route) => [null, route.method].includes(method) || route.method === "*")
      if (routes.length > 0)
        return (fitting.length > 0 ? fitting : routes).map((route) => [route.file, method])
      const directory = answers.isFile(target) ? answers.directoryOf(target) : undefined
      const { path } = literalStart(target)
      const below = directory?.prefix === "/" ? path : path.slice(directory?.prefix.length)
      return directory ? [[`${directory.dir}${below}`, null]] : []
    }) as [file: string, method: string | null][]
    const unique = new Map(found)
    return found.length === 0 ? undefined : Promise.all([...unique].map((one) => this.#place(root, ...one)))
  }

  /** Returns the place of a handler in its file; the start of a file without one. */
  async #place(root: string, file: string, method: string | null): Promise<object> {
    const path = join(root, file)
    const text = await readFile(path, "utf8").catch(() => "")
    const name = `${method?.[0]}${method?.slice(1).toLowerCase()}`
    const handler = file.endsWith(".tpl") ? "template\\s+" : "export\\s+(?:async\\s+)?(?:function|const)\\s+"
    const at = new RegExp(`^(${handler})(?:${file.endsWith(".tpl") ? "Page" : name})\\b`, "m").exec(text)
    const offset = at ? at.index + (at[1]?.length ?? 0) : 0
    return { uri: pathToFileURL(path).href, range: new Text(text).rangeOf(offset, offset) }
  }
}
