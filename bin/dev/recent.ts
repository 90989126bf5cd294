/** The last events of a run of `fw dev`: errors that requests found, and lines that the program printed. */
import { stripVTControlCharacters } from "node:util"
import type { Problem } from "../project/problems.ts"

/** An error, and when it occurred. */
export interface RecentError extends Problem {
  /** The time, in the format of RFC 3339. */
  readonly time: string
  /** True if another program has started since: the error may be fixed. */
  readonly isOld: boolean
}

/** A printed line. */
export interface LogLine {
  readonly stream: "stdout" | "stderr"
  readonly text: string
}

/** Most errors and lines to keep, and the longest text of each, in characters. */
const mostErrors = 50
const mostLines = 500
const longest = 1000

/** Keeps the last errors and lines. */
export class Recent {
  errors: readonly RecentError[] = []
  readonly lines: LogLine[] = []
  readonly #rest = { stdout: "", stderr: "" }

  /** Adds an error. */
  addError(problem: Problem): void {
    const short = Object.entries(problem).map(([name, value]) => [name, cut(value, 2 * longest)])
    const error = { ...(Object.fromEntries(short) as Problem), time: new Date().toISOString(), isOld: false }
    this.errors = [...this.errors, error].slice(-mostErrors)
  }

  /** Notes that another program runs. */
  restart(): void {
    this.errors = this.errors.map((error) => (error.isOld ? error : { ...error, isOld: true }))
  }

  /** Adds output of the program, in any parts. */
  addOutput(stream: "stdout" | "stderr", text: string): void {
    const lines = (this.#rest[stream] + text).split(/\r?\n/)
    this.#rest[stream] = cut(lines.pop() ?? "", longest)
    for (const line of lines) {
      this.lines.push({ stream, text: cut(stripVTControlCharacters(line), longest) })
      if (this.lines.length > mostLines) this.lines.shift()
    }
  }
}

function cut<T>(value: T, most: number): T | string {
  return typeof value === "string" && value.length > most ? `${value.slice(0, most)} …` : value
}
