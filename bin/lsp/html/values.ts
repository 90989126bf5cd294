/** The values of attributes that a project gives: its routes, its static files and its class names. */

import type { TextDocument } from "../../../vendor/editor.ts"
import { namesIn, type ProjectStyles } from "../css/project-styles.ts"
import type { Position, Range } from "../protocol.ts"
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
    const name = attribute.replace(/^data-(?=hx-)/, "").replace(/(?<=^hx-[\w-]+):.*/, "")
    if (name === "class") return this.#classItems(range, text)
    const methods = methodsOf[name]
    const isFile = name === "src" || name === "href"
    const items = methods ? await this.#routeItems(methods, range, text, document) : []
    return isFile ? [...items, ...(await this.#fileItems(range))] : items
  }

  /** Returns the classes of the project's stylesheets, and of the `<style>` elements in the template. */
  async #classItems(range: Range, text: string): Promise<ValueItem[]> {
    const { classes } = await this.#styles.read()
    const own = namesIn([...text.matchAll(styleElement)].map(([, css = ""]) => css)).classes
    return [...new Set([...own, ...classes])].map((label) => {
      return { label, kind: kinds.value, textEdit: { range, newText: label } }
    })
  }

  async #routeItems(
    methods: readonly string[],
    range: Range,
    text: string,
    document: TextDocument,
  ): Promise<ValueItem[]> {
    const { answers } = await this.#routes.read()
    const routes = answers.routes.filter(({ method }) => method === "*" || methods.includes(method))
    const unique = new Map(routes.map((route) => [route.pattern, route]))
    return [...unique.values()].map(({ pattern, method, file }) => {
      const item = { label: pattern, kind: kinds.reference, detail: `${method} ${file}` }
      if (!pattern.includes("{")) return { ...item, textEdit: { range, newText: pattern } }
      // A path with a value is an expression, so it also replaces the quotes.
      const quote = text[document.offsetAt(range.start) - 1] ?? ""
      const isQuoted = /["']/.test(quote) && text[document.offsetAt(range.end)] === quote
      const newText = `{\`${pattern.replaceAll("...", "").replaceAll("{", "${")}\`}`
      if (!isQuoted) return { ...item, textEdit: { range, newText } }
      const whole = { start: moved(range.start, -1), end: moved(range.end, 1) }
      return { ...item, filterText: quote + pattern, textEdit: { range: whole, newText } }
    })
  }

  async #fileItems(range: Range): Promise<ValueItem[]> {
    const { answers } = await this.#routes.read()
    return answers.served.flatMap(({ paths }) =>
      [...paths].map((label) => ({ label, kind: kinds.file, textEdit: { range, newText: label } })),
    )
  }
}

function moved({ line, character }: Position, by: number): Position {
  return { line, character: character + by }
}
