/** Parses markup: text, elements and braces become the nodes of a block. */

import type { BracedNode, ElementContent, Node, Span } from "../ast.ts"
import { type Namespace, toInnerNamespace, voidElements } from "../check/elements.ts"
import { refuseForeignAngle, refuseForeignEndTag, refuseForeignText, refuseReturn } from "../check/foreign-text.ts"
import { checkInstruction, checkXmlText, refuseInstruction } from "../check/xml-text.ts"
import { Problem } from "../diagnostic.ts"
import { findFirstToken } from "./code-reader.ts"
import { expectComponentEnd, opensChildren, toComponentCall } from "./component.ts"
import { parseControl, refuseFirstToken, refuseForeignSyntax } from "./control.ts"
import type { Cursor, Opener } from "./cursor.ts"
import { readDeclaration } from "./declaration.ts"
import { refuseDefer } from "./defer.ts"
import { refuseNextPart } from "./next-part.ts"
import { keepPartialNodes, toUnfinishedNodes, unknownSpan } from "./partial-nodes.ts"
import { parseRawContent } from "./raw-content.ts"
import { isSameName, parseNameInBraces, parseTag, type Tag, toElement } from "./tag.ts"
import {
  createStrayEndTagProblem,
  createUnclosedAtEndProblem,
  createUnclosedBlockProblem,
  createUnclosedElementProblem,
  recordUnclosedBraces,
  toLineNumber,
} from "./unclosed.ts"

