/**
 * Answers requests about the code in templates: the request goes to TypeScript's server for the compiled code, and
 * positions in the result are converted back.
 */

import { mapMessages } from "../../template/index.ts"
import { toMessageAndRange } from "./compiler-feature.ts"
import type { Feature, OpenTemplate, Selection } from "./feature.ts"
import { type Diagnostic, type DocumentParams, errorSeverity, type Position, type Range } from "./protocol.ts"
import type { Edit, ResultMapper } from "./result-mapper.ts"
import type { TemplateFile } from "./template-file.ts"
import type { TypeScriptServer } from "./typescript-server.ts"

/** Requests about a position in code. */
const positionMethods = new Set(
  (
    "hover completion signatureHelp definition typeDefinition implementation references documentHighlight rename " +
    "prepareRename"
  )
    .split(" ")
    .map((name) => `textDocument/${name}`),
)

interface PlacedSymbol {
  readonly range?: Range
  readonly location?: { readonly range: Range }
}

interface FoldingRange {
  readonly startLine: number
  readonly startCharacter?: number
  readonly endLine: number
  readonly endCharacter?: number
}

interface ActionParams extends DocumentParams {
  readonly range?: Range
  readonly context?: { readonly diagnostics?: readonly Diagnostic[]; readonly only?: readonly string[] }
}

interface CodeAction {
  readonly title: string
  readonly diagnostics?: readonly Diagnostic[]
  readonly edit?: { readonly changes?: Readonly<Record<string, readonly Edit[]>> }
}

interface TemplateRequest {
  readonly path: string
  readonly template: TemplateFile
  readonly signal: AbortSignal
}

/** Returns true if a position is in a template and not in the TypeScript around it. */
function isInTemplate({ template }: TemplateRequest, at: Position | undefined): boolean {
  const offset = at ? template.source.offsetAt(at) : 0
  return template.shadow.bodies.some(({ keywordStart, end }) => keywordStart <= offset && offset <= end)
}

/** Returns the ranges of a selection that are in the source; undefined if there are none. */
function toSourceSelection({ range, parent }: Selection, template: TemplateFile): Selection | undefined {
  const outer = parent && toSourceSelection(parent, template)
  const own = template.toSource(range)
  return own ? { range: own, ...(outer && { parent: outer }) } : outer
}

function isSameRange(a: Range, b: Range): boolean {
  return JSON.stringify([a.start, a.end]) === JSON.stringify([b.start, b.end])
}

/** Asks TypeScript's server about templates. */
export class TypeScriptFeature implements Feature {
  readonly #server: TypeScriptServer
  readonly #results: ResultMapper

  constructor(server: TypeScriptServer, results: ResultMapper) {
    this.#server = server
    this.#results = results
  }

  /** Answers a request about code. In markup, there is no answer. */
  async answer(
    method: string,
    params: DocumentParams,
    { path, template }: OpenTemplate,
    signal: AbortSignal,
  ): Promise<unknown> {
    const request = { path, template, signal }
    if (method === "textDocument/documentSymbol") return this.#findSymbols(request)
    if (method === "textDocument/foldingRange") return this.#findFolds(request)
    if (method === "textDocument/selectionRange") return this.#findSelections(request, params)
    if (method === "textDocument/codeAction") return this.#findFixes(request, params)
    const position = positionMethods.has(method) && params.position ? template.toCode(params.position) : undefined
    if (!position) return undefined
    const uri = this.#results.toModuleURI(path)
    const result = await this.#server.request(method, { ...params, textDocument: { uri }, position }, signal)
    return result === null ? undefined : this.#results.map(result, uri)
  }

