/** Converts between offsets in a text and positions of the Language Server Protocol. */

/** A position in a text as in the protocol: both numbers count from 0. */
export interface Place {
  readonly line: number
  readonly character: number
}
/** A range of a text. */
export interface Range {
  readonly start: Place
  readonly end: Place
}

/** Returns the position of an offset. */
export function toPlace(text: string, offset: number): Place {
  const before = text.slice(0, offset).split("\n")
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
}

/** Returns the offset of a position. */
export function toOffset(text: string, { line, character }: Place): number {
  const lines = text.split("\n")
  return lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character
}
