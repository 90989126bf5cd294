/** Errors in templates, as values. */

import { findLineStarts, locate } from "../lib/scan/position.ts"
import type { Node, Template } from "./ast.ts"
import { formatCodeFrame } from "./code-frame.ts"

/** One error in a `.tpl` file. @example const short = ({ file, line, message }: Diagnostic) => `${file}:${line}: ${message}` */
export interface Diagnostic {
  /** Name of the file, as it was passed to the compiler. */
  readonly file: string
  /** Line, counted from 1. */
  readonly line: number
  /** Column, counted from 1, in UTF-16 units, as in editors. */
  readonly column: number
  /** Offset in the source, counted from 0. */
  readonly offset: number
  /** Error message. */
  readonly message: string
  /** The fix; empty if the message says it. */
  readonly fix: string
  /** The line and its neighbours, with a caret below the position. */
  readonly frame: string
}

/** A text, or a function that returns it: lines are counted only for an error that is reported. */
export type LazyText = string | (() => string)

/** An error while compiling. It ends its template and becomes a `Diagnostic`. */
export class Problem extends Error {
  readonly offset: number
  readonly #fix: LazyText
  /** The nodes that were read before the error, with the blocks around them. */
  partialNodes: readonly Node[] = []
  /** The template that it ended, with its signature and what was read of its body. */
  template: Template | undefined

  constructor(offset: number, message: LazyText, fix: LazyText = "") {
    super(typeof message === "string" ? message : "")
    if (typeof message !== "string") Object.defineProperty(this, "message", { get: message })
    this.name = "Problem"
    this.offset = offset
    this.#fix = fix
  }

  get fix(): string {
    return typeof this.#fix === "string" ? this.#fix : this.#fix()
  }
}

/** Makes the diagnostic for a position in a source. */
export function toDiagnostic(
  file: string,
  source: string,
  offset: number,
  message: string,
  fix: string,
  starts: readonly number[] = findLineStarts(source),
): Diagnostic {
  const at = Math.max(0, Math.min(offset, source.length))
  const { line, column } = locate(starts, at)
  const place = { line: line + 1, column: column + 1 }
  // A template may have many errors at once, so each shows few lines.
  const frame = formatCodeFrame(source, place, { linesAround: 1 })
  return { file, ...place, offset: at, message, fix, frame }
}

/**
 * Prints a diagnostic as the terminal and the page over a failed build show it.
 *
 * @example
 * const { diagnostics } = compile("<p>", "page.tpl")
 * for (const diagnostic of diagnostics) console.error(formatDiagnostic(diagnostic))
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, message, fix, frame } = diagnostic
  return `${file}:${line}:${column}: ${message}\n\n${frame}\n${fix ? `\n${fix}\n` : ""}`
}
