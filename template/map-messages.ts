/** Translates messages of esbuild and tsc about generated code to positions in the .tpl file. */

import { findLineStarts, getLineText } from "../lib/scan/position.ts"
import type { Compiled } from "./compile.ts"
import { type Diagnostic, toDiagnostic } from "./diagnostic.ts"
import { originalPosition } from "./sourcemap.ts"
import { findChildrenFix, findFix } from "./typescript-fixes.ts"

/**
 * A message about generated code, in the form of esbuild's messages.
 *
 * @example const message: OutputMessage = { text: "Cannot find name 'user'.", line: 12, column: 8, unit: "utf16" }
 */
export interface OutputMessage {
  readonly text: string
  /** The line in the code, counted from 1. */
  readonly line: number
  /** The column in that line, counted from 0. */
  readonly column: number
  /** The unit of the column. esbuild counts bytes of UTF-8, which is the default; tsc counts UTF-16 units. */
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
 * Returns diagnostics with positions in the `.tpl` file, for messages about the code that was generated from it.
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
    const units = unit === "utf16" ? column : countUnits(getLineText(code, outputStarts, line - 1), column)
    const place = originalPosition(map, { line, column: units }) ?? { line: 1, column: 0 }
    const offset = (starts[place.line - 1] ?? 0) + place.column
    const fix = findFix(text) || findChildrenFix(text, source.slice(offset), compiled.templates)
    return toDiagnostic(file, source, offset, text, fix, starts)
  })
}
