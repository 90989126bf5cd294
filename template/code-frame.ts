/** Shows the lines around a position in a text, for error messages. */

/** A position in a text. */
export interface FramePosition {
  /** The line, counted from 1. */
  readonly line: number
  /** The column, counted from 1 in UTF-16 units, as editors count. Without it, nothing is marked. */
  readonly column?: number | undefined
  /** Number of characters to mark. Default: 1. */
  readonly length?: number | undefined
}

/** How much of the text is shown. */
export interface FrameSize {
  /** Number of lines before the position, and of lines after it. Default: 2. */
  readonly linesAround?: number | undefined
  /** Maximum number of characters of a line. Of longer lines, the part around the position is shown. Default: 120. */
  readonly maxColumns?: number | undefined
}

/**
 * Returns the line of a position and the lines around it, with their numbers. The position is marked on a line of its
 * own.
 */
export function formatCodeFrame(
  source: string,
  { line, column, length = 1 }: FramePosition,
  { linesAround = 2, maxColumns = 120 }: FrameSize = {},
): string {
  const lines = source.split(/\r\n|[\n\r\u2028\u2029]/)
  const first = Math.max(1, line - linesAround)
  const last = Math.min(lines.length, line + linesAround)
  const gutter = String(last).length
  // All lines are cut at the same column, and so that the position is not at the edge.
  const firstColumn = column !== undefined && column > maxColumns - 8 ? column - Math.ceil(maxColumns / 2) : 0
  const rows: string[] = []
  for (let number = first; number <= last; number++) {
    const text = (lines[number - 1] as string).slice(firstColumn, firstColumn + maxColumns)
    rows.push(`${number === line ? ">" : " "} ${String(number).padStart(gutter)} | ${text}`.trimEnd())
    if (number !== line || column === undefined) continue
    // Tabs stay tabs, so that the mark is right for any tab width.
    const indent = text.slice(0, column - 1 - firstColumn).replace(/[^\t]/g, " ")
    const marks = Math.max(1, Math.min(length, text.length + firstColumn - column + 1))
    rows.push(`  ${" ".repeat(gutter)} | ${indent}${"^".repeat(marks)}`)
  }
  return rows.join("\n")
}
