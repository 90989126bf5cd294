/** Maps messages of esbuild and tsc about the compiler's output to the .tpl. */

import { findLineStarts, lineText } from "../lib/scan/position.ts"
import type { Compiled } from "./compile.ts"
import { type Diagnostic, toDiagnostic } from "./diagnostic.ts"
import { originalPosition } from "./sourcemap.ts"
import { findChildrenFix, findFix } from "./typescript-fixes.ts"

/**
 * A message about compiled output, in the shape of esbuild's.
 *
 * @example const message: OutputMessage = { text: "Cannot find name 'user'.", line: 12, column: 8, unit: "utf16" }
 */
export interface OutputMessage {
  readonly text: string
  /** Line in the output, counted from 1. */
  readonly line: number
  /** Column in that line, counted from 0. */
  readonly column: number
  /** Unit of the column: esbuild counts bytes of UTF-8, the default; tsc counts UTF-16 units. */
  readonly unit?: "utf8" | "utf16"
}

/** Returns the number of UTF-16 units in the first `bytes` bytes of a line. */
function countUnits(line: string, bytes: number): number {
  let units = 0
  let rest = bytes
  for (const character of line) {
    const point = character.codePointAt(0) ?? 0
    rest -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    if (rest < 0) break
    units += character.length
  }
  return units
}

/**
 * The diagnostics, at their places in the `.tpl`, for messages about the code it compiled to.
 *
 * @example
 * const compiled = compile("", "page.tpl")
 * const diagnostics = mapMessages(compiled, [{ text: "Cannot find name 'user'.", line: 1, column: 0 }])
 */
export function mapMessages(
  compiled: Pick<Compiled, "file" | "source" | "code" | "map" | "templates">,
  messages: readonly OutputMessage[],
): Diagnostic[] {
  const { file, source, code, map } = compiled
  const outputStarts = findLineStarts(code)
  const starts = findLineStarts(source)
  return messages.map(({ text, line, column, unit }) => {
    const units = unit === "utf16" ? column : countUnits(lineText(code, outputStarts, line - 1), column)
    const place = originalPosition(map, { line, column: units }) ?? { line: 1, column: 0 }
    const offset = (starts[place.line - 1] ?? 0) + place.column
    const advice = findFix(text) || findChildrenFix(text, source.slice(offset), compiled.templates)
    return toDiagnostic(file, source, offset, text, advice, starts)
  })
}
