/** Collects generated code together with the source positions that it comes from. */

import { findLineStarts, locate } from "../../lib/scan/position.ts"
import type { TypeScriptPart } from "../ast.ts"
import type { Segment } from "../sourcemap.ts"

const tokenPattern = /[\w$]+|[^\s\w$]/g
const lineBreaks = /\r\n|[\n\r\u2028\u2029]/g

/**
 * A range of the source that is copied to the code unchanged.
 *
 * @example const leadsExactly = (copy: Copy, offset: number) => copy.start <= offset && offset <= copy.start + copy.length
 */
export interface Copy {
  /** The offset in the code. */
  readonly at: number
  /** The offset in the source. */
  readonly start: number
  readonly length: number
  /** True if the author has not finished it. Syntax errors in it are then not reported. */
  readonly isUnfinished: boolean
}

/** Code that is being written. */
export class Writer {
  readonly #source: string
  readonly #lineStarts: readonly number[]
  readonly #parts: string[] = []
  readonly segments: Segment[] = []
  /** The copied ranges, in the order of the code. */
  readonly copies: Copy[] = []
  #length = 0
  #line: number
  #column = 0

  /** Creates a writer. `line` is the line of the file, counted from 0, on which the code begins. */
  constructor(source: string, line: number) {
    this.#source = source
    this.#lineStarts = findLineStarts(source)
    this.#line = line
  }

  get text(): string {
    return this.#parts.join("")
  }

  /** Writes generated code. Errors in it are reported at `anchor`, an offset in the source. */
  write(text: string, anchor: number): void {
    const place = locate(this.#lineStarts, anchor)
    this.#push(text)
    let from = 0
    for (const end of findLineEnds(text)) {
      if (end.at > from) this.#addSegment(this.#column, place)
      this.#advance(end, from)
      from = end.next
    }
  }

  /** Copies a range of the source. Each word and each mark is mapped to its own position. */
  copy(start: number, end: number, isUnfinished = false): void {
    const text = this.#source.slice(start, end)
    const place = locate(this.#lineStarts, start)
    if (end > start) this.copies.push({ at: this.#length, start, length: end - start, isUnfinished })
    this.#push(text)
    let from = 0
    for (const stop of findLineEnds(text)) {
      const lineStart = from
      for (const token of text.slice(lineStart, stop.at).matchAll(tokenPattern)) {
        this.#addSegment(this.#column + token.index, { line: place.line, column: place.column + token.index })
      }
      this.#advance(stop, from)
      from = stop.next
      place.line++
      place.column = 0
    }
  }

  /** Copies TypeScript. Open brackets are closed, so that the following code is not affected. */
  copyTypeScript({ start, end, missingClosers }: TypeScriptPart): void {
    if (missingClosers !== undefined) this.write("\n", start)
    this.copy(start, end, missingClosers !== undefined)
    if (missingClosers !== undefined) this.write(`\n${missingClosers};\n`, end)
  }

  #push(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
  }

  #addSegment(column: number, { line, column: sourceColumn }: { line: number; column: number }): void {
    this.segments.push({ line: this.#line, column, sourceLine: line, sourceColumn })
  }

  #advance(end: LineEnd, from: number): void {
    if (end.next > end.at) {
      this.#line++
      this.#column = 0
    } else {
      this.#column += end.at - from
    }
  }
}

interface LineEnd {
  /** The offset of the end of a line. */
  readonly at: number
  /** The offset of the next line. At the end of the text it is the same. */
  readonly next: number
}

/** Returns the ends of all lines of a text. The last one is the end of the text. */
function findLineEnds(text: string): LineEnd[] {
  const ends: LineEnd[] = []
  lineBreaks.lastIndex = 0
  for (let match = lineBreaks.exec(text); match; match = lineBreaks.exec(text)) {
    ends.push({ at: match.index, next: lineBreaks.lastIndex })
  }
  ends.push({ at: text.length, next: text.length })
  return ends
}
