/**
 * Encodes source maps, version 3 (ECMA-426), and finds the position in a .tpl file for a position in the generated
 * code.
 */

/** A source map, as plain data. @example const sources = ({ sources }: SourceMap) => sources.join(", ") */
export interface SourceMap {
  readonly version: 3
  readonly file: string
  readonly sources: readonly string[]
  readonly sourcesContent: readonly string[]
  readonly names: readonly string[]
  readonly mappings: string
}

/** A mapping. All four numbers are counted from 0. */
export interface Segment {
  readonly line: number
  readonly column: number
  readonly sourceLine: number
  readonly sourceColumn: number
}

/**
 * A position in a text. The line is counted from 1, and the column from 0 in UTF-16 units, as tools for source maps do.
 *
 * @example const start: Position = { line: 1, column: 0 }
 */
export interface Position {
  readonly line: number
  readonly column: number
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const digitValues = new Map([...digits].map((digit, value) => [digit, value]))

function encodeNumber(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1
  let text = ""
  do {
    const digit = rest & 31
    rest >>>= 5
    text += digits[rest > 0 ? digit | 32 : digit]
  } while (rest > 0)
  return text
}

/** Encodes mappings. They must be in the order of the code. */
export function encodeMappings(segments: readonly Segment[]): string {
  let text = ""
  let line = 0
  let column = 0
  let sourceLine = 0
  let sourceColumn = 0
  let separator = ""
  for (const segment of segments) {
    if (segment.line > line) {
      text += ";".repeat(segment.line - line)
      line = segment.line
      column = 0
      separator = ""
    }
    text += `${separator}${encodeNumber(segment.column - column)}A${encodeNumber(segment.sourceLine - sourceLine)}`
    text += encodeNumber(segment.sourceColumn - sourceColumn)
    separator = ","
    column = segment.column
    sourceLine = segment.sourceLine
    sourceColumn = segment.sourceColumn
  }
  return text
}

function decodeNumbers(text: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const character of text) {
    const digit = digitValues.get(character) ?? 0
    value |= (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1)
    value = 0
    shift = 0
  }
  return numbers
}

/** Decodes mappings to the segments of each line. */
export function decodeMappings(mappings: string): Segment[][] {
  let sourceLine = 0
  let sourceColumn = 0
  return mappings.split(";").map((group, line) => {
    let column = 0
    return (group === "" ? [] : group.split(",")).map((text) => {
      const [byColumn = 0, , byLine = 0, bySourceColumn = 0] = decodeNumbers(text)
      column += byColumn
      sourceLine += byLine
      sourceColumn += bySourceColumn
      return { line, column, sourceLine, sourceColumn }
    })
  })
}

const decodedMaps = new WeakMap<SourceMap, Segment[][]>()

/**
 * Returns the position in the `.tpl` file for a position in the generated code. Returns undefined for a line that the
 * compiler has added, such as the imports of helpers.
 *
 * @example
 * const { map } = compile("", "page.tpl")
 * originalPosition(map, { line: 1, column: 0 }) // → undefined
 */
export function originalPosition(map: SourceMap, position: Position): Position | undefined {
  let lines = decodedMaps.get(map)
  if (!lines) {
    lines = decodeMappings(map.mappings)
    decodedMaps.set(map, lines)
  }
  const segments = lines[position.line - 1] ?? []
  const segment = segments.findLast((segment) => segment.column <= position.column) ?? segments[0]
  return segment && { line: segment.sourceLine + 1, column: segment.sourceColumn }
}

const escapeUnit = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Returns a comment that contains the source map. esbuild, Node and debuggers read it. */
export function toInlineMap(map: SourceMap): string {
  // Base64 encodes bytes, so characters outside of ASCII are escaped first.
  const ascii = JSON.stringify(map).replace(/[\u0080-\uffff]/g, escapeUnit)
  return `//# sourceMappingURL=data:application/json;base64,${btoa(ascii)}\n`
}
