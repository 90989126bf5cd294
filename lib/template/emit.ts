/** Writes the TypeScript of a parsed file: plain functions that append strings to a local variable. */

import type {
  Code,
  ComponentNode,
  DeferNode,
  ElementNode,
  ExpressionNode,
  ForNode,
  IfNode,
  Markup,
  Node,
  Plain,
  Span,
  Template,
  ValuePlace,
} from "./ast.ts"
import type { Language } from "./elements.ts"
import { emitAttributes } from "./emit-attributes.ts"
import { bodyIDIn, isEntity, isLiteral, losesNewline, parameterNamed } from "./facts.ts"
import { Output } from "./output.ts"
import type { Writer } from "./writer.ts"

const textHelpers = { text: "$fwText", plain: "$fwPlain", script: "$fwScript", json: "$fwJson" } as const

/** Writes the code of one part. It depends on no other part. */
export function emitPart(
  writer: Writer,
  helpers: Set<string>,
  part: Plain | Template,
  language: Language,
  type: string,
): void {
  if (part.kind === "plain") writer.copyPart(part)
  else new TemplateEmitter(writer, helpers, part, language, type).emit()
}

class TemplateEmitter {
  readonly #out: Output
  readonly #writer: Writer
  readonly #template: Template
  readonly #language: Language
  /** Name of the type of a template's result. */
  readonly #type: string

  constructor(writer: Writer, helpers: Set<string>, template: Template, language: Language, type: string) {
    this.#language = language
    this.#type = type
    this.#out = new Output(writer, helpers, (markup) => this.#markup(markup))
    this.#writer = writer
    this.#template = template
  }

  emit(): void {
    const { start, nameStart, name, generics, list, body, async, end } = this.#template
    const writer = this.#writer
    writer.write(async ? "export async function " : "export function ", start)
    writer.copy(nameStart, nameStart + name.length)
    writer.copy(generics.start, generics.end)
    writer.write("(", nameStart)
    const type = this.#type
    if (name === "Layout" && this.#language === "html") this.#layoutParameters()
    else this.#parameters()
    // After a broken list, the error is at this parenthesis.
    writer.write(")", list.end)
    writer.write(async ? `: Promise<${type}> {\n` : `: ${type} {\n`, nameStart)
    if (async && this.#language === "html") this.#out.collect(nameStart)
    this.#nodes(body)
    writer.write(`  return $fwRaw(${this.#out.whole()}${this.#out.collected});\n}${this.#bodyID()}`, end - 1)
  }

  /** The id of the layout's body, which pages compare with what htmx says it swaps: on the same line, so that no line moves. */
  #bodyID(): string {
    const id = this.#template.name === "Layout" ? bodyIDIn(this.#template.body) : undefined
    return id === undefined ? "" : ` export const $fwBodyID = ${JSON.stringify(id)};`
  }

  #parameters(): void {
    const { list, separator, children, nameStart } = this.#template
    this.#out.code(list)
    if (children) this.#writer.write(`${separator}children: ${this.#type}`, nameStart)
  }

  /**
   * Writes the parameters of a layout. They are always passed, so missing ones get names that may stay
   * unused.
   */
  #layoutParameters(): void {
    const writer = this.#writer
    const { nameStart, children } = this.#template
    const title = parameterNamed(this.#template, "title")
    const c = parameterNamed(this.#template, "c")
    if (title) writer.copy(title.start, title.start + "title".length)
    writer.write(title ? ": string, " : "_$fwTitle: string, ", nameStart)
    if (c) writer.copy(c.start, c.start + "c".length)
    writer.write(c ? ": " : "_$fwContext: ", nameStart)
    if (c?.type) writer.copy(c.type.start, c.type.end)
    else writer.write(this.#out.helper("$fwContext"), nameStart)
    writer.write(`${children ? ", children" : ", _$fwChildren"}: ${this.#type}`, nameStart)
  }

  #nodes(nodes: readonly Node[]): void {
    for (const node of nodes) this.#node(node)
  }

  #node(node: Node): void {
    switch (node.kind) {
      case "text":
      case "verbatim":
        this.#out.literal(node.text)
        break
      case "element":
        this.#element(node)
        break
      case "expression":
        this.#expression(node)
        break
      case "component":
        this.#component(node)
        break
      case "const":
        this.#out.line("", node.code.start)
        this.#out.code(node.code)
        this.#writer.write(";\n", node.code.end)
        break
      case "unfinished":
        this.#out.line("void (", node.code.start)
        this.#out.code(node.code)
        this.#writer.write(");\n", node.code.end)
        break
      case "for":
        this.#for(node)
        break
      case "if":
        this.#if(node.branches)
        break
      case "switch":
        this.#switch(node.subject, node.cases)
        break
      case "defer":
        this.#defer(node)
    }
  }