/** Maximum depth of nested elements, because the tree is read recursively. */
const maxOpenElements = 500
const textRun = /[^<{}]+/y
const xmlEndTag = /<\/([^\s/>{}<"'=]+)\s*/y
const xmlStyle = /^(?:(?:x?html|svg):)?style$/
const endTag = /<\/([A-Za-z][^\s/>{}<"']*)\s*/y

interface OpenElement {
  readonly tag: Tag
  readonly space: Namespace
  readonly children: Node[]
}

/** Parses the markup of a block, from after its opening brace to after its closing one. */
export function parseBlock(cursor: Cursor, namespace: Namespace, brace: number, opener?: Opener): Node[] {
  const reader = new BlockReader(cursor, namespace, brace, opener)
  return keepPartialNodes(
    () => cursor.readNested(brace, namespace, () => reader.read()),
    (nodes) => reader.toUnfinishedNodes(nodes),
  )
}

class BlockReader {
  readonly #cursor: Cursor
  readonly #namespace: Namespace
  readonly #brace: number
  readonly #opener: Opener | undefined
  readonly #nodes: Node[] = []
  /** The elements that are open, innermost last. */
  readonly #open: OpenElement[] = []

  constructor(cursor: Cursor, namespace: Namespace, brace: number, opener: Opener | undefined) {
    this.#cursor = cursor
    this.#namespace = namespace
    this.#brace = brace
    this.#opener = opener
  }

  read(): Node[] {
    const cursor = this.#cursor
    for (;;) {
      const run = cursor.match(textRun)
      if (run) this.#addLiteralText(run[0])
      if (cursor.startsWith("}")) {
        this.#checkClosed()
        if (this.#opener) recordUnclosedBraces(cursor, cursor.position, this.#opener)
        cursor.position++
        return this.#nodes
      }
      if (cursor.startsWith("{")) this.#readBraces()
      else if (cursor.startsWith("<")) this.#readAngle()
      else throw this.#toUnclosedProblem()
    }
  }

  #toUnclosedProblem(): Problem {
    const innermost = this.#innermost
    if (innermost && !this.#cursor.suspect) return createUnclosedAtEndProblem(innermost.tag)
    return createUnclosedBlockProblem(this.#cursor, this.#brace, this.#opener)
  }

  /** Returns the nodes that were read before an error. `rest` are the nodes of the innermost element. */
  toUnfinishedNodes(rest: readonly Node[]): Node[] {
    let nodes = rest
    for (const { tag, children } of this.#open.toReversed()) nodes = [this.#toElementNode(tag, [...children, ...nodes])]
    return [...this.#nodes, ...nodes]
  }

  get #innermost(): OpenElement | undefined {
    return this.#open.at(-1)
  }

  get #currentNamespace(): Namespace {
    return this.#innermost?.space ?? this.#namespace
  }

  #addNode(node: Node): void {
    ;(this.#innermost?.children ?? this.#nodes).push(node)
  }

  /** Adds text. It is joined with the text before it, even if a comment was between them. */
  #addText(text: string): void {
    const nodes = this.#innermost?.children ?? this.#nodes
    const last = nodes.at(-1)
    if (last?.kind === "text") nodes[nodes.length - 1] = { kind: "text", text: last.text + text }
    else nodes.push({ kind: "text", text })
  }

  #addLiteralText(text: string): void {
    const start = this.#cursor.position - text.length
    if (this.#cursor.findsNextPart)
      refuseNextPart(this.#cursor, text, this.#brace, this.#innermost ? undefined : this.#opener)
    this.#cursor.scope.checkText(start, text, this.#cursor.source)
    refuseForeignText(this.#cursor, text, this.#namespace === "xml")
    if (this.#namespace === "xml") checkXmlText(text, start)
    // XML does not allow "]]>" in text (§2.4). An expression before a literal ">" could complete it, so ">" is escaped.
    this.#addText(this.#namespace === "xml" ? text.replaceAll(">", "&gt;") : text)
  }

  #checkClosed(): void {
    const innermost = this.#innermost
    if (innermost) throw createUnclosedElementProblem(this.#cursor.source, innermost.tag, this.#cursor.position)
  }

  #readAngle(): void {
    const cursor = this.#cursor
    const start = cursor.position
    const next = cursor.source[start + 1] ?? ""
    if (next === "?") this.#readInstruction(start)
    else if (next === "!") this.#readDeclaration()
    else if (next === "/") this.#readEndTag()
    else if ((this.#namespace === "xml" ? /[^\s\d"'<>=}]/ : /[A-Za-z{]/).test(next)) this.#readElement()
    else {
      if (this.#namespace !== "xml") refuseForeignAngle(cursor)
      cursor.position++
      // Together with the value of an expression after it, a single "<" could become a tag.
      this.#addText("&lt;")
    }
  }

  /** Parses `<?…?>` in XML: an XML declaration or a processing instruction. */
  #readInstruction(start: number): void {
    const cursor = this.#cursor
    if (this.#namespace !== "xml") refuseInstruction(start)
    const end = cursor.source.indexOf("?>", start)
    if (end < 0) throw new Problem(start, 'this "<?" is never closed', 'Close it with "?>".')
    cursor.position = end + 2
    const text = cursor.source.slice(start, end + 2)
    const isEmpty = this.#nodes.every((node) => node.kind === "text" && node.text.trim() === "")
    checkInstruction(text, start, cursor.isOutermost && !this.#innermost && isEmpty)
    this.#addVerbatim(start, text)
  }

  #addVerbatim(start: number, text: string): void {
    this.#addNode({ kind: "verbatim", text, start, end: start + text.length })
  }

  #readDeclaration(): void {
    const start = this.#cursor.position
    const text = readDeclaration(this.#cursor, this.#namespace, this.#currentNamespace)
    if (text !== undefined) this.#addVerbatim(start, text)
  }

  #readElement(): void {
    const cursor = this.#cursor
    const namespace = this.#currentNamespace
    const [first] = this.#nodes
    if (this.#nodes.length === 1 && first?.kind === "text" && !this.#innermost) refuseReturn(cursor, first.text)
    const tag = parseTag(cursor)
    const name = tag.name.toLowerCase()
    if (tag.nameCode && namespace !== "html") {
      const fix = "Write the names of its elements literally, one per case of an {if}."
      throw new Problem(tag.start, `<${namespace}> takes no element whose name is an expression`, fix)
    }
    const isVoid = namespace === "html" && voidElements.has(name)
    const raw = keepPartialNodes(
      () => (isVoid || tag.isSelfClosed ? undefined : parseRawContent(cursor, tag, namespace)),
      (nodes) => [this.#toElementNode(tag, nodes)],
    )
    if (isVoid || tag.isSelfClosed) this.#addNode(this.#toElementNode(tag, [], undefined, isVoid))
    else if (raw) this.#addNode(this.#toElementNode(tag, raw.nodes, raw))
    else this.#openElement(tag, toInnerNamespace(name, namespace))
  }

  #openElement(tag: Tag, namespace: Namespace): void {
    if (this.#open.length >= maxOpenElements) {
      throw new Problem(tag.start, "this is nested too deeply", "Move a part into a template.")
    }
    this.#open.push({ tag, space: namespace, children: [] })
    this.#cursor.openElements.push(tag.name)
    this.#cursor.namespace = namespace
  }

  #toElementNode(tag: Tag, children: readonly Node[], content?: ElementContent, isVoid = false): Node {
    return toElement(tag, children, {
      end: this.#cursor.position,
      content,
      isVoid,
      namespace: this.#namespace,
    })
  }

  #readEndTag(): void {
    const cursor = this.#cursor
    const start = cursor.position
    const { name, nameCode } = this.#readEndName()
    if (name === undefined) refuseForeignEndTag(cursor)
    if (name === undefined) throw new Problem(start, '"</" does not begin an end tag', "Write &lt;/ for the text.")
    if (
      !cursor.startsWith(">") &&
      /\s$/.test(cursor.source.slice(start, cursor.position)) &&
      /[<}]/.test(cursor.character)
    )
      throw new Problem(start, `the end tag </${name} is never closed`, 'Close it with ">".')
    if (!cursor.startsWith(">")) throw new Problem(start, "an end tag takes no attributes", `Write </${name}>.`)
    const innermost = this.#innermost
    if (this.#currentNamespace === "html" && voidElements.has(name.toLowerCase())) {
      throw new Problem(start, `<${name}> has no end tag`, `Remove </${name}>.`)
    }
    if (!innermost) {
      const isOutside = cursor.openElements.some((one) => isSameName(one, name, this.#namespace))
      throw createStrayEndTagProblem(cursor, start, name, isOutside ? this.#opener : undefined)
    }
    if (!isSameName(innermost.tag.name, name, this.#namespace)) {
      const fix = `Close it with </${innermost.tag.name}> first.`
      const where = () => `of line ${toLineNumber(cursor.source, innermost.tag.start)}`
      throw new Problem(start, () => `</${name}> does not close <${innermost.tag.name}> ${where()}`, fix)
    }
    cursor.position++
    this.#open.pop()
    cursor.openElements.pop()
    cursor.namespace = this.#currentNamespace
    this.#addNode(
      this.#toElementNode(innermost.tag, innermost.children, {
        start: innermost.tag.end,
        end: start,
        closing: nameCode,
      }),
    )
  }

  #readEndName(): { readonly name: string | undefined; readonly nameCode?: Span } {
    const cursor = this.#cursor
    if (this.#namespace === "xml") return { name: cursor.match(xmlEndTag)?.[1] }
    if (!cursor.startsWith("</{")) return { name: cursor.match(endTag)?.[1] }
    cursor.position += 2
    const end = parseNameInBraces(cursor)
    cursor.match(/\s*/y)
    return end
  }

  #readBraces(): void {
    const cursor = this.#cursor
    const brace = cursor.position
    refuseForeignSyntax(cursor)
    const { token, hasComment } = findFirstToken(cursor.source, brace + 1)
    if (token?.text === "}" && hasComment) {
      cursor.position = token.end
      return
    }
    refuseFirstToken(cursor.source, brace, token)
    const namespace = this.#currentNamespace
    if (namespace === "xml" && xmlStyle.test(this.#innermost?.tag.name ?? "")) {
      throw new Problem(brace, "<style> takes no interpolation", "Write it out: no value is safe in CSS.")
    }
    const isInert = this.#open.some(({ tag }) => tag.name.toLowerCase() === "template")
    // The content of <template> is not part of the page, so a deferred block could not be filled in there.
    if (isInert) refuseDefer(cursor.source, brace + 1)
    const control = token?.kind === "word" && parseControl(cursor, token, namespace, parseBlock)
    this.#addNode(control || this.#readExpression(brace))
  }

  #readExpression(brace: number): Node {
    const cursor = this.#cursor
    cursor.position = brace + 1
    const { code, tokens, stop } = cursor.readExpression(brace, "}{", { endsBefore: opensChildren })
    if (stop.text !== "{") {
      recordUnclosedBraces(cursor, stop.start, { start: brace, name: '"{"' })
      const isChildren = tokens.length === 1 && tokens[0]?.text === "children"
      return { kind: "expression", start: brace, end: stop.end, code, place: "text", isChildren }
    }
    const { call, separator } = keepPartialNodes(
      () => toComponentCall(cursor, code, tokens, stop),
      () => toUnfinishedNodes(code),
    )
    const toComponent = (children: readonly Node[], place: BracedNode): Node => {
      return { kind: "component", ...place, call, separator, braceStart: stop.start, children }
    }
    const opener = { start: brace, name: '"{"', end: "}}" }
    let children: readonly Node[] = []
    const read = (): Node => {
      children = parseBlock(cursor, this.#currentNamespace, stop.start, opener)
      const blocks = [{ start: stop.end, end: cursor.position - 1 }]
      expectComponentEnd(cursor, brace)
      recordUnclosedBraces(cursor, cursor.position - 1, opener)
      return toComponent(children, { start: brace, end: cursor.position, blocks })
    }
    return keepPartialNodes(read, (nodes) => [toComponent(nodes.length > 0 ? nodes : children, unknownSpan)])
  }
}
