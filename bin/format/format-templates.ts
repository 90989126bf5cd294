/** Formats the templates in the text of a `.tpl` file. */

import type { Template } from "../../template/ast.ts"
import type { Language } from "../../template/check/elements.ts"
import { toDiagnostic } from "../../template/diagnostic.ts"
import { type Compiled, compile, type Diagnostic } from "../../template/index.ts"
import { parseModule } from "../../template/module.ts"
import { Lexer } from "../../template/parse/lexer.ts"
import { anchor, concat, type Doc, group, hardLine } from "./document.ts"
import { type LineStyle, layOut } from "./layout.ts"
import { NodeWriter } from "./node-writer.ts"
import { TemplateSource } from "./template-source.ts"

const changedMessage = "fw format would change what this file prints, so it stays as it is. This is a bug in fw"
const changedFix = "Report it with this file. Name the other files to format them: fw format app/page.tpl."

/** A formatted file in parts. */
export interface FormattedParts {
  /** Unchanged TypeScript and formatted templates, in the order of the file. */
  readonly parts: readonly { readonly kind: "plain" | "template"; readonly text: string }[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Formats the templates in a text. The TypeScript around them stays unchanged, and so does a text with errors.
 *
 * @param file the name of the file, which tells whether it is XML.
 */
export function formatTemplates(text: string, file: string, style: LineStyle): FormattedParts {
  const before = compile(text, file)
  if (before.diagnostics.length > 0) return { parts: [], diagnostics: before.diagnostics }
  const language: Language = file.endsWith(".xml.tpl") ? "xml" : "html"
  const source = new TemplateSource(text, style)
  const parts = parseModule(text, language).parts.map((part) => ({
    kind: part.kind,
    text: part.kind === "plain" ? source.slice(part) : layOut(toTemplateDoc(source, part, language), style),
  }))
  const after = compile(parts.map((part) => part.text).join(""), file)
  if (!isSameCode(before, after))
    return { parts: [], diagnostics: [toDiagnostic(file, text, 0, changedMessage, changedFix)] }
  return { parts, diagnostics: [] }
}

function toTemplateDoc(source: TemplateSource, template: Template, language: Language): Doc {
  const { name, generics, parameterList, bodySpan, body, start, nameStart } = template
  const parameters = source.findParentheses(generics.end, parameterList)
  const writer = new NodeWriter(source, language)
  const noMarkup = () => ""
  const hasLineBreak = /[\n\r]/.test(source.text.slice(parameters.start, parameterList.start))
  const head = concat(
    source.writeMarks({ start, end: nameStart }, "template "),
    name,
    source.writeCode(generics, [], noMarkup),
    hasLineBreak
      ? source.writeCode(parameters, [], noMarkup)
      : concat("(", source.writeCode(parameterList, [], noMarkup), ")"),
    source.writeMarks({ start: parameters.end, end: bodySpan.start }, " {"),
  )
  const content = writer.writeContent(bodySpan, body, "template", "")
  const isEmpty = body.length === 0 && source.slice(bodySpan).trim() === ""
  if (isEmpty) return concat(head, "}")
  return group(anchor(concat(head, content.inside, hardLine, "}")))
}

/** Returns true if two compiled files have the same tokens. Comments and white space do not count. */
function isSameCode(one: Compiled, other: Compiled): boolean {
  if (other.diagnostics.length > 0) return false
  const [a, b] = [readTokenTexts(one.code), readTokenTexts(other.code)]
  return a.length === b.length && a.every((text, at) => text === b[at])
}

function readTokenTexts(code: string): string[] {
  const lexer = new Lexer(code, 0)
  const found: string[] = []
  for (let token = lexer.next(); token; token = lexer.next()) {
    if (token.kind !== "comment") found.push(token.text)
  }
  return found
}
