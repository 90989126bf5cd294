/** One thing that `fw validate` finds. Made by every check beside this file. */
import type { FwError } from "../../../lib/errors.ts"
import { shortened } from "../../cli/shorten.ts"

/** What is wrong, where, and how to mend it. */
export interface Finding {
  /** An error keeps the application from starting or from doing what the file says; a warning may be meant. */
  readonly severity: "error" | "warning"
  /** Stable: programs may test for it. */
  readonly code: string
  /** Relative to the project, with forward slashes. */
  readonly file: string
  /** Counts from 1, as the column does; null where the whole file is meant. */
  readonly line: number | null
  readonly column: number | null
  readonly message: string
  readonly fix: string
}

/** Where something is. */
export interface Spot {
  readonly file: string
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** A warning at a place. */
export function warning(code: string, at: Spot, message: string, fix: string): Finding {
  return { severity: "warning", code, ...place(at), message: shortened(message), fix: shortened(fix) }
}

/** An error at a place. */
export function failure(code: string, at: Spot, message: string, fix: string): Finding {
  return { severity: "error", code, ...place(at), message: shortened(message), fix: shortened(fix) }
}

/** What a scan or a compiler reports. One that names no place is about the given file. */
export function findingOf({ code, at, message, fix }: FwError, file: string): Finding {
  return failure(code, at ?? { file }, message, fix)
}

function place({ file, line, column }: Spot): Pick<Finding, "file" | "line" | "column"> {
  return { file, line: line ?? null, column: column ?? null }
}
