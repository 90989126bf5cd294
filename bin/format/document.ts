/**
 * Text that is laid out later: pieces, and the places where a line may end. The printer (`layout.ts`) decides which of
 * them become line breaks.
 */

/** A piece of a file. A plain string contains no line break. */
export type Doc = string | Concat | Line | Nest | Group | Fill | Lines

/** Documents one after the other. */
export interface Concat {
  readonly kind: "concat"
  readonly parts: readonly Doc[]
  readonly mustBreak: boolean
}

/** A place where a line may end. */
export interface Line {
  readonly kind: "line"
  /** The text if the line does not end here. */
  readonly flat: "" | " "
  /** True if the line always ends here. */
  readonly isHard: boolean
  /** True to leave one line empty. */
  readonly isBlank: boolean
  readonly mustBreak: boolean
}

/** A document with more indentation: one level, or (`levels` 0) that of the line on which it starts. */
export interface Nest {
  readonly kind: "nest"
  readonly levels: 0 | 1
  readonly content: Doc
  readonly mustBreak: boolean
}

/** A document on one line if it fits there. Otherwise every line in it ends, except inside inner groups. */
export interface Group {
  readonly kind: "group"
  readonly content: Doc
  /** The document after it. If it fits into a line of its own, but not into the rest of this one, the lines of the group end. */
  readonly next: Doc | undefined
  readonly mustBreak: boolean
}

/** Contents with lines between them: at the positions 1, 3, 5 … As many contents as fit are put into each line. */
export interface Fill {
  readonly kind: "fill"
  readonly parts: readonly Doc[]
  readonly mustBreak: boolean
}

/** Text with line breaks of its own. */
export interface Lines {
  readonly kind: "lines"
  readonly lines: readonly TextLine[]
  readonly mustBreak: boolean
}

/** One line of a text. */
export interface TextLine {
  readonly text: string
  /**
   * Columns more than the indentation of the document. Without it, the line keeps its white space, as in a
   * template literal.
   */
  readonly offset?: number | undefined
  /** The characters that end the line before; without them, those of the file. */
  readonly ending?: string | undefined
}

const hasForcedBreak = (doc: Doc | undefined): boolean => typeof doc === "object" && doc.mustBreak

/** Joins documents. */
export function concat(...parts: readonly Doc[]): Concat {
  return { kind: "concat", parts, mustBreak: parts.some(hasForcedBreak) }
}

/** A space, or the end of a line. */
export const line: Line = { kind: "line", flat: " ", isHard: false, isBlank: false, mustBreak: false }
/** Nothing, or the end of a line. */
export const softLine: Line = { ...line, flat: "" }
/** The end of a line. */
export const hardLine: Line = { ...line, isHard: true, mustBreak: true }
/** The end of a line, and an empty one. */
export const blankLine: Line = { ...hardLine, isBlank: true }

/** Indents the lines that begin in a document. */
export function indent(content: Doc): Nest {
  return { kind: "nest", levels: 1, content, mustBreak: hasForcedBreak(content) }
}

/** Makes the line on which a document starts the measure of its indentation. */
export function anchor(content: Doc): Nest {
  return { kind: "nest", levels: 0, content, mustBreak: hasForcedBreak(content) }
}

/** Puts a document on one line if it fits, and if no line must end in it. `next` is as in {@link Group}. */
export function group(content: Doc, next?: Doc): Group {
  return { kind: "group", content, next, mustBreak: hasForcedBreak(content) }
}

/** Fills lines with contents; the lines between them are at the odd positions. */
export function fill(parts: readonly Doc[]): Fill {
  return { kind: "fill", parts, mustBreak: parts.some(hasForcedBreak) }
}

/** Keeps a text with all its line breaks and white space. */
export function toVerbatim(text: string): Doc {
  if (!/[\n\r]/.test(text)) return text
  const lines: TextLine[] = []
  let ending: string | undefined
  for (const part of text.split(/(\r\n|\n|\r)/)) {
    if (lines.length === 0 || ending !== undefined) {
      lines.push({ text: part, ending })
      ending = undefined
    } else ending = part
  }
  return { kind: "lines", lines, mustBreak: true }
}

/** Makes a text of lines. */
export function toLines(lines: readonly TextLine[]): Doc {
  const [first, second] = lines
  return second === undefined ? (first?.text ?? "") : { kind: "lines", lines, mustBreak: true }
}
