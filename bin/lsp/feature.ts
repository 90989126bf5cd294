/**
 * Features of the language server for `.tpl` files. Each answers some methods of the protocol; the server asks them in the
 * order of its list.
 */

import type { Document } from "./documents.ts"
import type { Diagnostic, DocumentParams, Position, Range } from "./protocol.ts"
import type { TemplateFile } from "./template-file.ts"

/** An open template, for a request. */
export interface OpenTemplate extends Document {
  readonly template: TemplateFile
}

/** A feature. */
export interface Feature {
  /** Reads the parameters of `initialize`. */
  initialize?(params: unknown): void
  /** Called when files have changed in another way than by typing in the editor. */
  handleFilesChanged?(): void
  /**
   * Answers a request about an open template; undefined or null if it has nothing to say. Lists and completions are
   * joined with those of the other features; of any other results, the first counts.
   */
  answer?(method: string, params: DocumentParams, open: OpenTemplate, signal: AbortSignal): unknown
  /**
   * Answers a request about an open file that is not a template. The first answer counts, and comes before
   * TypeScript's.
   */
  answerAboutFile?(method: string, params: DocumentParams, open: Document): unknown
  /** Returns what is wrong in an open file, which may be a template. */
  findFileDiagnostics?(open: Document): Promise<readonly Diagnostic[]>
  /** Returns what is wrong in an open template. */
  findDiagnostics?(open: OpenTemplate, signal: AbortSignal): Promise<readonly Diagnostic[]> | readonly Diagnostic[]
}

/** A selection, with the next larger one. */
export interface Selection {
  readonly range: Range
  readonly parent?: Selection
}

interface CompletionList {
  readonly isIncomplete?: boolean
  readonly items: readonly unknown[]
}

/** Joins the answers of all features to one request. */
export function joinAnswers(method: string, answers: readonly unknown[]): unknown {
  const nonEmpty = answers.filter((answer) => answer !== undefined && answer !== null)
  if (nonEmpty.length < 2) return nonEmpty[0] ?? null
  if (method === "textDocument/completion") return joinCompletions(nonEmpty)
  if (method === "textDocument/selectionRange")
    // The last feature is TypeScript, whose selections are the smallest.
    return (nonEmpty as Selection[][]).reduceRight((inner, outer) =>
      outer.map((one, at) => growSelection(inner[at], one)),
    )
  return nonEmpty.every(Array.isArray) ? nonEmpty.flat() : nonEmpty[0]
}

function joinCompletions(answers: readonly unknown[]): CompletionList {
  const lists = answers.map((answer): CompletionList => {
    return Array.isArray(answer) ? { items: answer } : (answer as CompletionList)
  })
  const items = lists.flatMap((list) => list.items)
  // The defaults of one list do not apply to the others, so they are copied into the items of their own list.
  return { isIncomplete: lists.some((list) => list.isIncomplete === true), items }
}

/**
 * Returns a selection that first grows through the ranges of `inner`, and then through the larger ranges of `outer`.
 */
function growSelection(inner: Selection | null | undefined, outer: Selection): Selection {
  if (!inner) return outer
  const last = inner.parent ? growSelection(inner.parent, outer) : findLarger(outer, inner.range)
  return last ? { range: inner.range, parent: last } : { range: inner.range }
}

/** Returns the first range of a selection that contains another range and is larger. */
function findLarger(selection: Selection, { start, end }: Range): Selection | undefined {
  let found: Selection | undefined = selection
  while (found) {
    const { range } = found
    const holds = !isBefore(start, range.start) && !isBefore(range.end, end)
    if (holds && (isBefore(range.start, start) || isBefore(end, range.end))) return found
    found = found.parent
  }
  return undefined
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character)
}
