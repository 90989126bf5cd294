/**
 * The interface of the language server's features. Each feature answers some requests, and the server combines
 * their answers.
 */

import type { Document } from "./documents.ts"
import type { Diagnostic, DocumentParams, Position, Range } from "./protocol.ts"
import type { TemplateFile } from "./template-file.ts"

/** An open template. */
export interface OpenTemplate extends Document {
  readonly template: TemplateFile
}

/** A feature of the language server. */
export interface Feature {
  /** Reads the parameters of `initialize`. */
  initialize?(params: unknown): void
  /** Called when a file was opened or closed, or when files have changed on the disk. */
  handleFilesChanged?(): void
  /**
   * Answers a request about an open template; undefined or null if it has no answer. Lists and completions of all
   * features are joined. Of other results, the first one is used.
   */
  answer?(method: string, params: DocumentParams, open: OpenTemplate, signal: AbortSignal): unknown
  /**
   * Answers a request about an open file that is not a template. The first answer is used, before that of
   * TypeScript.
   */
  answerAboutFile?(method: string, params: DocumentParams, open: Document): unknown
  /** Returns the diagnostics of an open file, which may be a template. */
  findFileDiagnostics?(open: Document): Promise<readonly Diagnostic[]>
  /** Returns the diagnostics of an open template. */
  findDiagnostics?(open: OpenTemplate, signal: AbortSignal): Promise<readonly Diagnostic[]> | readonly Diagnostic[]
}

/** A range, and the larger one that "expand selection" selects next. */
export interface Selection {
  readonly range: Range
  readonly parent?: Selection
}

interface CompletionList {
  readonly isIncomplete?: boolean
  readonly items: readonly unknown[]
}

/** Joins the answers of all features to a request. */
export function joinAnswers(method: string, answers: readonly unknown[]): unknown {
  const nonEmpty = answers.filter((answer) => answer !== undefined && answer !== null)
  if (nonEmpty.length < 2) return nonEmpty[0] ?? null
  if (method === "textDocument/completion") return joinCompletions(nonEmpty)
  if (method === "textDocument/selectionRange")
    // The last feature is TypeScript's, whose ranges are the smallest.
    return (nonEmpty as Selection[][]).reduceRight((inner, outer) =>
      outer.map((one, at) => growSelection(inner[at], one)),
    )
  return nonEmpty.every(Array.isArray) ? nonEmpty.flat() : nonEmpty[0]
}

function joinCompletions(answers: readonly unknown[]): CompletionList {
  const lists = answers.map((answer): CompletionList => {
    return Array.isArray(answer) ? { items: answer } : (answer as CompletionList)
  })
  return {
    isIncomplete: lists.some((list) => list.isIncomplete === true),
    items: lists.flatMap((list) => list.items),
  }
}

/**
 * Returns a selection that grows through the ranges of `inner` first, and then through the larger ranges of
 * `outer`.
 */
function growSelection(inner: Selection | null | undefined, outer: Selection): Selection {
  if (!inner) return outer
  const last = inner.parent ? growSelection(inner.parent, outer) : findLarger(outer, inner.range)
  return last ? { range: inner.range, parent: last } : { range: inner.range }
}

/** Returns the first range of a selection that contains another range and is larger than it. */
function findLarger(selection: Selection, { start, end }: Range): Selection | undefined {
  let found: Selection | undefined = selection
  while (found) {
    const { range } = found
    const containsRange = !isBefore(start, range.start) && !isBefore(range.end, end)
    if (containsRange && (isBefore(range.start, start) || isBefore(end, range.end))) return found
    found = found.parent
  }
  return undefined
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character)
}
