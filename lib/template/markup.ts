/** The parser of markup: text, elements and braces become the nodes of a block. */

import type { Braced, Inside, Node, Span } from "./ast.ts"
import { firstToken } from "./code.ts"
import { asCall, closeComponent, opensChildren } from "./component.ts"
import { parseControl, refuseFirst, refuseForeign } from "./control.ts"
import type { Cursor, Opener } from "./cursor.ts"
import { readDeclaration } from "./declaration.ts"
import { refuseDefer } from "./defer.ts"
import { Problem } from "./diagnostic.ts"
import { type Space, spaceInside, voidElements } from "./elements.ts"
import { keeping, unfinished, unplaced } from "./keeping.ts"
import { refuseForeignAngle, refuseForeignEnd, refuseForeignText, refuseReturn } from "./mistakes.ts"
import { refuseNextPart } from "./next-template.ts"
import { parseRawContent } from "./rawtext.ts"
import { nameInBraces, parseTag, sameName, type Tag, toElement } from "./tag.ts"
import { lineOf, noteClosed, strayEnd, unclosedAtEnd, unclosedBlock, unclosedElement } from "./unclosed.ts"
import { checkInstruction, checkXmlText, refuseInstruction } from "./xml-text.ts"

/** Deepest nesting of elements, because the tree is walked by recursion. */
const deepest = 500
const textRun = /[^<{}]+/y
const xmlEndTag = /<\/([^\s/>{}<"'=]+)\s*/y
const xmlStyle = /^(?:(?:x?html|svg):)?style$/
const endTag = /<\/([A-Za-z][^\s/>{}<"']*)\s*/y

interface Open {
  readonly tag: Tag
  readonly space: Space
  readonly children: Node[]
}

/** Parses a block's markup, from after its opening brace to after its closing one. */
export function parseBlock(cursor: Cursor, space: Space, brace: number, opener?: Opener): Node[] {
  const reader = new BlockReader(cursor, space, brace, opener)
  return keeping(
    () => cursor.nested(brace, space, () => reader.read()),
    (nodes) => reader.unfinished(nodes),
  )
}

class BlockReader {
  readonly #cursor: Cursor
  readonly #space: Space
  readonly #brace: number
  readonly #opener: Opener | undefined
  readonly #nodes: Node[] = []
  /** The open elements, innermost last. */
  readonly #open: Open[] = []

  constructor(cursor: Cursor, space: Space, brace: number, opener: Opener | undefined) {
    this.#cursor = cursor
    this.#space = space
    this.#brace = brace
    this.#opener = opener
  }

  read(): Node[] {
    const cursor = this.#cursor
    for (;;) {
      const run = cursor.match(textRun)
      if (run) this.#literalText(run[0])
      if (cursor.at("}")) {
        this.#checkClosed()
        if (this.#opener) noteClosed(cursor, cursor.position, this.#opener)
        cursor.position++
        return this.#nodes
      }
      if (cursor.at("{")) this.#braces()
      else if (cursor.at("<")) this.#angle()
      else throw this.#unclosed()
    }
  }

  #unclosed(): Problem {
    const inside = this.#inside
    if (inside && !this.#cursor.suspect) return unclosedAtEnd(inside.tag)
    return unclosedBlock(this.#cursor, this.#brace, this.#opener)
  }

  /** Returns the nodes that were read before an error; `rest` are those of the innermost element. */
  unfinished(rest: readonly Node[]): Node[] {
    let nodes = rest
    for (const { tag, children } of this.#open.toReversed())
      nodes = [this.#node(tag, [...children, ...nodes])]
    return [...this.#nodes, ...nodes]
  }

  get #inside(): Open | undefined {
    return this.#open.at(-1)
  }

  get #spaceHere(): Space {
    return this.#inside?.space ?? this.#space
  }

  #add(node: Node): void {
    ;(this.#inside?.children ?? this.#nodes).push(node)
  }

  /** Appends text to the text before it, so that a dropped comment leaves no trace. */
  #text(text: string): void {
    const nodes = this.#inside?.children ?? this.#nodes
    const last = nodes.at(-1)
    if (last?.kind === "text") nodes[nodes.length - 1] = { kind: "text", text: last.text + text }
    else nodes.push({ kind: "text", text })
  }

  #literalText(text: string): void {
    const start = this.#cursor.position - text.length
    if (this.#cursor.findsNextPart)
      refuseNextPart(this.#cursor, text, this.#brace, this.#inside ? undefined : this.#opener)
    this.#cursor.scope.checkText(start, text, this.#cursor.source)
    refuseForeignText(this.#cursor, text, this.#space === "xml")
    if (this.#space === "xml") checkXmlText(text, start)
    // "]]>" cannot be in text (XML 1.0 §2.4), nor result from an expression before a literal ">".
    this.#text(this.#space === "xml" ? text.replaceAll(">", "&gt;") : text)
  }

  #checkClosed(): void {
    const inside = this.#inside
    if (inside) throw unclosedElement(this.#cursor.source, inside.tag, this.#cursor.position)
  }

  #angle(): void {
    const cursor = this.#cursor
    const start = cursor.position
    const next = cursor.source[start + 1] ?? ""
    if (next === "?") this.#instruction(start)
    else if (next === "!") this.#declaration()
    else if (next === "/") this.#endTag()
    else if ((this.#space === "xml" ? /[^\s\d"'<>=}]/ : /[A-Za-z{]/).test(next)) this.#element()
    else {
      if (this.#space !== "xml") refuseForeignAngle(cursor)
      cursor.position++
      // A bare "<" could become a tag with the output of an expression after it.
      this.#text("&lt;")
    }
  }

  /** Parses `<?…?>` in XML: the declaration of a document, or a processing instruction. */
  #instruction(start: number): void {
    const cursor = this.#cursor
    if (this.#space !== "xml") refuseInstruction(start)
    const end = cursor.source.indexOf("?>", start)
    if (end < 0) throw new Problem(start, 'this "<?" is never closed', 'Close it with "?>".')
    cursor.position = end + 2
    const text = cursor.source.slice(start, end + 2)
    const isEmpty = this.#nodes.every((node) => node.kind === "text" && node.text.trim() === "")
    checkInstruction(text, start, cursor.isOutermost && !this.#inside && isEmpty)
    this.#verbatim(start, text)
  }

  #verbatim(start: number, text: string): void {
    this.#add({ kind: "verbatim", text, start, end: start + text.length })
  }

  #declaration(): void {
    const start = this.#cursor.position
    const text = readDeclaration(this.#cursor, this.#space, this.#spaceHere)
    if (text !== undefined) this.#verbatim(start, text)
  }

  #element(): void {
    const cursor = this.#cursor
    const space = this.#spaceHere
    const [first] = this.#nodes
    if (this.#nodes.length === 1 && first?.kind === "text" && !this.#inside) refuseReturn(cursor, first.text)
    const tag = parseTag(cursor)
    const name = tag.name.toLowerCase()
    if (tag.named && space !== "html") {
      const fix = "Write the names of its elements literally, one per case of an {if}."
      throw new Problem(tag.start, `<${space}> takes no element whose name is an expression`, fix)
    }
    const isVoid = space === "html" && voidElements.has(name)
    const raw = keeping(
      () => (isVoid || tag.closed ? undefined : parseRawContent(cursor, tag, space)),
      (nodes) => [this.#node(tag, nodes)],
    )
    if (isVoid || tag.closed) this.#add(this.#node(tag, [], undefined, isVoid))
    else if (raw) this.#add(this.#node(tag, raw.nodes, raw))
    else this.#push(tag, spaceInside(name, space))
  }

  #push(tag: Tag, space: Space): void {
    if (this.#open.length >= deepest) {
      throw new Problem(tag.start, "this is nested too deeply", "Move a part into a template.")
    }
    this.#open.push({ tag, space, children: [] })
    this.#cursor.elements.push(tag.name)
    this.#cursor.space = space
  }

  #node(tag: Tag, children: readonly Node[], inside?: Inside, isVoid = false): Node {
    return toElement(tag, children, { end: this.#cursor.position, inside, isVoid, space: this.#space })
  }

  #endTag(): void {
    const cursor = this.#cursor
    const start = cursor.position
    const { name, named } = this.#endName()
    if (name === undefined) refuseForeignEnd(cursor)
    if (name === undefined)
      throw new Problem(start, '"</" does not begin an end tag', "Write &lt;/ for the text.")
    if (
      !cursor.at(">") &&
      /\s$/.test(cursor.source.slice(start, cursor.position)) &&
      /[<}]/.test(cursor.character)
    )
      throw new Problem(start, `the end tag </${name} is never closed`, 'Close it with ">".')
    if (!cursor.at(">")) throw new Problem(start, "an end tag takes no attributes", `Write </${name}>.`)
    const inside = this.#inside
    if (this.#spaceHere === "html" && voidElements.has(name.toLowerCase())) {
      throw new Problem(start, `<${name}> has no end tag`, `Remove </${name}>.`)
    }
    if (!inside) {
      const isOutside = cursor.elements.some((one) => sameName(one, name, this.#space))
      throw strayEnd(cursor, start, name, isOutside ? this.#opener : undefined)
    }
    if (!sameName(inside.tag.name, name, this.#space)) {
      const fix = `Close it with </${inside.tag.name}> first.`
      const where = () => `of line ${lineOf(cursor.source, inside.tag.start)}`
      throw new Problem(start, () => `</${name}> does not close <${inside.tag.name}> ${where()}`, fix)
    }
    cursor.position++
    this.#open.pop()
    cursor.elements.pop()
    cursor.space = this.#spaceHere
    this.#add(this.#node(inside.tag, inside.children, { start: inside.tag.end, end: start, closing: named }))
  }

  #endName(): { readonly name: string | undefined; readonly named?: Span } {
    const cursor = this.#cursor
    if (this.#space === "xml") return { name: cursor.match(xmlEndTag)?.[1] }
    if (!cursor.at("</{")) return { name: cursor.match(endTag)?.[1] }
    cursor.position += 2
    const end = nameInBraces(cursor)
    cursor.match(/\s*/y)
    return end
  }

  #braces(): void {
    const cursor = this.#cursor
    const brace = cursor.position
    refuseForeign(cursor)
    const { token, commented } = firstToken(cursor.source, brace + 1)
    if (token?.text === "}" && commented) {
      cursor.position = token.end
      return
    }
    refuseFirst(cursor.source, brace, token)
    const space = this.#spaceHere
    if (space === "xml" && xmlStyle.test(this.#inside?.tag.name ?? "")) {
      throw new Problem(brace, "<style> takes no interpolation", "Write it out: no value is safe in CSS.")
    }
    const isInert = this.#open.some(({ tag }) => tag.name.toLowerCase() === "template")
    // Browsers keep the content of a template out of the page, where nothing could be put into its place.
    if (isInert) refuseDefer(cursor.source, brace + 1)
    const control = token?.kind === "word" && parseControl(cursor, token, space, parseBlock)
    this.#add(control || this.#expression(brace))
  }

  #expression(brace: number): Node {
    const cursor = this.#cursor
    cursor.position = brace + 1
    const { code, tokens, stop } = cursor.expression(brace, "}{", { ends: opensChildren })
    if (stop.text !== "{") {
      noteClosed(cursor, stop.start, { start: brace, name: '"{"' })
      const isChildren = tokens.length === 1 && tokens[0]?.text === "children"
      return { kind: "expression", start: brace, end: stop.end, code, place: "text", isChildren }
    }
    const { call, separator } = keeping(
      () => asCall(cursor, code, tokens, stop),
      () => unfinished(code),
    )
    const component = (children: readonly Node[], place: Braced): Node => {
      return { kind: "component", ...place, call, separator, brace: stop.start, children }
    }
    const opener = { start: brace, name: '"{"', end: "}}" }
    let children: readonly Node[] = []
    const read = (): Node => {
      children = parseBlock(cursor, this.#spaceHere, stop.start, opener)
      const blocks = [{ start: stop.end, end: cursor.position - 1 }]
      closeComponent(cursor, brace)
      noteClosed(cursor, cursor.position - 1, opener)
      return component(children, { start: brace, end: cursor.position, blocks })
    }
    return keeping(read, (nodes) => [component(nodes.length > 0 ? nodes : children, unplaced)])
  }
}
