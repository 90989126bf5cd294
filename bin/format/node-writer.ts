/** Converts the nodes of a template to documents. */
import type {
  Attribute,
  BracedNode,
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
} from "../../template/ast.ts"
import { type Namespace, opaqueElements, toInnerNamespace } from "../../template/check/elements.ts"
import { findFirstToken } from "../../template/parse/code-reader.ts"
import { type ContentItem, type Edge, readItems, readTextItems, toContent, wrapContent } from "./content.ts"
import { anchor, concat, type Doc, group, hardLine, indent, line, softLine, toVerbatim } from "./document.ts"
import type { TemplateSource } from "./template-source.ts"

type PrintedNode = Exclude<Node, { kind: "text" | "unfinished" }>

/** A block: its header up to the opening brace, and its markup. */
interface PrintedBlock {
  readonly head: Doc
  readonly nodes: readonly Node[]
}

/** Converts nodes of HTML, SVG or XML. */
export class NodeWriter {
  readonly #source: TemplateSource
  readonly #namespace: Namespace

  constructor(source: TemplateSource, namespace: Namespace) {
    this.#source = source
    this.#namespace = namespace
  }

  /** Converts markup between an opening and a closing text. */
  writeContent(
    span: Span,
    nodes: readonly Node[],
    edge: Edge,
    close: string,
  ): { inside: Doc; rest: Doc; mustBreak: boolean } {
    const content = toContent(this.#source, span, this.#toItems(span, nodes), edge)
    const { inside, rest } = wrapContent(content, close)
    return {
      inside: indent(inside),
      rest,
      mustBreak: typeof content.before !== "string" || content.mustBreak,
    }
  }

  #toItem(node: PrintedNode): ContentItem {
    const doc = this.#writeNode(node)
    return { start: node.start, end: node.end, doc, kind: this.#findKind(node) }
  }

  #findKind(node: PrintedNode): ContentItem["kind"] {
    if (node.kind === "const") return "const"
    if (node.kind === "verbatim") return node.text.startsWith("<![CDATA[") ? "inline" : "block"
    if (node.kind !== "element" || this.#namespace !== "html") return "inline"
    return blockElements.has(node.name.toLowerCase()) ? "block" : "inline"
  }

  #writeNode(node: PrintedNode): Doc {
    switch (node.kind) {
      case "verbatim":
        return toVerbatim(node.text)
      case "element":
        return anchor(this.#writeElement(node))
      case "const":
      case "expression":
        return this.#writeBraces(node, node.code)
      case "component":
        return this.#writeComponent(node)
      case "for":
        return this.#writeFor(node)
      case "if":
        return this.#writeIf(node)
      case "switch":
        return this.#writeSwitch(node)
      case "defer":
        return this.#writeDefer(node)
    }
  }

  #writeCode(code: Code, span: Span = code): Doc {
    return this.#source.writeCode(span, code.markup, (markup) => this.#writeMarkup(markup))
  }

  /** Converts the markup in an expression. No white space may be before its first tag. */
  #writeMarkup({ start, end, nodes }: Markup): Doc {
    const span = { start: start + 1, end: end - 1 }
    const content = toContent(this.#source, span, this.#toItems(span, nodes), "block")
    const after = typeof content.after === "string" ? content.after : ""
    const { inside, rest } = wrapContent({ ...content, before: "", after }, "}")
    return group(anchor(concat("{", indent(inside), rest)))
  }

  #toItems(span: Span, nodes: readonly Node[]): ContentItem[] {
    return readItems(this.#source, span, nodes, (node) => this.#toItem(node))
  }

  #writeBraces({ start, end }: Span, code: Code, open = "{"): Doc {
    const before = this.#source.writeMarks({ start, end: code.start }, open)
    return concat(before, this.#writeCode(code), this.#source.writeMarks({ start: code.end, end }, "}"))
  }

  /** Converts `(code)`. Parentheses that are on lines of their own stay there. */
  #writeParentheses(from: number, code: Code): { span: Span; doc: Doc } {
    const span = this.#source.findParentheses(from, code)
    const hasLineBreak = /[\n\r]/.test(this.#source.text.slice(span.start, code.start))
    const doc = hasLineBreak ? this.#writeCode(code, span) : concat("(", this.#writeCode(code), ")")
    return { span, doc }
  }

