/** Writes the TypeScript of templates: plain functions that append text to a local variable. */

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
  Span,
  Template,
  TypeScriptPart,
  ValuePlace,
} from "../ast.ts"
import type { Language } from "../check/elements.ts"
import { findBodyID, findParameter, isEntityName, isLiteral, mayLoseNewline } from "../check/node-facts.ts"
import { emitAttributes } from "./emit-attributes.ts"
import { Output } from "./output.ts"
import type { Writer } from "./writer.ts"

const textHelpers = { text: "$fwText", plain: "$fwPlain", script: "$fwScript", json: "$fwJson" } as const

/** Writes the code of one template or of one range of TypeScript. */
export function emitPart(
  writer: Writer,
  helpers: Set<string>,
  part: TypeScriptPart | Template,
  language: Language,
  type: string,
): void {
  if (part.kind === "plain") writer.copyTypeScript(part)
  else new TemplateEmitter(writer, helpers, part, language, type).emit()
}

class TemplateEmitter {
  readonly #out: Output
  readonly #writer: Writer
  readonly #template: Template
  readonly #language: Language
  /** The name under which the code imports the type of its result, `Html` or `Xml`. */
  readonly #resultType: string

  constructor(writer: Writer, helpers: Set<string>, template: Template, language: Language, type: string) {
    this.#language = language
    this.#resultType = type
    this.#out = new Output(writer, helpers, (markup) => this.#emitMarkup(markup), language)
    this.#writer = writer
    this.#template = template
  }

  emit(): void {
    const { start, nameStart, name, generics, parameterList, body, isAsync, end } = this.#template
    const writer = this.#writer
    writer.write(isAsync ? "export async function " : "export function ", start)
    writer.copy(nameStart, nameStart + name.length)
    writer.copy(generics.start, generics.end)
    writer.write("(", nameStart)
    const type = this.#resultType
    if (name === "Layout" && this.#language === "html") this.#emitLayoutParameters()
    else this.#emitParameters()
    // If the list of parameters has a mistake, TypeScript reports it at this parenthesis.
    writer.write(")", parameterList.end)
    writer.write(isAsync ? `: Promise<${type}> {\n` : `: ${type} {\n`, nameStart)
    if (isAsync && this.#language === "html") this.#out.declareCollector(nameStart)
    this.#emitNodes(body)
    writer.write(
      `  return $fwRaw(${this.#out.toOutputExpression()}${this.#out.collectorArgument});\n}${this.#toBodyIDLine()}`,
      end - 1,
    )
  }

  /**
   * Returns code for the id of the layout's body, with which pages can tell what htmx swaps. It is added to the same
   * line, so that the lines of the author do not move.
   */
  #toBodyIDLine(): string {
    const id = this.#template.name === "Layout" ? findBodyID(this.#template.body) : undefined
    return id === undefined ? "" : ` export const $fwBodyID = ${JSON.stringify(id)};`
  }

  #emitParameters(): void {
    const { parameterList, separator, printsChildren, nameStart } = this.#template
    this.#out.copyCode(parameterList)
    if (printsChildren) this.#writer.write(`${separator}children: ${this.#resultType}`, nameStart)
  }

  /**
   * Writes the parameters of a layout. A layout always gets all of them, so those that the author has left out get
   * names that may stay unused.
   */
  #emitLayoutParameters(): void {
    const writer = this.#writer
    const { nameStart, printsChildren } = this.#template
    const title = findParameter(this.#template, "title")
    const c = findParameter(this.#template, "c")
    if (title) writer.copy(title.start, title.start + "title".length)
    writer.write(title ? ": string, " : "_$fwTitle: string, ", nameStart)
    if (c) writer.copy(c.start, c.start + "c".length)
    writer.write(c ? ": " : "_$fwContext: ", nameStart)
    if (c?.type) writer.copy(c.type.start, c.type.end)
    else writer.write(this.#out.useHelper("$fwContext"), nameStart)
    writer.write(`${printsChildren ? ", children" : ", _$fwChildren"}: ${this.#resultType}`, nameStart)
  }

  #emitNodes(nodes: readonly Node[]): void {
    for (const node of nodes) this.#emitNode(node)
  }

  #emitNode(node: Node): void {
    switch (node.kind) {
      case "text":
      case "verbatim":
        this.#out.addLiteral(node.text)
        break
      case "element":
        this.#emitElement(node)
        break
      case "expression":
        this.#emitExpression(node)
        break
      case "component":
        this.#emitComponent(node)
        break
      case "const":
        this.#out.beginLine("", node.code.start)
        this.#out.copyCode(node.code)
        this.#writer.write(";\n", node.code.end)
        break
      case "unfinished":
        this.#out.beginLine("void (", node.code.start)
        this.#out.copyCode(node.code)
        this.#writer.write(");\n", node.code.end)
        break
      case "for":
        this.#emitFor(node)
        break
      case "if":
        this.#emitIf(node.branches)
        break
      case "switch":
        this.#emitSwitch(node.subject, node.cases)
        break
      case "defer":
        this.#emitDefer(node)
    }
  }