  /** Returns the symbols outside the templates, which have their own symbols. */
  async #findSymbols(request: TemplateRequest): Promise<unknown> {
    const found = await this.#ask("textDocument/documentSymbol", request)
    const uri = this.#results.toModuleURI(request.path)
    const symbols = this.#results.map(found ?? [], uri) as readonly PlacedSymbol[]
    return symbols.filter(({ range, location }) => !isInTemplate(request, (range ?? location?.range)?.start))
  }

  async #findFolds(request: TemplateRequest): Promise<unknown> {
    const found = (await this.#ask("textDocument/foldingRange", request)) as readonly FoldingRange[] | null
    return (found ?? []).flatMap(({ startLine, startCharacter, endLine, endCharacter, ...rest }) => {
      if (startCharacter === undefined || endCharacter === undefined) return []
      const start = { line: startLine, character: startCharacter }
      const range = request.template.toSource({ start, end: { line: endLine, character: endCharacter } })
      if (!range || isInTemplate(request, range.start)) return []
      return [{ ...rest, startLine: range.start.line, endLine: range.end.line }]
    })
  }

  async #findSelections(request: TemplateRequest, params: DocumentParams): Promise<unknown> {
    const { positions = [] } = params as { positions?: readonly Position[] }
    const codePositions = positions.map((position) => request.template.toCode(position))
    if (codePositions.includes(undefined)) return undefined
    const found = await this.#ask("textDocument/selectionRange", request, { positions: codePositions })
    return (found as readonly Selection[] | null)?.map((one) => toSourceSelection(one, request.template))
  }

  /** Returns the code actions whose edits all have a position in a source. */
  async #findFixes(request: TemplateRequest, { range, context }: ActionParams): Promise<unknown> {
    const { template } = request
    const toCodeRange = (one: Range) => {
      const [start, end] = [template.toCode(one.start), template.toCode(one.end)]
      return start && end && { start, end }
    }
    const sentDiagnostics = (context?.diagnostics ?? []).flatMap((found) => {
      const codeRange = found.source === "ts" ? toCodeRange(found.range) : undefined
      return codeRange ? [{ found, sent: { ...found, range: codeRange } }] : []
    })
    const codeRange = range && toCodeRange(range)
    const { only = ["quickfix"] } = context ?? {}
    if (!codeRange || sentDiagnostics.length === 0 || !only.some((kind) => "quickfix".startsWith(kind)))
      return undefined
    const sent = { diagnostics: sentDiagnostics.map((one) => one.sent), only: ["quickfix"] }
    const actions = await this.#ask("textDocument/codeAction", request, { range: codeRange, context: sent })
    return (actions as readonly CodeAction[] | null)?.flatMap(({ edit, ...action }) => {
      const changes = edit?.changes && this.#results.mapEdits(edit.changes)
      const fixed = sentDiagnostics.filter(({ sent }) =>
        action.diagnostics?.some((one) => isSameRange(one.range, sent.range)),
      )
      const diagnostics = fixed.map(({ found }) => found)
      return changes ? [{ ...action, edit: { changes }, diagnostics }] : []
    })
  }

  #ask(method: string, { path, signal }: TemplateRequest, fields: object = {}): Promise<unknown> {
    const textDocument = { uri: this.#results.toModuleURI(path) }
    return this.#server.request(method, { ...fields, textDocument }, signal)
  }

  /** Returns the type errors, with fw's fixes for templates. */
  async findDiagnostics({ path, template }: OpenTemplate, signal: AbortSignal): Promise<Diagnostic[]> {
    const uri = this.#results.toModuleURI(path)
    const params = { textDocument: { uri } }
    const report = (await this.#server.request("textDocument/diagnostic", params, signal)) as {
      items?: readonly Diagnostic[]
    } | null
    return (report?.items ?? []).flatMap((found) => {
      if (template.isUnfinished(found.range.start)) return []
      const range = template.toSource(found.range)
      // Hints about generated code make no sense to the user.
      if (!range && found.severity !== errorSeverity) return []
      if (found.severity !== errorSeverity) return range ? [{ ...found, range }] : []
      const [mapped] = mapMessages(template.compiled, [
        {
          text: found.message,
          line: found.range.start.line + 1,
          column: found.range.start.character,
          unit: "utf16",
        },
      ])
      if (!mapped) return []
      return [{ ...found, ...toMessageAndRange(template.compiled, mapped), ...(range && { range }) }]
    })
  }
}
