/** Splits a .tpl file into TypeScript and templates, and parses the templates. */

import type { Node, Template, TypeScriptPart } from "./ast.ts"
import { checkTemplate } from "./check/check-template.ts"
import type { Language } from "./check/elements.ts"
import { refuseMisspeltTemplate } from "./check/foreign-text.ts"
import { isAsync, printsChildren } from "./check/node-facts.ts"
import { ModuleNames, readCodeTokens, type Suspect } from "./check/scope.ts"
import { Problem } from "./diagnostic.ts"
import { tidyTemplate } from "./emit/whitespace.ts"
import { refuseReservedName } from "./parse/code-reader.ts"
import { Cursor } from "./parse/cursor.ts"
import { type Header, parseHeader } from "./parse/header.ts"
import { Lexer, type Token } from "./parse/lexer.ts"
import { parseBlock } from "./parse/markup.ts"
import { NextPart, parseOrFindNextPart, refuseTemplateInBrackets } from "./parse/next-part.ts"
import { recoverTemplate, recoverTypeScript, type TemplateName, toBrokenTemplate } from "./parse/recover.ts"
import { refuseMarkupAfter } from "./parse/unclosed.ts"

/** A parsed file, and its errors. If there are errors, it contains what could be read. */
export interface Module {
  readonly parts: readonly (TypeScriptPart | Template)[]
  readonly problems: readonly Problem[]
}

/** Maximum number of errors that are reported. */
const maxProblems = 20
/** Maximum number of names in braces per template that are compared with the names of the module. */
const maxSuspects = 1_000

const identifier = "[\\p{ID_Start}$_][\\p{ID_Continue}$\\u200c\\u200d]*"
const templateStart = new RegExp(`template[ \\t]+(${identifier})[ \\t]*(?=[(<])`, "uy")
const startWithoutParameters = new RegExp(`template[ \\t]+(${identifier})[ \\t]*(?=\\{)`, "uy")
const modifiedStart = new RegExp(
  `((?:(?:export|default|declare|async)\\s+){1,4})template[ \\t]+(${identifier})[ \\t]*[(<]`,
  "uy",
)
/** The beginning of a template whose keyword may be misspelt, such as `tempalte Card(`. Used only for files with errors. */
const misspeltStart = new RegExp(
  `(?:(?:export|default|declare|async)\\s+){0,4}[A-Za-z]+[ \\t]+(${identifier})[ \\t]*(?=[(<{])`,
  "uy",
)
const nextTemplateStart = /^template[ \t]/gm
/** Operators. Before or after one of them, `template` is an ordinary name. */
const operators = new Set("in of instanceof as satisfies is extends".split(" "))
const reservedNames = new Set(
  (
    "await break case catch class const continue debugger default delete do else enum export false finally for function if " +
    "implements import interface let new null package private protected public return static super switch this throw " +
    "true try typeof var void while with yield arguments eval children"
  ).split(" "),
)

/** Parses a file. After an error it continues with the next template. */
export function parseModule(source: string, language: Language = "html"): Module {
  const parts: (TypeScriptPart | Template)[] = []
  const problems: Problem[] = []
  const names = new ModuleNames()
  const suspects: Suspect[] = []
  const validTemplates: Template[] = []
  let from = 0
  while (from < source.length && problems.length < maxProblems) {
    let partStart = from
    let isTemplate = false
    try {
      const last = parts.at(-1)
      if (last?.kind === "template" && last.end === from) refuseMarkupAfter(source, from, last.name)
      const typeScript = readTypeScript(source, from, names)
      if (typeScript.end > from) parts.push({ kind: "plain", start: from, end: typeScript.end })
      partStart = typeScript.end
      from = typeScript.end
      if (typeScript.name === undefined) break
      isTemplate = true
      const nameStart = source.indexOf(typeScript.name, typeScript.end + "template".length)
      const templateName = { at: typeScript.end, name: typeScript.name, nameStart }
      const template = parseTemplate(source, templateName, language, suspects)
      names.addTemplate(template.name)
      validTemplates.push(template)
      parts.push(template)
      from = template.end
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      problems.push(error)
      const next = findNextTemplate(source, Math.max(partStart + 1, error.offset))
      if (error.template || !isTemplate) parts.push(...recoverParts(source, language, { from: partStart, next }, error))
      from = next
    }
  }
  parts.push(...recoverRest(source, language, from))
  problems.push(...findDuplicates(validTemplates).slice(0, maxProblems))
  problems.push(
    ...suspects
      .flatMap((suspect) => (names.has(suspect) ? [suspect.problem] : []))
      .slice(0, maxProblems)
      .map((problem) => problem()),
  )
  return { parts, problems: problems.sort((a, b) => a.offset - b.offset) }
}

