/** Completion and hover in the markup of templates, by the language service of HTML, which is loaded when it is first needed. */

import type { HTMLDocument, HTMLService, TextDocument } from "#vendor/editor"
import { EditorItems } from "../editor-items.ts"
import type { Feature, OpenTemplate } from "../feature.ts"
import type { DocumentParams, Position } from "../protocol.ts"
import type { TemplateFile } from "../template-file.ts"
import { codeStringAt } from "./code-strings.ts"
import { attributeEscaping, valueEscaping } from "./escaping.ts"
import { htmxData } from "./htmx.ts"
import { partAt, placesOf } from "./places.ts"
import { isMarkup, type Shadow } from "./shadow-parts.ts"
import type { ValueItem, Values } from "./values.ts"

/** A template as the language service reads it. */
interface Read {
  readonly service: HTMLService
  readonly document: TextDocument
  readonly html: HTMLDocument
}

/** Answers in markup. */
export class HTMLFeature implements Feature {
  readonly #values: Values
  readonly #editor = new EditorItems()
  readonly #read = new WeakMap<TemplateFile, Read>()
  #service: Promise<{ readonly service: HTMLService; readonly vendor: Vendor }> | undefined

  /** Creates the feature. `values` gives the values that a project has. */
  constructor(values: Values) {
    this.#values = values
  }

  /** Reads what the editor can do. */
  start(params: unknown): void {
    this.#editor.start(params)
  }

  /** Answers in markup, not in the code in it. */
  async answer(method: string, params: DocumentParams, open: OpenTemplate): Promise<unknown> {
    const { position } = params
    if (!position) return undefined
    if (method === "textDocument/hover") return this.#hover(position, open)
    if (method === "textDocument/completion") return this.#complete(position, open)
    return undefined
  }

  async #hover(position: Position, open: OpenTemplate): Promise<unknown> {
    const offset = open.text.offsetAt(position)
    const { shadow } = open.template
    const isBrace = open.text.value[offset] === "{"
    if (!isBrace && !isMarkup(shadow, offset)) return undefined
    const places = placesOf(open.template.parts)
    const value = isBrace ? places.values.find(({ start }) => start === offset) : undefined
    if (value) return { contents: markdown(valueEscaping[value.place]) }
    if (!isMarkup(shadow, offset)) return undefined
    const { service, document, html } = await this.#load(open, shadow)
    const shown = service.doHover(document, position, html)
    const attribute = partAt(places.attributes, offset)
    if (attribute?.as === undefined) return shown ?? undefined
    const escaping = attributeEscaping[attribute.as]
    return { ...shown, contents: markdown(`${textOf(shown?.contents)}\n\n${escaping}`.trim()) }
  }

  async #complete(position: Position, open: OpenTemplate): Promise<unknown> {
    const { shadow } = open.template
    const offset = open.text.offsetAt(position)
    if (!isMarkup(shadow, offset)) return this.#inCode(offset, open)
    const { service, document, html } = await this.#load(open, shadow)
    const asked: Parameters<Values["at"]>[0][] = []
    service.setCompletionParticipants([{ onHtmlAttributeValue: (at) => asked.push(at) }])
    const { items, isIncomplete } = service.doComplete(document, position, html)
    const [at] = asked
    const own: readonly ValueItem[] = at ? await this.#values.at(at, shadow.text) : []
    return { isIncomplete, items: [...items, ...own].map((item) => this.#editor.shown(item)) }
  }

  async #inCode(offset: number, { text, template: { shadow } }: OpenTemplate): Promise<unknown> {
    const found = codeStringAt(text.value, shadow, offset)
    const items = found ? await this.#values.inCode(found, offset, text, shadow.text) : []
    return items.length > 0 ? { isIncomplete: false, items } : undefined
  }

  async #load({ template, uri, version }: OpenTemplate, { text }: Shadow): Promise<Read> {
    const { service, vendor } = await this.#started()
    const known = this.#read.get(template)
    if (known) return known
    const document = vendor.TextDocument.create(uri, "html", version, text)
    const read = { service, document, html: service.parseHTMLDocument(document) }
    this.#read.set(template, read)
    return read
  }

  #started() {
    this.#service ??= import("#vendor/editor").then((vendor) => {
      const service = vendor.getHTMLService()
      service.setDataProviders(true, [vendor.newHTMLDataProvider("htmx", htmxData)])
      return { service, vendor }
    })
    return this.#service
  }
}

type Vendor = typeof import("#vendor/editor")

function markdown(value: string): object {
  return { kind: "markdown", value }
}

function textOf(contents: unknown): string {
  if (typeof contents === "string") return contents
  const { value } = (contents ?? {}) as { value?: unknown }
  return typeof value === "string" ? value : ""
}
