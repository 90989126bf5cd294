/** The values of attributes that a project gives: its routes, its static files and its class names. */

import type { TextDocument } from "#vendor/editor"
import type { KnownRoute } from "../../inspect/links/answers.ts"
import { namesIn, type ProjectStyles } from "../css/project-styles.ts"
import type { Position, Range } from "../protocol.ts"
import type { Text } from "../text.ts"
import type { CodeString } from "./code-strings.ts"
import type { ProjectRoutes } from "./project-routes.ts"

/** The place of a value that is being written. */
interface ValueAt {
  readonly document: TextDocument
  readonly position: Position
  readonly attribute: string
  /** The word at the place, which a completion replaces. */
  readonly range: Range
}

/** A completion of a value (LSP 3.17, CompletionItem). */
export interface ValueItem {
  readonly label: string
  readonly kind: number
  readonly detail?: string
  readonly filterText?: string
  readonly textEdit: { readonly range: Range; readonly newText: string }
}

/** Kinds of completions of the protocol. */
const kinds = { value: 12, file: 17, reference: 18 }
/** The methods of the routes that an attribute leads to; null for every method that a form has. */
const methodsOf: Readonly<Record<string, readonly string[]>> = {
  href: ["GET"],
  action: ["GET", "POST"],
  formaction: ["GET", "POST"],
  "hx-get": ["GET"],
  "hx-post": ["POST"],
  "hx-put": ["PUT"],
  "hx-patch": ["PATCH"],
  "hx-delete": ["DELETE"],
  "hx-query": ["QUERY"],
  "hx-push-url": ["GET"],
  "hx-replace-url": ["GET"],
}

const styleElement = /<style[^>]*>([\s\S]*?)<\/style/gi

/** Gives the values. */
export class Values {
  readonly #routes: ProjectRoutes
  readonly #styles: ProjectStyles

  constructor(routes: ProjectRoutes, styles: ProjectStyles) {
    this.#routes = routes
    this.#styles = styles
  }

  /** Returns the completions of a value. */
  async at({ attribute, range, document }: ValueAt, text: string): Promise<ValueItem[]> {
    const name = nameOf(attribute)
    if (name === "class") return this.#classItems(range, text)
    const routes = await this.#routesOf(name)
    const items = routes.map((route) => routeItem(route, range, text, document))
    return [...items, ...(await this.#fileItems(name, range))]
  }

  /** Returns the completions of a string in the code of an attribute. */
  async inCode(found: CodeString, offset: number, source: Text, shadow: string): Promise<ValueItem[]> {
    const name = nameOf(found.attribute)
    const { value } = source
    const end = offset + value.slice(offset, found.end).search(/[\s"'`]|$/)
    if (name === "class") {
      const start = offset - (/[^\s"'`]*$/.exec(found.before)?.[0].length ?? 0)
      return this.#classItems(source.rangeOf(Math.max(found.start, start), end), shadow)
    }
    const routes = await this.#routesOf(name)
    const items = routes.flatMap((route) => routeInCode(route, { ...found, end }, offset, source) ?? [])
    if (found.isContinued || found.before.includes("{}")) return items
    return [...items, ...(await this.#fileItems(name, source.rangeOf(found.start, end)))]
  }

  /** Returns the classes of the project's stylesheets, and of the `<style>` elements in the template. */
  async #classItems(range: Range, text: string): Promise<ValueItem[]> {
    const { classes } = await this.#styles.read()
    const own = namesIn([...text.matchAll(styleElement)].map(([, css = ""]) => css)).classes
    return [...new Set([...own, ...classes])].map((label) => {
      return { label, kind: kinds.value, textEdit: { range, newText: label } }
    })
  }

  /** Returns the routes that an attribute may lead to. */
  async #routesOf(attribute: string): Promise<readonly KnownRoute[]> {
    const methods = methodsOf[attribute]
    if (!methods) return []
    const { answers } = await this.#routes.read()
    const routes = answers.routes.filter(({ method }) => method === "*" || methods.includes(method))
    return [...new Map(routes.map((route) => [route.pattern, route])).values()]
  }

  async #fileItems(attribute: string, range: Range): Promise<ValueItem[]> {
    if (attribute !== "src" && attribute !== "href") return []
    const { answers } = await this.#routes.read()
    return answers.served.flatMap(({ paths }) =>
      [...paths].map((label) => ({ label, kind: kinds.file, textEdit: { range, newText: label } })),
    )
  }
}

/** Returns the name of an attribute as htmx reads it. */
function nameOf(attribute: string): string {
  return attribute.replace(/^data-(?=hx-)/, "").replace(/(?<=^hx-[\w-]+):.*/, "")
}

/** Returns the text of a template literal that makes the path of a pattern. */
function literalOf(pattern: string): string {
  return pattern.replaceAll("...", "").replaceAll("{", "${")
}

function shownOf({ pattern, method, file }: KnownRoute) {
  return { label: pattern, kind: kinds.reference, detail: `${method} ${file}` }
}

function routeItem(route: KnownRoute, range: Range, text: string, document: TextDocument): ValueItem {
  const { pattern } = route
  const item = shownOf(route)
  if (!pattern.includes("{")) return { ...item, textEdit: { range, newText: pattern } }
  // A path with a value is an expression, so it also replaces the quotes.
  const quote = text[document.offsetAt(range.start) - 1] ?? ""
  const isQuoted = /["']/.test(quote) && text[document.offsetAt(range.end)] === quote
  const newText = `{\`${literalOf(pattern)}\`}`
  if (!isQuoted) return { ...item, textEdit: { range, newText } }
  const whole = { start: moved(range.start, -1), end: moved(range.end, 1) }
  return { ...item, filterText: quote + pattern, textEdit: { range: whole, newText } }
}

/** Returns the completion of a path in a string; undefined where the path has begun as that of another route. */
function routeInCode(
  route: KnownRoute,
  { quote, before, start, end, isContinued }: CodeString,
  offset: number,
  source: Text,
): ValueItem | undefined {
  const { pattern } = route
  const rest = restOf(pattern, before)
  if (rest === undefined) return undefined
  const from = before.includes("{}") ? offset - (before.length - before.lastIndexOf("/") - 1) : start
  // The next expression is the value of the next parameter.
  const isCut = isContinued && rest.includes("{")
  const path = isCut ? rest.slice(0, rest.indexOf("{")) : rest
  if (quote === "`" || !path.includes("{")) {
    const textEdit = { range: source.rangeOf(from, end), newText: literalOf(path) }
    return { ...shownOf(route), filterText: rest, textEdit }
  }
  const isEnded = source.value[end] === quote
  const range = source.rangeOf(start - 1, isEnded ? end + 1 : end)
  return {
    ...shownOf(route),
    filterText: quote + pattern,
    textEdit: { range, newText: `\`${literalOf(pattern)}\`` },
  }
}

/** Returns the part of a pattern that follows the last expression; all of it without one. */
function restOf(pattern: string, before: string): string | undefined {
  if (!before.includes("{}")) return pattern
  const written = before.split("/")
  const names = pattern.split("/")
  const last = written.pop()
  const fits = written.every((text, at) => text === names[at] || (text !== "" && names[at]?.startsWith("{")))
  return last?.includes("{}") === false && fits && names.length > written.length
    ? names.slice(written.length).join("/")
    : undefined
}

function moved({ line, character }: Position, by: number): Position {
  return { line, character: character + by }
}
