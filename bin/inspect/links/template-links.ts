/** Finds links in templates: attributes with a URL, and the method of the request. */

import type { Segment } from "../../../lib/pattern.ts"
import type { Attribute, ElementNode, Node, Template } from "../../../template/ast.ts"
import { getChildBlocks, getMarkup, type NamedAttribute, readLiteral } from "../../../template/check/node-facts.ts"
import { parseModule } from "../../../template/module.ts"
import { findLinksInCode } from "./code-links.ts"
import { findTexts, readTokens } from "./expressions.ts"
import type { Link } from "./link.ts"
import { createPageTarget, type Piece, toLinkTarget } from "./link-target.ts"

/** The attributes with which htmx sends requests, and their methods. */
const htmxMethods: Readonly<Record<string, string>> = {
  "hx-get": "GET",
  "hx-post": "POST",
  "hx-put": "PUT",
  "hx-patch": "PATCH",
  "hx-delete": "DELETE",
  "hx-query": "QUERY",
  "hx-push-url": "GET",
  "hx-replace-url": "GET",
}
/** Matches attributes with which htmx and other libraries send a form. */
const scriptAttribute = /^(?:hx-action$|onsubmit$|@|x-on:|v-on:|on:)/
/** Attributes with a URL that the browser loads or follows. */
const urlAttributes = new Set(["href", "src"])

/** The method of a form; null if it is not known. */
type FormMethod = string | null

/** The form that contains an element. */
interface EnclosingForm {
  readonly method: FormMethod
  /** The attribute `action`; undefined for a form that is sent to its own page. */
  readonly action: Attribute | undefined
  readonly isActionUnknown: boolean
}

const noForm: EnclosingForm = { method: null, action: undefined, isActionUnknown: true }

/** The attributes of an element. Names have neither `data-` nor modifiers. */
type Attributes = ReadonlyMap<string, NamedAttribute>

/**
 * Returns the links in a template file.
 *
 * @param page the pattern of the page, to which relative links refer. Undefined if the file is not a page, or if
 * files of other directories print its templates too.
 */
export function findLinksInTemplate(source: string, page?: readonly Segment[]): Link[] {
  return parseModule(source).parts.flatMap((part) =>
    part.kind === "plain"
      ? findLinksInCode(source, part.start, part.end)
      : new TemplateLinks(source, page).readLinks(part),
  )
}

class TemplateLinks {
  readonly #source: string
  readonly #page: readonly Segment[] | undefined
  readonly #links: Link[] = []

  constructor(source: string, page: readonly Segment[] | undefined) {
    this.#source = source
    this.#page = page
  }

  readLinks({ body }: Template): readonly Link[] {
    this.#visit(body, noForm)
    return this.#links
  }

