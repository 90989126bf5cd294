/** The types of the Language Server Protocol 3.17 that the server uses. */

/** A position in a text. Both numbers count from 0; the character counts UTF-16 units. */
export interface Position {
  readonly line: number
  readonly character: number
}

/** A range of a text. */
export interface Range {
  readonly start: Position
  readonly end: Position
}

/** An error or warning with its range. */
export interface Diagnostic {
  readonly range: Range
  readonly severity?: 1 | 2 | 3 | 4
  readonly code?: number | string
  readonly source?: string
  readonly message: string
  readonly tags?: readonly number[]
}

/** The parameters of every request about a document. */
export interface DocumentParams {
  readonly textDocument: { readonly uri: string }
  readonly position?: Position
}

/** A change of a range or of the whole text of a document. */
export interface ContentChange {
  readonly range?: Range
  readonly text: string
}

/** Severity of errors. */
export const errorSeverity = 1
/** Severity of warnings. */
export const warningSeverity = 2
