/** The lines of a text around a place, as errors show them. Used by the template compiler and the command. */

/** A place in a text. */
export interface Mark {
  /** Counts from 1, as the column does. */
  readonly line: number
  /** In UTF-16 units, as editors count. Without one there is no mark below the line. */
  readonly column?: number | undefined
  /** How many characters to mark, on that line. Default: 1. */
  readonly length?: number | undefined
}

/** How much of the text is shown. */
export interface FrameSize {
  /** How many lines before the place, and after it. Default: 2. */
  readonly around?: number | undefined
  /** How many characters of a line: of longer ones, those around the place. Default: 120. */
  readonly room?: number | undefined
}

/** The line of a place and its neighbours, numbered, with a mark below the place. */
export function codeFrame(
  source: string,
  { line, column, length = 1 }: Mark,
  { around = 2, room = 120 }: FrameSize = {},
): string {
  const lines = source.split(/\r\n|[\n\r\u2028\u2029]/)
  const first = Math.max(1, line - around)
  const last = Math.min(lines.length, line + around)
  const gutter = String(last).length
  // The place is not at the very edge, and every line is cut alike.
  const from = column !== undefined && column > room - 8 ? column - Math.ceil(room / 2) : 0
  const rows: string[] = []
  for (let number = first; number <= last; number++) {
    const text = (lines[number - 1] as string).slice(from, from + room)
    rows.push(`${number === line ? ">" : " "} ${String(number).padStart(gutter)} | ${text}`.trimEnd())
    if (number !== line || column === undefined) continue
    // Tabs stay tabs, so that the mark stands below what it marks, whatever their width.
    const indent = text.slice(0, column - 1 - from).replace(/[^\t]/g, " ")
    const marks = Math.max(1, Math.min(length, text.length + from - column + 1))
    rows.push(`  ${" ".repeat(gutter)} | ${indent}${"^".repeat(marks)}`)
  }
  return rows.join("\n")
}
