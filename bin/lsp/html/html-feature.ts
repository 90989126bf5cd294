/** Completion and hover in the markup of templates. The HTML language service is loaded on first use. */
import type { HTMLDocument, HTMLService, TextDocument } from "#vendor/editor"
import type { AttributeKind } from "../../../lib/html/attributes.ts"
import type { ValuePlace } from "../../../template/ast.ts"
import { EditorItems } from "../editor-items.ts"
import type { Feature, OpenTemplate } from "../feature.ts"
import type { DocumentParams, Position } from "../protocol.ts"
import type { TemplateFile } from "../template-file.ts"
import { findCodeString } from "./code-strings.ts"
import { htmxData } from "./htmx-data.ts"
import { findPartAt, findPlaces } from "./places.ts"
import { isMarkup, type Shadow } from "./shadow-parts.ts"
import type { ValueCompletions, ValueItem } from "./value-completions.ts"

/** A template that the language service has parsed. */
interface ParsedTemplate {
  readonly service: HTMLService
  readonly document: TextDocument
  readonly html: HTMLDocument
}

/** Answers requests about markup. */
export class HTMLFeature implements Feature {
  readonly #values: ValueCompletions
  readonly #editor = new EditorItems()
  readonly #parsedTemplates = new WeakMap<TemplateFile, ParsedTemplate>()
  #service: Promise<{ readonly service: HTMLService; readonly vendor: Vendor }> | undefined

  /**
   * Creates the feature.
   *
   * @param values completes values from the project.
   */
  constructor(values: ValueCompletions) {
    this.#values = values
  }

  /** Reads the editor's capabilities. */
  initialize(params: unknown): void {
    this.#editor.initialize(params)
  }

  /** Answers a request about markup. In code, it only completes the strings in attributes. */
  async answer(method: string, params: DocumentParams, open: OpenTemplate): Promise<unknown> {
    const { position } = params
    if (!position) return undefined
    if (method === "textDocument/hover") return this.#findHover(position, open)
    if (method === "textDocument/completion") return this.#complete(position, open)
    return undefined
  }

  async #findHover(position: Position, open: OpenTemplate): Promise<unknown> {
    const offset = open.text.offsetAt(position)
    const { shadow } = open.template
    const isBrace = open.text.value[offset] === "{"
    if (!isBrace && !isMarkup(shadow, offset)) return undefined
    const places = findPlaces(open.template.parts)
    const value = isBrace ? places.values.find(({ start }) => start === offset) : undefined
    if (value) return { contents: toMarkdown(valueEscaping[value.place]) }
    if (!isMarkup(shadow, offset)) return undefined
    const { service, document, html } = await this.#parse(open, shadow)
    const hover = service.doHover(document, position, html)
    const attribute = findPartAt(places.attributes, offset)
    if (attribute?.attributeKind === undefined) return hover ?? undefined
    const escaping = attributeEscaping[attribute.attributeKind]
    return { ...hover, contents: toMarkdown(`${toText(hover?.contents)}\n\n${escaping}`.trim()) }
  }

  async #complete(position: Position, open: OpenTemplate): Promise<unknown> {
    const { shadow } = open.template
    const offset = open.text.offsetAt(position)
    if (!isMarkup(shadow, offset)) return this.#completeCode(offset, open)
    const { service, document, html } = await this.#parse(open, shadow)
    const requestedValues: Parameters<ValueCompletions["findItems"]>[0][] = []
    service.setCompletionParticipants([{ onHtmlAttributeValue: (valueRequest) => requestedValues.push(valueRequest) }])
    const { items, isIncomplete } = service.doComplete(document, position, html)
    const [valueRequest] = requestedValues
    const valueItems: readonly ValueItem[] = valueRequest ? await this.#values.findItems(valueRequest, shadow.text) : []
    return { isIncomplete, items: [...items, ...valueItems].map((item) => this.#editor.adaptItem(item)) }
  }

  async #completeCode(offset: number, { text, template: { shadow } }: OpenTemplate): Promise<unknown> {
    const found = findCodeString(text.value, shadow, offset)
    const items = found ? await this.#values.findCodeItems(found, offset, text, shadow.text) : []
    return items.length > 0 ? { isIncomplete: false, items } : undefined
  }

  async #parse({ template, uri, version }: OpenTemplate, { text }: Shadow): Promise<ParsedTemplate> {
    const { service, vendor } = await this.#loadService()
    const known = this.#parsedTemplates.get(template)
    if (known) return known
    const document = vendor.TextDocument.create(uri, "html", version, text)
    const parsed = { service, document, html: service.parseHTMLDocument(document) }
    this.#parsedTemplates.set(template, parsed)
    return parsed
  }

  #loadService() {
    this.#service ??= import("#vendor/editor").then((vendor) => {
      const service = vendor.getHTMLService()
      service.setDataProviders(true, [vendor.newHTMLDataProvider("htmx", htmxData)])
      return { service, vendor }
    })
    return this.#service
  }
}

type Vendor = typeof import("#vendor/editor")

function toMarkdown(value: string): object {
  return { kind: "markdown", value }
}

function toText(contents: unknown): string {
  if (typeof contents === "string") return contents
  const { value } = (contents ?? {}) as { value?: unknown }
  return typeof value === "string" ? value : ""
}

/** How values in text are escaped. */
const valueEscaping: Readonly<Record<ValuePlace, string>> = {
  text: "Text: `&`, `<` and `>` are escaped. `Html` is printed as it is.",
  plain: "Text without elements: `&`, `<` and `>` are escaped.",
  script: "JSON in a script, escaped so that it cannot end the script or a string.",
  json: "JSON, escaped so that it cannot end the script.",
}

const urlEscaping = "URL: only http, https, mailto, tel, sms and relative URLs. Others become `about:invalid#blocked`."

/** How values of attributes are escaped, besides quotes. */
const attributeEscaping: Readonly<Record<AttributeKind, string>> = {
  plain: "Text of an attribute: quotes and `&` are escaped. `true` prints the bare name, `false` and null nothing.",
  boolean: 'Text of an attribute. `true` and `false` print "true" and "false".',
  url: urlEscaping,
  link: urlEscaping,
  image: `${urlEscaping} \`data:image/*\` is allowed, too.`,
  media: `${urlEscaping} \`data:audio/*\` and \`data:video/*\` are allowed, too.`,
  cite: `${urlEscaping} \`urn:\` and \`doi:\` are allowed, too.`,
  srcset: "A list of URLs, each checked like the URL of an image.",
  local: "URL of the page's own origin, because its code runs in the page.",
  htmx: "Text for htmx, which must not begin like code.",
  prose: "Text for htmx, which must not begin like code.",
  flag: "Only true or false.",
  json: "An object, printed as JSON.",
  config: "An object, printed as JSON without a URL.",
  paint: "CSS. A URL may only lead to a part of the page.",
  class: "Class names: strings, false values and nested arrays of them.",
  style: "An object of CSS properties, whose values are checked.",
  code: "Code or HTML: no value is safe here.",
}
