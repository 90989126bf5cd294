/** A position in the project's source. Lines count from 1. */
export interface SourceLocation {
  readonly file: string
  readonly line: number
}
