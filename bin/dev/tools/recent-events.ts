/** Stores the last events of `fw dev`: errors that requests found, and lines that the program printed. */
import { stripVTControlCharacters } from "node:util"
import type { Problem } from "../../project/problems.ts"

/** An error and its time. */
export interface RecentError extends Problem {
  /** The time, in the format of RFC 3339. */
  readonly time: string
  /** True if another program has started since, in which the error may be fixed. */
  readonly isOld: boolean
}

/** A printed line. */
export interface LogLine {
  readonly stream: "stdout" | "stderr"
  readonly text: string
}

/**
 * The largest number of errors and of lines to store, and the longest line, in characters. A text of an error may be
 * twice as long.
 */
const maxErrors = 50
const maxLines = 500
const maxTextLength = 1000

/** Stores the last errors and lines. */
export class RecentEvents {
  errors: readonly RecentError[] = []
  readonly lines: LogLine[] = []
  readonly #unfinishedLines = { stdout: "", stderr: "" }

  addError(problem: Problem): void {
    const entries = Object.entries(problem).map(([name, value]) => [name, cutText(value, 2 * maxTextLength)])
    const error = { ...(Object.fromEntries(entries) as Problem), time: new Date().toISOString(), isOld: false }
    this.errors = [...this.errors, error].slice(-maxErrors)
  }

  /** Called when another program runs. */
  markErrorsOld(): void {
    this.errors = this.errors.map((error) => (error.isOld ? error : { ...error, isOld: true }))
  }

  /** Adds output of the program, which may begin or end in the middle of a line. */
  addOutput(stream: "stdout" | "stderr", text: string): void {
    const lines = (this.#unfinishedLines[stream] + text).split(/\r?\n/)
    this.#unfinishedLines[stream] = cutText(lines.pop() ?? "", maxTextLength)
    for (const line of lines) {
      this.lines.push({ stream, text: cutText(stripVTControlCharacters(line), maxTextLength) })
      if (this.lines.length > maxLines) this.lines.shift()
    }
  }
}

function cutText<T>(value: T, maxLength: number): T | string {
  return typeof value === "string" && value.length > maxLength ? `${value.slice(0, maxLength)} …` : value
}
