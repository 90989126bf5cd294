/** Converts offsets in a text to lines and columns. */

/** Returns the offsets at which the lines of `text` start. */
export function findLineStarts(text: string): number[] {
  const lineStarts = [0]
  const breaks = /\r\n|[\n\r\u2028\u2029]/g
  while (breaks.exec(text)) lineStarts.push(breaks.lastIndex)
  return lineStarts
}

/** Returns the zero-based line and column (in UTF-16 units) of an offset. */
export function locate(lineStarts: readonly number[], offset: number): { line: number; column: number } {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low, column: offset - (lineStarts[low] ?? 0) }
}

/** Returns the text of one zero-based line, without its line break. */
export function getLineText(text: string, starts: readonly number[], line: number): string {
  return text
    .slice(starts[line] ?? 0, starts[line + 1] ?? text.length)
    .replace(/(?<![\r\n\u2028\u2029])[\r\n\u2028\u2029]+$/, "")
}
