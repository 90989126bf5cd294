/** Links to routes: those that nothing answers are reported, and each leads to the file of its route. */

import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { shownPath } from "../../project/problems.ts"
import type { Feature, OpenTemplate } from "../feature.ts"
import type { Diagnostic, DocumentParams } from "../protocol.ts"
import { Text } from "../text.ts"
import { type NamedAttribute, partAt, placesOf } from "./places.ts"
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
    const attribute = partAt(placesOf(open.text.value).attributes, open.text.offsetAt(params.position))
    return attribute ? this.#filesOf(attribute, open) : undefined
  }

  /** Returns the links that nothing answers, as `fw validate` does, for the text in the editor. */
  async diagnostics(open: OpenTemplate): Promise<Diagnostic[]> {
    const { project, sources } = await this.#routes.read()
    const { checkLinks } = await import("./link-tools.ts")
    const root = this.#root()
    const file = shownPath(root, open.path)
    const text = open.text.value
    const all = [...sources.filter((source) => source.file !== file), { file, text }]
    const found = (await checkLinks(root, project, all)).filter((one) => one.file === file)
    if (found.length === 0) return []
    const { attributes } = placesOf(text)
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

  async #filesOf(attribute: NamedAttribute, open: OpenTemplate): Promise<unknown> {
    const { project, answers } = await this.#routes.read()
    const { linksOf, literalStart } = await import("./link-tools.ts")
    const root = this.#root()
    const source = { file: shownPath(root, open.path), text: open.text.value }
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
