/** The shapes of the Language Server Protocol 3.17 that the server reads and writes. */

/** A place in a text: both numbers count from 0, the character in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly character: number
}

/** A part of a text. */
export interface Range {
  readonly start: Position
  readonly end: Position
}

/** An error or a warning at a place. */
export interface Diagnostic {
  readonly range: Range
  readonly severity?: 1 | 2 | 3 | 4
  readonly code?: number | string
  readonly source?: string
  readonly message: string
  readonly tags?: readonly number[]
}

/** Parameters of every request about a document. */
export interface DocumentParams {
  readonly textDocument: { readonly uri: string }
  readonly position?: Position
}

/** A change of a document: of a range, or of the whole text. */
export interface ContentChange {
  readonly range?: Range
  readonly text: string
}

/** Severity of errors. */
export const errorSeverity = 1
/** Severity of warnings. */
export const warningSeverity = 2
