/** A problem that `fw validate` finds. */
import type { FwError } from "../../../lib/errors.ts"
import { shortened } from "../../cli/shorten.ts"

/** A problem: the message, the position and the fix. */
export interface Finding {
  /** An error keeps the application from starting or a file from doing its job; a warning may be intended. */
  readonly severity: "error" | "warning"
  /** Stable, so that programs can test for it. */
  readonly code: string
  /** Relative to the project, with forward slashes. */
  readonly file: string
  /** Counted from 1, like the column; null for the whole file. */
  readonly line: number | null
  readonly column: number | null
  readonly message: string
  readonly fix: string
}

/** A position in a file. */
export interface Spot {
  readonly file: string
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** Returns a warning at a position. */
export function warning(code: string, at: Spot, message: string, fix: string): Finding {
  return { severity: "warning", code, ...place(at), message: shortened(message), fix: shortened(fix) }
}

/** Returns an error at a position. */
export function failure(code: string, at: Spot, message: string, fix: string): Finding {
  return { severity: "error", code, ...place(at), message: shortened(message), fix: shortened(fix) }
}

/** Converts an error of a scan or a compiler. One without a position refers to the given file. */
export function findingOf({ code, at, message, fix }: FwError, file: string): Finding {
  return failure(code, at ?? { file }, message, fix)
}

function place({ file, line, column }: Spot): Pick<Finding, "file" | "line" | "column"> {
  return { file, line: line ?? null, column: column ?? null }
}
