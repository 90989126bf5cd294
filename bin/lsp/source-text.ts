/** A text with its lines, for converting positions of the protocol. */

import type { ContentChange, Position, Range } from "./protocol.ts"

/** Matches the line endings of the protocol. U+2028 is not one, although it ends a line in JavaScript. */
const lineEnd = /\r\n|[\r\n]/g

/** An immutable text. */
export class SourceText {
  readonly value: string
  #knownStarts: readonly number[] | undefined

  constructor(value: string) {
    this.value = value
  }

  get #lineStarts(): readonly number[] {
    this.#knownStarts ??= [0, ...[...this.value.matchAll(lineEnd)].map((end) => end.index + end[0].length)]
    return this.#knownStarts
  }

  /** Returns the offset of a position. For a position outside the text, it is the nearest offset. */
  offsetAt({ line, character }: Position): number {
    const starts = this.#lineStarts
    const start = starts[line]
    if (start === undefined) return line < 0 ? 0 : this.value.length
    const end = starts[line + 1] ?? this.value.length
    return Math.max(start, Math.min(start + character, end))
  }

  positionAt(offset: number): Position {
    const starts = this.#lineStarts
    const line = Math.max(
      0,
      starts.findLastIndex((start) => start <= offset),
    )
    return { line, character: offset - (starts[line] ?? 0) }
  }

  toRange(start: number, end: number): Range {
    return { start: this.positionAt(start), end: this.positionAt(end) }
  }

  applyChange({ range, text }: ContentChange): SourceText {
    if (!range) return new SourceText(text)
    const [start, end] = [this.offsetAt(range.start), this.offsetAt(range.end)]
    return new SourceText(this.value.slice(0, start) + text + this.value.slice(Math.max(start, end)))
  }
}
