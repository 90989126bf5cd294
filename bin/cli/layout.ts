/** Lays out text for a terminal: tables and folded lines. */

type Paint = (cell: string, column: number) => string
type Rows = ReadonlyArray<readonly string[]>

/**
 * Formats rows in columns as wide as their widest cells. If a row is wider than the terminal, its last cell goes to
 * the next line.
 *
 * @param paint colours a cell after padding.
 */
export function formatTable(rows: Rows, paint?: Paint, width?: number): string {
  return formatTableRows(rows, paint, width).join("")
}

/**
 * Does the same as {@link formatTable}, but returns the rows separately, for callers that add text between them.
 */
export function formatTableRows(rows: Rows, paint: Paint = (cell) => cell, width = Number.POSITIVE_INFINITY): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  const limits = measureLine(widths) <= width ? widths : fitWidths(rows, widths, width)
  return rows.map((row) => formatRow(row, limits, paint, width))
}

/** Returns the length of a line. Each cell has two characters in front. */
function measureLine(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + 2 + one, 0)
}

/** Returns the widths of the columns. The column before the last one is made narrow enough for most rows to fit. */
function fitWidths(rows: Rows, widths: readonly number[], width: number): number[] {
  const at = widths.length - 2
  const candidates = [...new Set(rows.map((row) => row[at]?.length ?? 0))].map((one) => widths.with(at, one))
  const countWholeRows = (limits: readonly number[]) => rows.filter((row) => fitsWidth(row, limits, width)).length
  const narrow = candidates.sort((a, b) => (a[at] as number) - (b[at] as number))
  return narrow.reduce(
    (best, one) => (countWholeRows(one) > countWholeRows(best) ? one : best),
    [...widths.with(at, 0)],
  )
}

function fitsWidth(row: readonly string[], limits: readonly number[], width: number): boolean {
  const last = row.length - 1
  if (row.some((cell, i) => i < last && cell.length > (limits[i] as number))) return false
  return measureLine(limits.slice(0, last)) + 2 + (row[last]?.length ?? 0) <= width
}

function formatRow(row: readonly string[], limits: readonly number[], paint: Paint, width: number): string {
  const last = row.length - 1
  const cells = row.map((cell, i) => paint(i === last ? cell : cell.padEnd(limits[i] ?? 0), i))
  if (last < 1 || width === Number.POSITIVE_INFINITY || fitsWidth(row, limits, width)) return `  ${cells.join("  ")}\n`
  const head = row.slice(0, last).map((cell, i) => paint(i === last - 1 ? cell : cell.padEnd(limits[i] ?? 0), i))
  const indent = measureLine(limits.slice(0, last - 1)) + 4
  return `  ${head.join("  ")}\n${" ".repeat(indent)}${cells[last]}\n`
}

/** Breaks long lines between words and indents the following lines. Code frames are not folded. */
export function foldLines(text: string, width: number, indent = 2): string {
  if (width === Number.POSITIVE_INFINITY) return text
  const folded = text.split("\n").map((whole) => {
    if (whole.length <= width || /^\s*(?:> )?\s*\d* \|/.test(whole)) return whole
    const start = /^ */.exec(whole)?.[0] ?? ""
    const hanging = start + " ".repeat(indent)
    const words = whole.slice(start.length).split(" ")
    return start + wrapWords(words, width - start.length, width - hanging.length, hanging)
  })
  return folded.join("\n")
}

/**
 * Distributes words over lines: up to `first` characters in the first line and up to `rest` in the others, which
 * start with `indent`.
 */
export function wrapWords(words: readonly string[], first: number, rest: number, indent: string): string {
  const lines: string[] = []
  let current = ""
  for (const word of words) {
    const room = lines.length === 0 ? first : rest
    if (current !== "" && current.length + 1 + word.length > room) {
      lines.push(current)
      current = word
    } else current = current === "" ? word : `${current} ${word}`
  }
  return [...lines, current].join(`\n${indent}`)
}
