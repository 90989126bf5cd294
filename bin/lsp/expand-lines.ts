/** The lines of a text that can be formatted without the others. */

/** The lines of a text before and after formatting. */
interface LineTexts {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** A range of lines: the number of its first line, and that of the first line after it. */
type LinePart = readonly [start: number, end: number]

/**
 * Extends a range of lines until the text before it, and the text after it, is the same before and after formatting,
 * apart from white space.
 *
 * @param isInside true for the start of a line, as an offset, that belongs to the line before it.
 */
export function expandLines(
  lines: LineTexts,
  [start, end]: LinePart,
  isInside: (offset: number) => boolean,
): Readonly<Record<"before" | "after", LinePart>> {
  const { before, after } = toKeys(lines)
  const places = new Map<number, { first: number; last: number }>()
  for (const [at, key] of after.entries())
    if (key !== undefined) places.set(key, { first: places.get(key)?.first ?? at, last: at })
  let offset = 0
  const starts = lines.before.map((line) => {
    offset += line.length + 1
    return offset - line.length - 1
  })
  // Lines without characters have the key of the line after them.
  const findMatch = (at: number): number | undefined => {
    const key = before[at]
    const found = key === undefined || isInside(starts[at] ?? 0) ? undefined : places.get(key)
    return key === before[at - 1] ? found?.last : found?.first
  }
  const count = lines.before.length
  let from = Math.min(start, count - 1)
  while (findMatch(from) === undefined) from--
  const first = findMatch(from) ?? 0
  let to = Math.min(Math.max(end, from + 1), count)
  while (to < count && (findMatch(to) ?? -1) <= first) to++
  const last = to < count ? findMatch(to) : undefined
  return { before: [from, to], after: [first, last ?? lines.after.length] }
}

/** Returns a number for the start of each line, and for the end: equal numbers are the same place in both texts. */
function toKeys({ before, after }: LineTexts): Readonly<Record<"before" | "after", readonly (number | undefined)[]>> {
  const [oldText, newText] = [removeWhiteSpace(before), removeWhiteSpace(after)]
  const shorter = Math.min(oldText.length, newText.length)
  let prefix = 0
  while (prefix < shorter && oldText[prefix] === newText[prefix]) prefix++
  let suffix = 0
  while (suffix < shorter - prefix && oldText.at(-1 - suffix) === newText.at(-1 - suffix)) suffix++
  const keys = (lines: readonly string[], total: number) => {
    let count = 0
    return [0, ...lines.map((line) => (count += removeWhiteSpace([line]).length))].map((at) => {
      if (at <= prefix) return at
      return total - at <= suffix ? at - total - 1 : undefined
    })
  }
  return { before: keys(before, oldText.length), after: keys(after, newText.length) }
}

/** Returns the characters that are not white space in HTML, which a no-break space is not. */
function removeWhiteSpace(lines: readonly string[]): string {
  return lines.join("").replace(/[ \t\r\n\f]+/g, "")
}