  #visit(nodes: readonly Node[], form: EnclosingForm): void {
    for (const node of nodes) {
      if (node.kind === "element") this.#visit(node.children, this.#readElement(node, form))
      else for (const part of getChildBlocks(node)) this.#visit(part, form)
      for (const { nodes } of getMarkup(node)) this.#visit(nodes, form)
    }
  }

  /** Reads the attributes of an element. Returns the form for its content. */
  #readElement(element: ElementNode, form: EnclosingForm): EnclosingForm {
    const name = element.name.toLowerCase()
    const hasSpread = element.attributes.some(({ kind }) => kind === "spread")
    const attributes = toAttributeMap(element.attributes)
    if (name === "form") return this.#readForm(element, attributes, hasSpread)
    if (name === "base" || /(?:^|\s)external(?:\s|$)/.test(readLiteral(attributes.get("rel")) ?? "")) return form
    for (const [key, attribute] of attributes) {
      if (urlAttributes.has(key)) this.#addLinks(attribute, "GET")
      else if (key === "formaction")
        this.#addLinks(attribute, hasSpread ? null : findButtonMethod(attributes, form.method))
      else if (key === "formmethod" && !hasSpread) this.#addButton(attribute, attributes, form)
      else this.#addHTMX(key, attribute, attributes)
    }
    return form
  }

  /** Adds the link of a button that sends its form with another method. */
  #addButton(attribute: Attribute, attributes: Attributes, { action, isActionUnknown }: EnclosingForm): void {
    if (isActionUnknown || attributes.has("formaction") || attributes.has("form")) return
    const method = findButtonMethod(attributes, null)
    if (action) this.#addLinks({ ...action, start: attribute.start }, method)
    else this.#addPage(method, attribute.start)
  }

  #readForm(element: ElementNode, attributes: Attributes, hasSpread: boolean): EnclosingForm {
    const methodAttribute = attributes.get("method")
    const methodName = readLiteral(methodAttribute)?.trim().toUpperCase()
    const method =
      hasSpread || (methodAttribute && methodName === undefined) ? null : methodName === "POST" ? "POST" : "GET"
    for (const [key, attribute] of attributes) this.#addHTMX(key, attribute, attributes)
    if (methodName === "DIALOG") return noForm
    const action = attributes.get("action")
    const formMethod = methodName && !["", "GET", "POST"].includes(methodName) ? methodName : undefined
    const isSent = [...attributes.keys()].some((key) => key in htmxMethods || scriptAttribute.test(key))
    const impliedGET = !methodAttribute && !hasSpread && !isSent ? { impliedGET: { isSelf: !action } } : {}
    if (action) this.#addLinks(action, method, { ...(formMethod && { formMethod }), ...impliedGET })
    if (!action && !hasSpread && !isSent && (method === "POST" || !methodAttribute))
      this.#addPage(method, element.start, impliedGET)
    return { method, action, isActionUnknown: hasSpread || (!action && isSent) }
  }

  /** Adds the link of a form without an action, which leads to its page. */
  #addPage(method: FormMethod, start: number, details: Partial<Link> = {}): void {
    const target = this.#page && createPageTarget(this.#page)
    if (target) this.#links.push({ method, target, start, ...details })
  }

  #addHTMX(key: string, attribute: Attribute, attributes: Attributes): void {
    const method = htmxMethods[key]
    if (method) this.#addLinks(attribute, method, {}, false)
    if (key !== "hx-action") return
    const own = attributes.get("hx-method") ?? attributes.get("method")
    this.#addLinks(attribute, own ? this.#toMethod(own) : "GET", {}, false)
  }

  #toMethod(attribute: Attribute | undefined): string | null {
    return readLiteral(attribute)?.trim().toUpperCase() || null
  }

  /**
   * Adds the links in an attribute.
   *
   * @param isOfPage true if relative URLs refer to this page. For htmx, they refer to the page that the browser
   * shows, which may be another one.
   */
  #addLinks(attribute: Attribute, method: string | null, details: Partial<Link> = {}, isOfPage = true): void {
    const base = isOfPage ? this.#page : undefined
    for (const pieces of this.#findPieces(attribute)) {
      const target = toLinkTarget(pieces, base)
      const { start } = attribute
      if (target) this.#links.push({ method, target, start, ...details })
    }
  }

  #findPieces(attribute: Attribute): readonly (readonly Piece[])[] {
    if (attribute.kind === "dynamic")
      return findTexts(readTokens(this.#source, attribute.code.start, attribute.code.end))
    const text = readLiteral(attribute)?.replaceAll("&amp;", "&")
    return text === undefined || /^(?:true|false)$/.test(text) ? [] : [[text]]
  }
}

/** Returns the method with which a button sends its form. */
function findButtonMethod(attributes: Attributes, form: FormMethod): FormMethod {
  const own = attributes.get("formmethod")
  if (!own) return attributes.has("form") ? null : form
  const methodName = readLiteral(own)?.trim().toUpperCase()
  return methodName === undefined || methodName === "DIALOG" ? null : methodName === "POST" ? "POST" : "GET"
}

/** Returns attributes by name. htmx reads `data-hx-get` and `hx-get:inherited` as `hx-get`. */
function toAttributeMap(attributes: readonly Attribute[]): Attributes {
  return new Map(
    attributes.flatMap((attribute) => {
      if (attribute.kind === "spread") return []
      const name = attribute.name.toLowerCase()
      return [[/^(?:data-)?hx-/.test(name) ? name.replace(/^data-|:.*$/g, "") : name, attribute]]
    }),
  )
}
