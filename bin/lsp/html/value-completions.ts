/** Completes values of attributes with names from the project: routes, static files and classes. */

import type { TextDocument } from "#vendor/editor"
import type { KnownRoute } from "../../inspect/links/answers.ts"
import { findStyleNames, type ProjectStyles } from "../css/project-styles.ts"
import type { Position, Range } from "../protocol.ts"
import type { SourceText } from "../source-text.ts"
import type { CodeString } from "./code-strings.ts"
import type { ProjectRoutes } from "./project-routes.ts"

/** The value that is being written. */
interface ValueRequest {
  readonly document: TextDocument
  readonly position: Position
  readonly attribute: string
  /** The range of the word that a completion replaces. */
  readonly range: Range
}

/** A completion item for a value (LSP 3.17, CompletionItem). */
export interface ValueItem {
  readonly label: string
  readonly kind: number
  readonly detail?: string
  readonly filterText?: string
  readonly textEdit: { readonly range: Range; readonly newText: string }
}

/** Values of CompletionItemKind in the protocol. */
const completionKinds = { value: 12, file: 17, reference: 18 }
/** The methods of the routes to which an attribute can lead. */
const attributeMethods: Readonly<Record<string, readonly string[]>> = {
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

/** Completes values. */
export class ValueCompletions {
  readonly #routes: ProjectRoutes
  readonly #styles: ProjectStyles

  constructor(routes: ProjectRoutes, styles: ProjectStyles) {
    this.#routes = routes
    this.#styles = styles
  }

  /** Returns the completions for a value. */
  async findItems({ attribute, range, document }: ValueRequest, text: string): Promise<ValueItem[]> {
    const name = toHTMXName(attribute)
    if (name === "class") return this.#findClassItems(range, text)
    const routes = await this.#findRoutes(name)
    const items = routes.map((route) => toRouteItem(route, range, text, document))
    return [...items, ...(await this.#findFileItems(name, range))]
  }

  /** Returns the completions for a string in the code of an attribute. */
  async findCodeItems(found: CodeString, offset: number, source: SourceText, shadow: string): Promise<ValueItem[]> {
    const name = toHTMXName(found.attribute)
    const { value } = source
    const end = offset + value.slice(offset, found.end).search(/[\s"'`]|$/)
    if (name === "class") {
      const start = offset - (/[^\s"'`]*$/.exec(found.before)?.[0].length ?? 0)
      return this.#findClassItems(source.toRange(Math.max(found.start, start), end), shadow)
    }
    const routes = await this.#findRoutes(name)
    const items = routes.flatMap((route) => toRouteItemInCode(route, { ...found, end }, offset, source) ?? [])
    if (found.isContinued || found.before.includes("{}")) return items
    return [...items, ...(await this.#findFileItems(name, source.toRange(found.start, end)))]
  }

  /** Returns the classes in the project's stylesheets and in the template's `<style>` elements. */
  async #findClassItems(range: Range, text: string): Promise<ValueItem[]> {
    const { classes } = await this.#styles.read()
    const own = findStyleNames([...text.matchAll(styleElement)].map(([, css = ""]) => css)).classes
    return [...new Set([...own, ...classes])].map((label) => {
      return { label, kind: completionKinds.value, textEdit: { range, newText: label } }
    })
  }

  /** Returns the routes to which an attribute can lead. */
  async #findRoutes(attribute: string): Promise<readonly KnownRoute[]> {
    const methods = attributeMethods[attribute]
    if (!methods) return []
    const { answers } = await this.#routes.read()
    const routes = answers.routes.filter(({ method }) => method === "*" || methods.includes(method))
    return [...new Map(routes.map((route) => [route.pattern, route])).values()]
  }

  async #findFileItems(attribute: string, range: Range): Promise<ValueItem[]> {
    if (attribute !== "src" && attribute !== "href") return []
    const { answers } = await this.#routes.read()
    return answers.served.flatMap(({ paths }) =>
      [...paths].map((label) => ({ label, kind: completionKinds.file, textEdit: { range, newText: label } })),
    )
  }
}

/** Returns the name of an attribute as htmx reads it. */
function toHTMXName(attribute: string): string {
  return attribute.replace(/^data-(?=hx-)/, "").replace(/(?<=^hx-[\w-]+):.*/, "")
}

/** Returns the content of a template literal for a pattern, with an expression for each parameter. */
function toTemplateLiteral(pattern: string): string {
  return pattern.replaceAll("...", "").replaceAll("{", "${")
}

function toItemFields({ pattern, method, file }: KnownRoute) {
  return { label: pattern, kind: completionKinds.reference, detail: `${method} ${file}` }
}

function toRouteItem(route: KnownRoute, range: Range, text: string, document: TextDocument): ValueItem {
  const { pattern } = route
  const item = toItemFields(route)
  if (!pattern.includes("{")) return { ...item, textEdit: { range, newText: pattern } }
  // A path with an expression is code, so it replaces the quotes too.
  const quote = text[document.offsetAt(range.start) - 1] ?? ""
  const isQuoted = /["']/.test(quote) && text[document.offsetAt(range.end)] === quote
  const newText = `{\`${toTemplateLiteral(pattern)}\`}`
  if (!isQuoted) return { ...item, textEdit: { range, newText } }
  const rangeWithQuotes = { start: movePosition(range.start, -1), end: movePosition(range.end, 1) }
  return { ...item, filterText: quote + pattern, textEdit: { range: rangeWithQuotes, newText } }
}

/**
 * Returns the completion for a path in a string; undefined if the route does not begin with what is written
 * already.
 */
function toRouteItemInCode(
  route: KnownRoute,
  { quote, before, start, end, isContinued }: CodeString,
  offset: number,
  source: SourceText,
): ValueItem | undefined {
  const { pattern } = route
  const rest = findRest(pattern, before)
  if (rest === undefined) return undefined
  const from = before.includes("{}") ? offset - (before.length - before.lastIndexOf("/") - 1) : start
  // The next expression is the value of the next parameter, so the text ends before that parameter.
  const isCut = isContinued && rest.includes("{")
  const path = isCut ? rest.slice(0, rest.indexOf("{")) : rest
  if (quote === "`" || !path.includes("{")) {
    const textEdit = { range: source.toRange(from, end), newText: toTemplateLiteral(path) }
    return { ...toItemFields(route), filterText: rest, textEdit }
  }
  const isClosed = source.value[end] === quote
  const range = source.toRange(start - 1, isClosed ? end + 1 : end)
  return {
    ...toItemFields(route),
    filterText: quote + pattern,
    textEdit: { range, newText: `\`${toTemplateLiteral(pattern)}\`` },
  }
}

/**
 * Returns the part of a pattern that follows the text before the cursor, or the whole pattern if that text has no
 * expression. Returns undefined if the pattern does not begin with the text.
 */
function findRest(pattern: string, before: string): string | undefined {
  if (!before.includes("{}")) return pattern
  const writtenSegments = before.split("/")
  const names = pattern.split("/")
  const last = writtenSegments.pop()
  const matchesText = writtenSegments.every(
    (text, at) => text === names[at] || (text !== "" && names[at]?.startsWith("{")),
  )
  return last?.includes("{}") === false && matchesText && names.length > writtenSegments.length
    ? names.slice(writtenSegments.length).join("/")
    : undefined
}

function movePosition({ line, character }: Position, by: number): Position {
  return { line, character: character + by }
}