  #findTextHelper(place: ValuePlace): string {
    return this.#language === "xml" ? "$fwXmlText" : textHelpers[place]
  }

  /** Writes markup that is inside an expression. Most of it is literal. */
  #emitMarkup({ nodes, awaits, start }: Markup): void {
    const form = isLiteral(nodes) ? "literal" : awaits ? "async" : "sync"
    this.#out.writeInline(() => this.#emitNodes(nodes), form, start)
  }

  #emitExpression({ code, place }: ExpressionNode): void {
    this.#out.beginAppend(code.start)
    this.#writer.write(`${this.#out.useHelper(this.#findTextHelper(place))}(`, code.start)
    this.#out.copyArgument(code)
    this.#out.endStatement(`${place === "text" ? this.#out.collectorArgument : ""})`, code.end)
  }

  #emitFor({ awaits, header, body, otherwise }: ForNode): void {
    const out = this.#out
    const anchor = header.start
    out.flush(anchor)
    const emptyVariable = otherwise && out.declareVariable("true", anchor)
    out.beginLine(awaits ? "for await (" : "for (", anchor)
    out.copyCode(header)
    this.#writer.write(") {\n", header.end)
    if (emptyVariable) out.assignInBlock(emptyVariable, "false", anchor)
    this.#emitBody(body, anchor)
    out.beginLine("}\n", anchor)
    if (!emptyVariable) return
    out.beginLine(`if (${emptyVariable}) {\n`, anchor)
    this.#emitBody(otherwise, anchor)
    out.beginLine("}\n", anchor)
  }

  #emitBody(nodes: readonly Node[], anchor: number): void {
    this.#out.writeBody(() => this.#emitNodes(nodes), anchor)
  }

  #emitIf(branches: IfNode["branches"]): void {
    let anchor = this.#template.start
    branches.forEach(({ condition, body }, index) => {
      anchor = condition?.start ?? anchor
      if (index === 0) this.#out.flush(anchor)
      this.#out.beginLine(index === 0 ? "if (" : condition ? "} else if (" : "} else {\n", anchor)
      if (condition) this.#out.copyCode(condition)
      if (condition) this.#writer.write(") {\n", condition.end)
      this.#emitBody(body, anchor)
    })
    this.#out.beginLine("}\n", anchor)
  }

  #emitSwitch(
    subject: Code,
    cases: readonly { readonly test: Code | undefined; readonly body: readonly Node[] }[],
  ): void {
    this.#out.flush(subject.start)
    this.#out.beginLine("switch (", subject.start)
    this.#out.copyCode(subject)
    this.#writer.write(") {\n", subject.end)
    this.#out.writeIndented(() => {
      for (const { test, body } of cases) {
        const anchor = test?.start ?? subject.start
        this.#out.beginLine(test ? "case " : "default", anchor)
        if (test) this.#out.copyArgument(test)
        this.#writer.write(": {\n", test?.end ?? anchor)
        this.#emitBody(body, anchor)
        this.#out.beginLine("  break;\n", anchor)
        this.#out.beginLine("}\n", anchor)
      }
    })
    this.#out.beginLine("}\n", subject.start)
  }

  /**
   * Writes the call of a component. Its children are evaluated before the call, so the arguments cannot use constants
   * of the children.
   */
  #emitComponent({ call, separator, braceStart, children }: ComponentNode): void {
    const name = this.#out.writeToVariable(() => this.#emitNodes(children), braceStart)
    this.#out.appendExpression(`${this.#out.useHelper(this.#findTextHelper("text"))}(`, call.start)
    this.#out.copyCode(call)
    const { collectorArgument } = this.#out
    this.#writer.write(`${separator}$fwRaw(${name}${collectorArgument})`, braceStart)
    this.#out.endStatement(`)${collectorArgument})`, call.end)
  }

  /** Writes a deferred block. Its body and its `failed` block become functions that run later. */
  #emitDefer({ wordStart: start, body, pending, failed }: DeferNode): void {
    const out = this.#out
    const pendingOutput = pending.length > 0 ? out.writeToVariable(() => this.#emitNodes(pending), start) : '""'
    out.flush(start)
    out.appendExpression(`${out.useHelper("$fwDefer")}(`, start)
    out.writeAsyncFunction(
      () => this.#emitNodes(body),
      () => {},
      start,
    )
    this.#writer.write(`, $fwRaw(${pendingOutput}${out.collectorArgument}), `, start)
    if (failed) {
      const { name } = failed
      const parameter = () => {
        if (name) this.#writer.copy(name.start, name.end)
        if (name) this.#writer.write(": unknown", name.start)
      }
      out.writeAsyncFunction(() => this.#emitNodes(failed.body), parameter, name?.start ?? start)
    } else this.#writer.write("undefined", start)
    this.#writer.write(`${out.collectorArgument});\n`, start)
  }

  #emitElement(node: ElementNode): void {
    const out = this.#out
    const tag = node.nameCode && out.declareConstant("$fwTag", node.nameCode)
    const emitName = tag ? () => out.appendVariable(tag, node.start) : () => out.addLiteral(node.name)
    out.addLiteral("<")
    emitName()
    emitAttributes(out, node, this.#language, tag)
    out.addLiteral(node.isSelfClosing ? "/>" : ">")
    if (node.isVoid || node.isSelfClosing) return
    if (this.#language === "html" && mayLoseNewline(node)) {
      const content = out.writeToVariable(() => this.#emitNodes(node.children), node.start)
      out.appendExpression(`${out.useHelper("$fwNewline")}(${content}`, node.start)
      out.endStatement(")", node.start)
    } else {
      this.#emitNodes(node.children)
    }
    out.addLiteral("</")
    const { closing } = node.content ?? {}
    if (tag && closing && isEntityName(node.name)) this.#emitEndName(tag, closing)
    else emitName()
    out.addLiteral(">")
  }

  /**
   * Writes the name of an end tag. It becomes part of a type, so that an editor that renames it changes both tags.
   */
  #emitEndName(tag: string, closing: Span): void {
    this.#out.beginAppend(closing.start)
    this.#writer.write(`(${tag} as string | typeof `, closing.start)
    this.#writer.copy(closing.start, closing.end)
    this.#writer.write(");\n", closing.end)
  }
}
