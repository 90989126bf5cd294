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
  const columnCount = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columnCount }, (_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  const limits = measureLine(widths) <= width ? widths : fitWidths(rows, widths, width)
  return rows.map((row) => formatRow(row, limits, paint, width))
}

/** Returns the length of a line. Each cell has two characters in front. */
function measureLine(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + 2 + one, 0)
}

/** Returns the widths of the columns. The column before the last one is made narrow enough for most rows to fit. */
function fitWidths(rows: Rows, widths: readonly number[], width: number): number[] {
  const column = widths.length - 2
  const candidates = [...new Set(rows.map((row) => row[column]?.length ?? 0))].map((one) => widths.with(column, one))
  const countWholeRows = (limits: readonly number[]) => rows.filter((row) => fitsWidth(row, limits, width)).length
  const sortedCandidates = candidates.sort((a, b) => (a[column] as number) - (b[column] as number))
  return sortedCandidates.reduce(
    (best, one) => (countWholeRows(one) > countWholeRows(best) ? one : best),
    [...widths.with(column, 0)],
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
  const lines = text.split("\n").map((line) => {
    if (line.length <= width || /^\s*(?:> )?\s*\d* \|/.test(line)) return line
    const start = /^ */.exec(line)?.[0] ?? ""
    const followingIndent = start + " ".repeat(indent)
    const words = line.slice(start.length).split(" ")
    return start + wrapWords(words, width - start.length, width - followingIndent.length, followingIndent)
  })
  return lines.join("\n")
}

/**
 * Distributes words over lines: up to `firstWidth` characters in the first line, and up to `otherWidth` after `indent`
 * in the other lines.
 */
export function wrapWords(words: readonly string[], firstWidth: number, otherWidth: number, indent: string): string {
  const lines: string[] = []
  let current = ""
  for (const word of words) {
    const maxLength = lines.length === 0 ? firstWidth : otherWidth
    if (current !== "" && current.length + 1 + word.length > maxLength) {
      lines.push(current)
      current = word
    } else current = current === "" ? word : `${current} ${word}`
  }
  return [...lines, current].join(`\n${indent}`)
}
