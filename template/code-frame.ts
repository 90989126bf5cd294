/** The lines of a text around a position, as errors show them. */

/** A position in a text. */
export interface FramePosition {
  /** Counted from 1, like the column. */
  readonly line: number
  /** In UTF-16 units, as in editors. Without it, no mark is shown. */
  readonly column?: number | undefined
  /** Number of characters to mark on that line. Default: 1. */
  readonly length?: number | undefined
}

/** Size of the shown part. */
export interface FrameSize {
  /** Lines before the position, and after it. Default: 2. */
  readonly linesAround?: number | undefined
  /** Characters per line; of longer lines, those around the position. Default: 120. */
  readonly maxColumns?: number | undefined
}

/** Returns the line of a position and its neighbours, numbered, with a mark below the position. */
export function formatCodeFrame(
  source: string,
  { line, column, length = 1 }: FramePosition,
  { linesAround = 2, maxColumns = 120 }: FrameSize = {},
): string {
  const lines = source.split(/\r\n|[\n\r\u2028\u2029]/)
  const first = Math.max(1, line - linesAround)
  const last = Math.min(lines.length, line + linesAround)
  const gutter = String(last).length
  // The position is not at the very edge, and all lines are cut alike.
  const from = column !== undefined && column > maxColumns - 8 ? column - Math.ceil(maxColumns / 2) : 0
  const rows: string[] = []
  for (let number = first; number <= last; number++) {
    const text = (lines[number - 1] as string).slice(from, from + maxColumns)
    rows.push(`${number === line ? ">" : " "} ${String(number).padStart(gutter)} | ${text}`.trimEnd())
    if (number !== line || column === undefined) continue
    // Tabs are kept, so that the mark is in the right place for any tab width.
    const indent = text.slice(0, column - 1 - from).replace(/[^\t]/g, " ")
    const marks = Math.max(1, Math.min(length, text.length + from - column + 1))
    rows.push(`  ${" ".repeat(gutter)} | ${indent}${"^".repeat(marks)}`)
  }
  return rows.join("\n")
}