  #textHelper(place: ValuePlace): string {
    return this.#language === "xml" ? "$fwXmlText" : textHelpers[place]
  }

  /** Writes markup inside an expression. Most of it is literal. */
  #markup({ nodes, awaits, start }: Markup): void {
    const form = isLiteral(nodes) ? "literal" : awaits ? "async" : "sync"
    this.#out.inline(() => this.#nodes(nodes), form, start)
  }

  #expression({ code, place }: ExpressionNode): void {
    this.#out.begin(code.start)
    this.#writer.write(`${this.#out.helper(this.#textHelper(place))}(`, code.start)
    this.#out.argument(code)
    this.#out.end(`${place === "text" ? this.#out.collected : ""})`, code.end)
  }

  #for({ awaits, header, body, otherwise }: ForNode): void {
    const out = this.#out
    const anchor = header.start
    out.flush(anchor)
    const isEmpty = otherwise && out.local("true", anchor)
    out.line(awaits ? "for await (" : "for (", anchor)
    out.code(header)
    this.#writer.write(") {\n", header.end)
    if (isEmpty) out.assign(isEmpty, "false", anchor)
    this.#body(body, anchor)
    out.line("}\n", anchor)
    if (!isEmpty) return
    out.line(`if (${isEmpty}) {\n`, anchor)
    this.#body(otherwise, anchor)
    out.line("}\n", anchor)
  }

  #body(nodes: readonly Node[], anchor: number): void {
    this.#out.body(() => this.#nodes(nodes), anchor)
  }

  #if(branches: IfNode["branches"]): void {
    let anchor = this.#template.start
    branches.forEach(({ condition, body }, index) => {
      anchor = condition?.start ?? anchor
      if (index === 0) this.#out.flush(anchor)
      this.#out.line(index === 0 ? "if (" : condition ? "} else if (" : "} else {\n", anchor)
      if (condition) this.#out.code(condition)
      if (condition) this.#writer.write(") {\n", condition.end)
      this.#body(body, anchor)
    })
    this.#out.line("}\n", anchor)
  }

  #switch(
    subject: Code,
    cases: readonly { readonly test: Code | undefined; readonly body: readonly Node[] }[],
  ): void {
    this.#out.flush(subject.start)
    this.#out.line("switch (", subject.start)
    this.#out.code(subject)
    this.#writer.write(") {\n", subject.end)
    this.#out.indented(() => {
      for (const { test, body } of cases) {
        const anchor = test?.start ?? subject.start
        this.#out.line(test ? "case " : "default", anchor)
        if (test) this.#out.argument(test)
        this.#writer.write(": {\n", test?.end ?? anchor)
        this.#body(body, anchor)
        this.#out.line("  break;\n", anchor)
        this.#out.line("}\n", anchor)
      }
    })
    this.#out.line("}\n", subject.start)
  }

  /**
   * Writes a component call. The children are evaluated first, and the arguments cannot see their constants.
   */
  #component({ call, separator, brace, children }: ComponentNode): void {
    const name = this.#out.apart(() => this.#nodes(children), brace)
    this.#out.add(`${this.#out.helper(this.#textHelper("text"))}(`, call.start)
    this.#out.code(call)
    const { collected } = this.#out
    this.#writer.write(`${separator}$fwRaw(${name}${collected})`, brace)
    this.#out.end(`)${collected})`, call.end)
  }

  /** Writes a deferred block: its content and what replaces it on failure are functions that run later. */
  #defer({ word: start, body, pending, failed }: DeferNode): void {
    const out = this.#out
    const shown = pending.length > 0 ? out.apart(() => this.#nodes(pending), start) : '""'
    out.flush(start)
    out.add(`${out.helper("$fwDefer")}(`, start)
    out.later(
      () => this.#nodes(body),
      () => {},
      start,
    )
    this.#writer.write(`, $fwRaw(${shown}${out.collected}), `, start)
    if (failed) {
      const { name } = failed
      const parameter = () => {
        if (name) this.#writer.copy(name.start, name.end)
        if (name) this.#writer.write(": unknown", name.start)
      }
      out.later(() => this.#nodes(failed.body), parameter, name?.start ?? start)
    } else this.#writer.write("undefined", start)
    this.#writer.write(`${out.collected});\n`, start)
  }

  #element(node: ElementNode): void {
    const out = this.#out
    const tag = node.named && out.constant("$fwTag", node.named)
    const name = tag ? () => out.value(tag, node.start) : () => out.literal(node.name)
    out.literal("<")
    name()
    emitAttributes(out, node, this.#language, tag)
    out.literal(node.selfClosing ? "/>" : ">")
    if (node.isVoid || node.selfClosing) return
    if (this.#language === "html" && losesNewline(node)) {
      const content = out.apart(() => this.#nodes(node.children), node.start)
      out.add(`${out.helper("$fwNewline")}(${content}`, node.start)
      out.end(")", node.start)
    } else {
      this.#nodes(node.children)
    }
    out.literal("</")
    const { closing } = node.inside ?? {}
    if (tag && closing && isEntity(node.name)) this.#endName(tag, closing)
    else name()
    out.literal(">")
  }

  /** Writes the name of an end tag. Its type has the name as the end tag has it, so that a rename changes both tags. */
  #endName(tag: string, closing: Span): void {
    this.#out.begin(closing.start)
    this.#writer.write(`(${tag} as string | typeof `, closing.start)
    this.#writer.copy(closing.start, closing.end)
    this.#writer.write(");\n", closing.end)
  }
}
