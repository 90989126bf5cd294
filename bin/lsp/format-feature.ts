/** Formats templates. */

import { toProjectPath } from "../project/problems.ts"
import { expandLines } from "./expand-lines.ts"
import type { Feature, OpenTemplate } from "./feature.ts"
import type { DocumentParams, Position, Range } from "./protocol.ts"
import type { SourceText } from "./source-text.ts"

/** Formats a whole template (LSP 3.17, textDocument/formatting) or lines of it, by the settings of the project. */
export class FormatFeature implements Feature {
  readonly #root: () => string

  /** Creates the feature. `root` returns the directory of the project, which the editor may name later. */
  constructor(root: () => string) {
    this.#root = root
  }

  /** Answers with one edit for the lines that change, or with no edit. A template with an error stays as it is. */
  async answer(
    method: string,
    { range }: FormatParams,
    { path, text, template }: OpenTemplate,
    signal: AbortSignal,
  ): Promise<unknown> {
    if (method !== "textDocument/formatting" && method !== "textDocument/rangeFormatting") return undefined
    const { formatText } = await import("../format/format-project.ts")
    const before = text.value
    const root = this.#root()
    const formatted = await formatText(root, toProjectPath(root, path), Buffer.from(before), signal)
    if (formatted.text === before) return []
    const lines = { before: before.split("\n"), after: formatted.text.split("\n") }
    const all = { before: [0, lines.before.length], after: [0, lines.after.length] } as const
    // Lines of code are indented relative to the first line of the code.
    const isInCode = (at: number) => template.shadow.code.some(({ start, end }) => start < at && at < end)
    const part = range ? expandLines(lines, findLines(text, range), isInCode) : all
    const [oldLines, newLines] = [lines.before.slice(...part.before), lines.after.slice(...part.after)]
    const start = lines.before.slice(0, part.before[0]).join("\n").length + (part.before[0] > 0 ? 1 : 0)
    return oldLines.join("\n") === newLines.join("\n") ? [] : [toEdit(text, start, oldLines, newLines)]
  }
}

interface FormatParams extends DocumentParams {
  readonly range?: Range
}

/** Returns the numbers of the first line of a range, and of the one after its last. A lone `\r` ends no line here. */
function findLines(text: SourceText, { start, end }: Range): readonly [start: number, end: number] {
  const lineAt = (place: Position) => text.value.slice(0, text.offsetAt(place)).split("\n").length - 1
  const isBefore = end.character === 0 && end.line > start.line
  return [lineAt(start), lineAt(end) + (isBefore ? 0 : 1)]
}

/**
 * Returns the edit that replaces some lines, which begin at an offset, by others. It leaves out the lines at both
 * ends that stay the same.
 */
function toEdit(text: SourceText, offset: number, before: readonly string[], after: readonly string[]): object {
  const minCount = Math.min(before.length, after.length)
  let start = 0
  while (start < minCount - 1 && before[start] === after[start]) start++
  let end = 0
  while (end < minCount - start - 1 && before.at(-1 - end) === after.at(-1 - end)) end++
  const from = offset + before.slice(0, start).join("\n").length + (start > 0 ? 1 : 0)
  const changed = before.slice(start, before.length - end).join("\n")
  return {
    range: text.toRange(from, from + changed.length),
    newText: after.slice(start, after.length - end).join("\n"),
  }
}
