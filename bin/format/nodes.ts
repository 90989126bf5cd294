/** Writes the nodes of a template as documents. */

import type {
  Attribute,
  Braced,
  Code,
  ComponentNode,
  DeferNode,
  ElementNode,
  ForNode,
  IfNode,
  Markup,
  Node,
  Span,
  SwitchNode,
} from "../../lib/template/ast.ts"
import { firstToken } from "../../lib/template/code.ts"
import { opaqueElements, type Space, spaceInside } from "../../lib/template/elements.ts"
import { blockElements } from "./blocks.ts"
import { contentOf, type Edge, type Item, itemsOf, itemsOfText, wrap } from "./content.ts"
import { anchor, concat, type Doc, group, hardLine, indent, line, softLine, verbatim } from "./document.ts"
import type { Source } from "./source.ts"

type Printed = Exclude<Node, { kind: "text" | "unfinished" }>

/** A block's header, up to its brace, and its markup. */
interface Block {
  readonly head: Doc
  readonly nodes: readonly Node[]
}

/** Writes nodes that are in HTML, in SVG, or in another kind of content. */
export class NodeWriter {
  readonly #source: Source
  readonly #space: Space

  constructor(source: Source, space: Space) {
    this.#source = source
    this.#space = space
  }

  /** Returns markup between an opening text and a closing one. */
  content(
    span: Span,
    nodes: readonly Node[],
    edge: Edge,
    close: string,
  ): { inside: Doc; rest: Doc; breaks: boolean } {
    const content = contentOf(this.#source, span, this.#items(span, nodes), edge)
    const { inside, rest } = wrap(content, close)
    return { inside: indent(inside), rest, breaks: typeof content.before !== "string" || content.breaks }
  }

  #item(node: Printed): Item {
    const doc = this.#node(node)
    return { start: node.start, end: node.end, doc, kind: this.#kind(node) }
  }

  #kind(node: Printed): Item["kind"] {
    if (node.kind === "const") return "const"
    if (node.kind === "verbatim") return node.text.startsWith("<![CDATA[") ? "inline" : "block"
    if (node.kind !== "element" || this.#space !== "html") return "inline"
    return blockElements.has(node.name.toLowerCase()) ? "block" : "inline"
  }

  #node(node: Printed): Doc {
    switch (node.kind) {
      case "verbatim":
        return verbatim(node.text)
      case "element":
        return anchor(this.#element(node))
      case "const":
      case "expression":
        return this.#braces(node, node.code)
      case "component":
        return this.#component(node)
      case "for":
        return this.#for(node)
      case "if":
        return this.#if(node)
      case "switch":
        return this.#switch(node)
      case "defer":
        return this.#defer(node)
    }
  }

  #code(code: Code, span: Span = code): Doc {
    return this.#source.code(span, code.markup, (markup) => this.#markup(markup))
  }

  /** Returns markup in an expression. No white space may be before its first tag. */
  #markup({ start, end, nodes }: Markup): Doc {
    const span = { start: start + 1, end: end - 1 }
    const content = contentOf(this.#source, span, this.#items(span, nodes), "block")
    const after = typeof content.after === "string" ? content.after : ""
    const { inside, rest } = wrap({ ...content, before: "", after }, "}")
    return group(anchor(concat("{", indent(inside), rest)))
  }

  #items(span: Span, nodes: readonly Node[]): Item[] {
    return itemsOf(this.#source, span, nodes, (node) => this.#item(node))
  }

  #braces({ start, end }: Span, code: Code, open = "{"): Doc {
    const before = this.#source.marks({ start, end: code.start }, open)
    return concat(before, this.#code(code), this.#source.marks({ start: code.end, end }, "}"))
  }

  /** Returns `(code)`. Its parentheses stay on lines of their own. */
  #parentheses(from: number, code: Code): { span: Span; doc: Doc } {
    const span = this.#source.parentheses(from, code)
    const isOpen = /[\n\r]/.test(this.#source.text.slice(span.start, code.start))
    const doc = isOpen ? this.#code(code, span) : concat("(", this.#code(code), ")")
    return { span, doc }
  }

