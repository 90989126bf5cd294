/** Errors in templates, as plain data. */

import { findLineStarts, locate } from "../lib/scan/position.ts"
import type { Node, Template } from "./ast.ts"
import { formatCodeFrame } from "./code-frame.ts"

/**
 * An error in a `.tpl` file.
 *
 * @example const short = ({ file, line, message }: Diagnostic) => `${file}:${line}: ${message}`
 */
export interface Diagnostic {
  /** The name of the file, as it was passed to the compiler. */
  readonly file: string
  /** The line, counted from 1. */
  readonly line: number
  /** The column, counted from 1 in UTF-16 units, as editors count. */
  readonly column: number
  /** The offset in the source, counted from 0. */
  readonly offset: number
  /** What is wrong. */
  readonly message: string
  /** How to fix it; `""` if the message says that already. */
  readonly fix: string
  /** The line and the lines around it, with a mark below the position. */
  readonly frame: string
}

/** A text, or a function that returns it. With a function, lines are counted only for errors that are reported. */
export type LazyText = string | (() => string)

/** An error that ends the parsing of a template. It becomes a `Diagnostic`. */
export class Problem extends Error {
  readonly offset: number
  readonly #fix: LazyText
  /** The nodes that were read before the error, inside the blocks around them. */
  partialNodes: readonly Node[] = []
  /** The template that the error has ended, with its signature and the nodes that were read. */
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

/** Makes a diagnostic for a position in a source. */
export function toDiagnostic(
  file: string,
  source: string,
  offset: number,
  message: string,
  fix: string,
  starts: readonly number[] = findLineStarts(source),
): Diagnostic {
  const validOffset = Math.max(0, Math.min(offset, source.length))
  const { line, column } = locate(starts, validOffset)
  const position = { line: line + 1, column: column + 1 }
  // A template may have many errors at once, so only one line is shown before and after each.
  const frame = formatCodeFrame(source, position, { linesAround: 1 })
  return { file, ...position, offset: validOffset, message, fix, frame }
}

/**
 * Formats a diagnostic as text for the terminal and for the page that `fw dev` shows.
 *
 * @example
 * const { diagnostics } = compile("<p>", "page.tpl")
 * for (const diagnostic of diagnostics) console.error(formatDiagnostic(diagnostic))
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, message, fix, frame } = diagnostic
  return `${file}:${line}:${column}: ${message}\n\n${frame}\n${fix ? `\n${fix}\n` : ""}`
}