/** Returns the offset of the next template, at or after an offset. Returns the end of the source if there is none. */
function findNextTemplate(source: string, offset: number): number {
  nextTemplateStart.lastIndex = offset
  return nextTemplateStart.exec(source)?.index ?? source.length
}

/** Reads the rest of a file after the last error that is reported, and ignores further errors. */
function recoverRest(source: string, language: Language, start: number): (TypeScriptPart | Template)[] {
  const parts: (TypeScriptPart | Template)[] = []
  for (let from = start; from < source.length; ) {
    const next = findNextTemplate(source, from + 1)
    // The source ends before the next template, so that each template is read only once.
    parts.push(...recoverParts(source.slice(0, next), language, { from, next }, new Problem(from, "")))
    from = next
  }
  return parts
}

/** Reads what can be used between an offset and the next template. */
function recoverParts(
  source: string,
  language: Language,
  { from, next }: { from: number; next: number },
  { template, offset }: Problem,
): (TypeScriptPart | Template)[] {
  if (template) return recoverTemplate(source, template, offset, next)
  misspeltStart.lastIndex = offset
  const [head = "", name] = misspeltStart.exec(source) ?? []
  if (name === undefined) return recoverTypeScript(source, from, next)
  const plain = recoverTypeScript(source, from, offset)
  try {
    const templateName = { at: offset, name, nameStart: offset + head.lastIndexOf(name) }
    const wholeTemplate = parseToEnd(source, templateName, { language, findsNextPart: false }, [])
    return [...plain, wholeTemplate, ...recoverTypeScript(source, wholeTemplate.end, next)]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.template ? [...plain, ...recoverTemplate(source, error.template, error.offset, next)] : plain
  }
}

const isAtLineStart = (source: string, offset: number): boolean =>
  offset === 0 || /[\n\r\ufeff]/.test(source[offset - 1] ?? "")

type TypeScriptEnd = { readonly end: number; readonly name: string | undefined }

/** Reads TypeScript up to the next template or to the end. Returns the name of that template. */
function readTypeScript(source: string, from: number, names: ModuleNames): TypeScriptEnd {
  return parseOrFindNextPart((findsNextPart) =>
    readTokens(source, from, findsNextPart ? new ModuleNames() : names, findsNextPart),
  )
}

function readTokens(source: string, from: number, names: ModuleNames, findsNextPart: boolean): TypeScriptEnd {
  const lexer = new Lexer(source, from)
  for (;;) {
    const { previous } = lexer
    const depth = lexer.openBrackets.length
    const token = lexer.next()
    if (!token) return { end: source.length, name: undefined }
    if (token.kind === "comment") continue
    if (depth === 0 && token.kind === "mark" && /^[)\]}]$/.test(token.text)) {
      const fix = token.text === "}" ? 'A brace in markup is written {"}"}.' : "Remove it."
      throw new Problem(token.start, `stray "${token.text}"`, fix)
    }
    refuseReservedName(token, previous)
    if (findsNextPart) refuseTemplateInBrackets(source, lexer, token)
    if (depth === 0 && token.kind === "word") {
      if (isAtLineStart(source, token.start)) refuseMisspeltTemplate(source, token.start)
      const name = readTemplateName(source, token)
      if (name !== undefined) return { end: token.start, name }
    }
    names.readToken(token, depth)
  }
}