  /** Returns blocks one after the other, all of them on one line or each on lines of its own. */
  #blocks(node: Braced, blocks: readonly Block[]): Doc {
    const parts: Doc[] = []
    blocks.forEach(({ head, nodes }, at) => {
      const span = node.blocks[at] ?? node
      const { inside, rest } = this.content(span, nodes, "block", "")
      parts.push(head, inside, rest)
    })
    const last = node.blocks.at(-1) ?? node
    return group(anchor(concat(...parts, this.#source.marks({ start: last.end, end: node.end }, "}}"))))
  }

  /** Returns the text before a block: `before (code) {`. */
  #head(node: Braced, at: number, before: string, code: Code | undefined): Doc {
    const from = at === 0 ? node.start : (node.blocks[at - 1]?.end ?? node.start)
    const to = node.blocks[at]?.start ?? node.end
    if (!code) return this.#source.marks({ start: from, end: to }, `${before} {`)
    const { span, doc } = this.#parentheses(from, code)
    const start = this.#source.marks({ start: from, end: span.start }, `${before} `)
    return concat(start, doc, this.#source.marks({ start: span.end, end: to }, " {"))
  }

  #if(node: IfNode): Doc {
    const blocks = node.branches.map(({ condition, body }, at): Block => {
      const before = at === 0 ? "{if" : condition ? "} else if" : "} else"
      return { head: this.#head(node, at, before, condition), nodes: body }
    })
    return this.#blocks(node, blocks)
  }

  #for(node: ForNode): Doc {
    const blocks: Block[] = [
      { head: this.#head(node, 0, node.awaits ? "{for await" : "{for", node.header), nodes: node.body },
    ]
    if (node.otherwise) blocks.push({ head: this.#head(node, 1, "} else", undefined), nodes: node.otherwise })
    return this.#blocks(node, blocks)
  }

  #defer(node: DeferNode): Doc {
    const { failed, pending, body } = node
    const blocks: Block[] = [{ head: this.#head(node, 0, "{defer", undefined), nodes: body }]
    if (node.blocks.length > (failed ? 2 : 1)) {
      blocks.push({ head: this.#head(node, 1, "} pending", undefined), nodes: pending })
    }
    if (failed) {
      const before = failed.name ? `} failed (${this.#source.slice(failed.name)})` : "} failed"
      blocks.push({ head: this.#head(node, blocks.length, before, undefined), nodes: failed.body })
    }
    return this.#blocks(node, blocks)
  }

  #component(node: ComponentNode): Doc {
    const { call, start, brace } = node
    const end = call.end + 1
    const head = concat(
      this.#source.marks({ start, end: call.start }, "{"),
      this.#code(call, { start: call.start, end }),
      this.#source.marks({ start: end, end: brace + 1 }, " {"),
    )
    return this.#blocks(node, [{ head, nodes: node.children }])
  }

  /** Returns a switch, with each case on lines of its own. */
  #switch(node: SwitchNode): Doc {
    const { span, doc } = this.#parentheses(node.start, node.subject)
    const parts: Doc[] = []
    let from = span.end
    node.cases.forEach(({ test, body }, at) => {
      const block = node.blocks[at] ?? node
      const comments = this.#source.comments({ start: from, end: test?.start ?? block.start })
      parts.push(...comments.flatMap((comment) => [hardLine, comment]), hardLine)
      const colon = { start: test?.end ?? block.start, end: block.start }
      const head = test ? concat("case ", this.#code(test), this.#source.marks(colon, ": {")) : "default: {"
      const { inside, rest } = this.content(block, body, "block", "}")
      parts.push(group(anchor(concat(head, inside, rest))))
      from = block.end
    })
    const comments = this.#source.comments({ start: from, end: node.end })
    parts.push(...comments.flatMap((comment) => [hardLine, comment]))
    const open = this.#source.marks({ start: node.start, end: span.start }, "{switch ")
    return anchor(concat(open, doc, " {", indent(concat(...parts)), hardLine, "}}"))
  }

  #element(node: ElementNode): Doc {
    const { inside } = node
    const tag = this.#tag(node)
    if (node.isVoid || !inside) return tag
    const end = `</${node.name}>`
    if (isKept(node, this.#space)) return concat(tag, verbatim(this.#source.slice(inside)), verbatim(end))
    const isEmpty = inside.start === inside.end
    if (isEmpty && this.#closesItself(node)) return tag
    const within = node.named ? this.#space : spaceInside(node.name.toLowerCase(), this.#space)
    const writer = within === this.#space ? this : new NodeWriter(this.#source, within)
    const content = writer.content(inside, node.children, "element", end)
    if (content.rest !== "" || content.breaks) return group(concat(tag, content.inside, content.rest))
    return group(concat(this.#tag(node, content.inside), content.inside))
  }

  /** Returns true for an element that is written `<path/>`: without content, where that is not misleading. */
  #closesItself(node: ElementNode): boolean {
    if (this.#space === "xml") return node.selfClosing
    return (this.#space === "svg" || this.#space === "math") && !node.named && !isKept(node, this.#space)
  }

  /** @param next the content and the end tag, if no line may end at the edges of the content. */
  #tag(node: ElementNode, next?: Doc): Doc {
    const { attributes, tag, name, inside } = node
    const parts = this.#attributes(node)
    const isSelfClosed = !node.isVoid && this.#closesItself(node) && (!inside || inside.start === inside.end)
    const isBare = !node.isVoid && !inside && !isSelfClosed
    const close = isSelfClosed ? "/>" : isBare ? `></${name}>` : ">"
    const open = verbatim(`<${name}`)
    if (parts.length === 0) return concat(open, close)
    const [first = ""] = parts
    if (parts.length === 1 && attributes.length === 1) {
      return concat(open, " ", first, endsUnquoted(attributes, isSelfClosed) ? " " : "", close)
    }
    const space = endsUnquoted(attributes, isSelfClosed) ? line : softLine
    const content = concat(...parts.flatMap((part) => [line, part]))
    return tag.end > tag.start ? group(concat(open, indent(content), space, close), next) : open
  }

  /** Returns the attributes of a tag, and the comments between them. */
  #attributes({ attributes, tag, name, named }: ElementNode): Doc[] {
    const parts: Doc[] = []
    const brace = named && firstToken(this.#source.text, named.end).token
    let from = brace?.end ?? tag.start + 1 + name.length
    for (const attribute of [...attributes, undefined]) {
      const end = attribute?.start ?? this.#endOfTag(tag)
      parts.push(...itemsOfText(this.#source, { start: from, end }).map(({ doc }) => doc))
      if (attribute) parts.push(this.#attribute(attribute))
      from = attribute?.end ?? end
    }
    return parts
  }

  #endOfTag({ end }: Span): number {
    return this.#source.text[end - 2] === "/" ? end - 2 : end - 1
  }

  #attribute(attribute: Attribute): Doc {
    if (attribute.kind === "spread") return anchor(this.#braces(attribute, attribute.code, "{..."))
    const { name } = attribute
    if (attribute.kind === "literal") {
      return attribute.value === undefined ? name : verbatim(`${name}=${attribute.value}`)
    }
    const brace = this.#source.text.indexOf("{", attribute.start + name.length)
    return anchor(concat(name, "=", this.#braces({ start: brace, end: attribute.end }, attribute.code)))
  }
}

/** Returns true if the content of an element is not markup, or if its white space is printed. */
function isKept({ keepsSpace, name }: ElementNode, space: Space): boolean {
  if (keepsSpace) return true
  const lower = name.toLowerCase()
  if (space === "xml") return false
  return lower === "script" || lower === "style" || (space === "html" && opaqueElements.has(lower))
}

/** Returns true if a `/` after the last attribute would belong to its value. */
function endsUnquoted(attributes: readonly Attribute[], isSelfClosed: boolean): boolean {
  const last = attributes.at(-1)
  return isSelfClosed && last?.kind === "literal" && last.value !== undefined && !/["']$/.test(last.value)
}
