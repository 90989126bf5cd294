/**
 * Source maps, version 3 (ECMA-426): an encoder, and a look-up from a position in the output to that in the
 * .tpl.
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

/** One mapping; all four numbers count from 0. */
export interface Segment {
  readonly line: number
  readonly column: number
  readonly sourceLine: number
  readonly sourceColumn: number
}

/**
 * A place in a text: the line counted from 1, the column from 0, in UTF-16 units, as source map tools do.
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

/** Encodes segments, which are in the order of the output. */
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
 * The place in the `.tpl` that a place in the output came from; undefined where the compiler wrote the
 * line by itself, such as the imports of its helpers.
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
  const found = segments.findLast((segment) => segment.column <= position.column) ?? segments[0]
  return found && { line: found.sourceLine + 1, column: found.sourceColumn }
}

const escapeUnit = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Returns the comment with a source map, which esbuild, Node and debuggers find in the output. */
export function toInlineMap(map: SourceMap): string {
  // Base64 encodes bytes, so other characters are escaped first.
  const ascii = JSON.stringify(map).replace(/[\u0080-\uffff]/g, escapeUnit)
  return `//# sourceMappingURL=data:application/json;base64,${btoa(ascii)}\n`
}