/** Returns the name of the template that begins with a word outside of all brackets; undefined if none does. */
function readTemplateName(source: string, token: Token): string | undefined {
  modifiedStart.lastIndex = token.start
  const modified = modifiedStart.exec(source)
  if (modified && !operators.has(modified[2] ?? "")) {
    const words = modified[1]?.trim() ?? ""
    const fix = words.includes("async")
      ? `Write template ${modified[2]}(…): an {await …} in it makes it async.`
      : `Write template ${modified[2]}(…): every template is exported.`
    throw new Problem(token.start, `a template takes no "${words}"`, fix)
  }
  if (token.text !== "template") return undefined
  startWithoutParameters.lastIndex = token.start
  const unfinishedName = startWithoutParameters.exec(source)?.[1]
  if (unfinishedName !== undefined && !operators.has(unfinishedName)) {
    const fix = `Write template ${unfinishedName}() { … }.`
    throw new Problem(token.start, `template ${unfinishedName} has no parameter list`, fix)
  }
  templateStart.lastIndex = token.start
  const name = templateStart.exec(source)?.[1]
  if (name === undefined || operators.has(name)) return undefined
  if (!isAtLineStart(source, token.start)) {
    throw new Problem(token.start, "a template starts at the start of a line", "Remove the text before it.")
  }
  return name
}

function parseTemplate(source: string, templateName: TemplateName, language: Language, suspects: Suspect[]): Template {
  return parseOrFindNextPart((findsNextPart) => {
    try {
      return parseToEnd(source, templateName, { language, findsNextPart }, suspects)
    } catch (error) {
      if (!(error instanceof NextPart)) throw error
      return parseToEnd(source.slice(0, error.offset), templateName, { language, findsNextPart }, suspects)
    }
  })
}

function parseToEnd(
  source: string,
  { at, name, nameStart }: TemplateName,
  { language, findsNextPart }: { language: Language; findsNextPart: boolean },
  suspects: Suspect[],
): Template {
  if (reservedNames.has(name)) throw new Problem(nameStart, `"${name}" is a reserved word`, "Choose another name.")
  if (name.startsWith("$fw")) {
    throw new Problem(nameStart, `"${name}" is reserved`, "Names that start with $fw belong to the generated code.")
  }
  const cursor = new Cursor(source, nameStart + name.length, parseBlock)
  cursor.findsNextPart = findsNextPart
  let header: Header | undefined
  let body: Node[] | undefined
  try {
    header = parseHeader(cursor, name)
    cursor.scope.bind(readCodeTokens(source, header.parameterList.start, header.parameterList.end))
    cursor.scope.add("children")
    const opener = { start: header.braceStart, name: `template ${name}`, end: "}" }
    body = tidyTemplate(parseBlock(cursor, language, header.braceStart, opener))
    suspects.push(...cursor.scope.suspects.slice(0, maxSuspects))
    const { braceStart: _, ...rest } = header
    const [async, children] = [isAsync(body), printsChildren(body)]
    const { position: end } = cursor
    const template: Template = {
      kind: "template",
      name,
      start: at,
      nameStart,
      ...rest,
      body,
      bodySpan: { start: header.braceStart + 1, end: end - 1 },
      isAsync: async,
      printsChildren: children,
      end,
    }
    checkTemplate(source, template, header, language)
    return template
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const template = toBrokenTemplate(source, { at, name, nameStart }, header, body ?? error.partialNodes)
    error.template = body ? { ...template, end: cursor.position } : template
    throw error
  }
}

function findDuplicates(templates: readonly Template[]): Problem[] {
  const knownNames = new Set<string>()
  return templates.flatMap(({ name, nameStart }) => {
    if (!knownNames.has(name)) {
      knownNames.add(name)
      return []
    }
    return [new Problem(nameStart, `template ${name} is written twice`, "Rename one of the two.")]
  })
}
