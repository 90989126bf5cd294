/** The findings of `fw validate`. */
import type { FwError } from "../../../lib/errors.ts"
import { shortenValues } from "../../cli/shorten.ts"
import { locateProblem, type Problem } from "../../project/problems.ts"

/** A finding: its message, position and fix. */
export interface Finding {
  /**
   * With an error, the application does not start or a file does not work. A warning may be about something
   * intended.
   */
  readonly severity: "error" | "warning"
  /** A name that does not change, so that programs can test for it. */
  readonly code: string
  /** Path relative to the project, with forward slashes. */
  readonly file: string
  /** Line number from 1, as is the column; null for the whole file. */
  readonly line: number | null
  readonly column: number | null
  readonly message: string
  readonly fix: string
}

/** A position in a file. */
export interface FilePosition {
  readonly file: string
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** Returns a warning at a position. */
export function createWarning(code: string, at: FilePosition, message: string, fix: string): Finding {
  return createFinding("warning", code, at, message, fix)
}

/** Returns an error at a position. */
export function createError(code: string, at: FilePosition, message: string, fix: string): Finding {
  return createFinding("error", code, at, message, fix)
}

function createFinding(severity: Finding["severity"], code: string, at: FilePosition, message: string, fix: string) {
  const position = { file: at.file, line: at.line ?? null, column: at.column ?? null }
  return { severity, code, ...position, message: shortenValues(message), fix: shortenValues(fix) }
}

/**
 * Converts an error of a scan or a compiler.
 *
 * @param file the file of an error without a position.
 */
export function toFinding({ code, at, message, fix }: FwError, file: string): Finding {
  return createError(code, at ?? { file }, message, fix)
}

/** Returns a finding as a problem, with the source lines around it. */
export function locateFinding(root: string, finding: Finding, maxLineLength?: number): Problem {
  const { file, line, column, message, fix } = finding
  const mark = line === null ? undefined : { line, ...(column === null ? {} : { column }) }
  return locateProblem(root, file, mark, { message, fix }, maxLineLength)
}
