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
  return rows.map((row) => formatRow(row, widths, paint, width))
}

/** Returns the length of some columns. Each has two characters in front. */
function measureColumns(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + 2 + one, 0)
}

function formatRow(row: readonly string[], widths: readonly number[], paint: Paint, width: number): string {
  const last = row.length - 1
  const isTooWide = measureColumns(widths.slice(0, last)) + 2 + (row[last]?.length ?? 0) > width
  const headEnd = isTooWide ? last - 1 : last
  // The last cell of a line is not padded.
  const cells = row.map((cell, i) => paint(i >= headEnd ? cell : cell.padEnd(widths[i] ?? 0), i))
  if (last < 1 || !isTooWide) return `  ${cells.join("  ")}\n`
  const indent = measureColumns(widths.slice(0, last - 1)) + 4
  return `  ${cells.slice(0, last).join("  ")}\n${" ".repeat(indent)}${cells[last]}\n`
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