  /** Converts several blocks, either all on one line or each on its own lines. */
  #writeBlocks(node: BracedNode, blocks: readonly PrintedBlock[]): Doc {
    const parts: Doc[] = []
    blocks.forEach(({ head, nodes }, at) => {
      const span = node.blocks[at] ?? node
      const { inside, rest } = this.writeContent(span, nodes, "block", "")
      parts.push(head, inside, rest)
    })
    const last = node.blocks.at(-1) ?? node
    return group(anchor(concat(...parts, this.#source.writeMarks({ start: last.end, end: node.end }, "}}"))))
  }

  /** Converts the header of a block: `before (code) {`. */
  #writeHead(node: BracedNode, at: number, before: string, code: Code | undefined): Doc {
    const from = at === 0 ? node.start : (node.blocks[at - 1]?.end ?? node.start)
    const to = node.blocks[at]?.start ?? node.end
    if (!code) return this.#source.writeMarks({ start: from, end: to }, `${before} {`)
    const { span, doc } = this.#writeParentheses(from, code)
    const start = this.#source.writeMarks({ start: from, end: span.start }, `${before} `)
    return concat(start, doc, this.#source.writeMarks({ start: span.end, end: to }, " {"))
  }

  #writeIf(node: IfNode): Doc {
    const blocks = node.branches.map(({ condition, body }, at): PrintedBlock => {
      const before = at === 0 ? "{if" : condition ? "} else if" : "} else"
      return { head: this.#writeHead(node, at, before, condition), nodes: body }
    })
    return this.#writeBlocks(node, blocks)
  }

  #writeFor(node: ForNode): Doc {
    const blocks: PrintedBlock[] = [
      { head: this.#writeHead(node, 0, node.awaits ? "{for await" : "{for", node.header), nodes: node.body },
    ]
    if (node.otherwise) blocks.push({ head: this.#writeHead(node, 1, "} else", undefined), nodes: node.otherwise })
    return this.#writeBlocks(node, blocks)
  }

  #writeDefer(node: DeferNode): Doc {
    const { failed, pending, body } = node
    const blocks: PrintedBlock[] = [{ head: this.#writeHead(node, 0, "{defer", undefined), nodes: body }]
    if (node.blocks.length > (failed ? 2 : 1)) {
      blocks.push({ head: this.#writeHead(node, 1, "} pending", undefined), nodes: pending })
    }
    if (failed) {
      const before = failed.name ? `} failed (${this.#source.slice(failed.name)})` : "} failed"
      blocks.push({ head: this.#writeHead(node, blocks.length, before, undefined), nodes: failed.body })
    }
    return this.#writeBlocks(node, blocks)
  }

  #writeComponent(node: ComponentNode): Doc {
    const { call, start, braceStart } = node
    const end = call.end + 1
    const head = concat(
      this.#source.writeMarks({ start, end: call.start }, "{"),
      this.#writeCode(call, { start: call.start, end }),
      this.#source.writeMarks({ start: end, end: braceStart + 1 }, " {"),
    )
    return this.#writeBlocks(node, [{ head, nodes: node.children }])
  }

  /** Converts a switch. Each case has its own lines. */
  #writeSwitch(node: SwitchNode): Doc {
    const { span, doc } = this.#writeParentheses(node.start, node.subject)
    const parts: Doc[] = []
    let from = span.end
    node.cases.forEach(({ test, body }, at) => {
      const block = node.blocks[at] ?? node
      const comments = this.#source.writeComments({ start: from, end: test?.start ?? block.start })
      parts.push(...comments.flatMap((comment) => [hardLine, comment]), hardLine)
      const colon = { start: test?.end ?? block.start, end: block.start }
      const head = test ? concat("case ", this.#writeCode(test), this.#source.writeMarks(colon, ": {")) : "default: {"
      const { inside, rest } = this.writeContent(block, body, "block", "}")
      parts.push(group(anchor(concat(head, inside, rest))))
      from = block.end
    })
    const comments = this.#source.writeComments({ start: from, end: node.end })
    parts.push(...comments.flatMap((comment) => [hardLine, comment]))
    const open = this.#source.writeMarks({ start: node.start, end: span.start }, "{switch ")
    return anchor(concat(open, doc, " {", indent(concat(...parts)), hardLine, "}}"))
  }

  #writeElement(node: ElementNode): Doc {
    const { content: inside } = node
    const tag = this.#writeTag(node)
    if (node.isVoid || !inside) return tag
    const end = `</${node.name}>`
    if (keepsContent(node, this.#namespace)) return concat(tag, toVerbatim(this.#source.slice(inside)), toVerbatim(end))
    const isEmpty = inside.start === inside.end
    if (isEmpty && this.#isSelfClosing(node)) return tag
    const namespace = node.nameCode ? this.#namespace : toInnerNamespace(node.name.toLowerCase(), this.#namespace)
    const writer = namespace === this.#namespace ? this : new NodeWriter(this.#source, namespace)
    const content = writer.writeContent(inside, node.children, "element", end)
    if (content.rest !== "" || content.mustBreak) return group(concat(tag, content.inside, content.rest))
    return group(concat(this.#writeTag(node, content.inside), content.inside))
  }

  /**
   * Returns true for an element that is written like `<path/>`: it has no content, and this form is not misleading.
   */
  #isSelfClosing(node: ElementNode): boolean {
    if (this.#namespace === "xml") return node.isSelfClosing
    return (
      (this.#namespace === "svg" || this.#namespace === "math") &&
      !node.nameCode &&
      !keepsContent(node, this.#namespace)
    )
  }

  /**
   * Converts a start tag.
   *
   * @param next the content and the end tag, if no line may break at the edges of the content.
   */
  #writeTag(node: ElementNode, next?: Doc): Doc {
    const { attributes, tag, name, content: inside } = node
    const parts = this.#writeAttributes(node)
    const isSelfClosed = !node.isVoid && this.#isSelfClosing(node) && (!inside || inside.start === inside.end)
    const isBare = !node.isVoid && !inside && !isSelfClosed
    const close = isSelfClosed ? "/>" : isBare ? `></${name}>` : ">"
    const open = toVerbatim(`<${name}`)
    if (parts.length === 0) return concat(open, close)
    const [first = ""] = parts
    if (parts.length === 1 && attributes.length === 1) {
      return concat(open, " ", first, endsWithUnquotedValue(attributes, isSelfClosed) ? " " : "", close)
    }
    const lastLine = endsWithUnquotedValue(attributes, isSelfClosed) ? line : softLine
    const content = concat(...parts.flatMap((part) => [line, part]))
    return tag.end > tag.start ? group(concat(open, indent(content), lastLine, close), next) : open
  }

  /** Converts the attributes of a tag, and the comments between them. */
  #writeAttributes({ attributes, tag, name, nameCode }: ElementNode): Doc[] {
    const parts: Doc[] = []
    const brace = nameCode && findFirstToken(this.#source.text, nameCode.end).token
    let from = brace?.end ?? tag.start + 1 + name.length
    for (const attribute of [...attributes, undefined]) {
      const end = attribute?.start ?? this.#findTagEnd(tag)
      parts.push(...readTextItems(this.#source, { start: from, end }).map(({ doc }) => doc))
      if (attribute) parts.push(this.#writeAttribute(attribute))
      from = attribute?.end ?? end
    }
    return parts
  }

  #findTagEnd({ end }: Span): number {
    return this.#source.text[end - 2] === "/" ? end - 2 : end - 1
  }

  #writeAttribute(attribute: Attribute): Doc {
    if (attribute.kind === "spread") return anchor(this.#writeBraces(attribute, attribute.code, "{..."))
    const { name } = attribute
    if (attribute.kind === "literal") {
      return attribute.value === undefined ? name : toVerbatim(`${name}=${attribute.value}`)
    }
    const brace = this.#source.text.indexOf("{", attribute.start + name.length)
    return anchor(concat(name, "=", this.#writeBraces({ start: brace, end: attribute.end }, attribute.code)))
  }
}

/** Returns true if the content of an element is not markup, or if its white space is printed. */
function keepsContent({ keepsSpace, name }: ElementNode, namespace: Namespace): boolean {
  if (keepsSpace) return true
  const lower = name.toLowerCase()
  if (namespace === "xml") return false
  return lower === "script" || lower === "style" || (namespace === "html" && opaqueElements.has(lower))
}

/** Returns true if a `/` after the last attribute would become a part of its value. */
function endsWithUnquotedValue(attributes: readonly Attribute[], isSelfClosed: boolean): boolean {
  const last = attributes.at(-1)
  return isSelfClosed && last?.kind === "literal" && last.value !== undefined && !/["']$/.test(last.value)
}

const blockElements: ReadonlySet<string> = new Set(
  (
    "address article aside base blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset " +
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li link listing main menu " +
    "meta nav noscript ol optgroup option p plaintext pre script search section style summary table tbody td template " +
    "tfoot th thead title tr ul xmp"
  ).split(" "),
)
