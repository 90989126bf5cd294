/**
 * The document that the formatter creates before lines are broken: texts, and positions where a line may break. The
 * printer (`layout.ts`) decides where lines break.
 */

/** A piece of a document. A string contains no line break. */
export type Doc = string | Concat | Line | Nest | Group | Fill | Lines

/** Pieces one after the other. */
export interface Concat {
  readonly kind: "concat"
  readonly parts: readonly Doc[]
  readonly mustBreak: boolean
}

/** A position where a line may break. */
export interface Line {
  readonly kind: "line"
  /** The text if the line does not break. */
  readonly flat: "" | " "
  /** True if the line always breaks. */
  readonly isHard: boolean
  /** True to leave an empty line. */
  readonly isBlank: boolean
  readonly mustBreak: boolean
}

/** A document with more indentation: by one level or, if `levels` is 0, to that of the line on which it starts. */
export interface Nest {
  readonly kind: "nest"
  readonly levels: 0 | 1
  readonly content: Doc
  readonly mustBreak: boolean
}

/**
 * A document that is printed on one line if it fits. Otherwise all its lines break, except those in inner groups.
 */
export interface Group {
  readonly kind: "group"
  readonly content: Doc
  /**
   * The document that follows. If it would fit into a line of its own, but not into the rest of this line, the
   * group breaks.
   */
  readonly next: Doc | undefined
  readonly mustBreak: boolean
}

/** Contents, and at the odd positions the lines between them. Each printed line takes as many contents as fit. */
export interface Fill {
  readonly kind: "fill"
  readonly parts: readonly Doc[]
  readonly mustBreak: boolean
}

/** Text that has line breaks itself. */
export interface Lines {
  readonly kind: "lines"
  readonly lines: readonly TextLine[]
  readonly mustBreak: boolean
}

/** A line of a text that has line breaks itself. */
export interface TextLine {
  readonly text: string
  /**
   * How many columns the line is indented relative to the document. Undefined to keep its own white space, as in a
   * template literal.
   */
  readonly offset?: number | undefined
  /** The line ending before this line; undefined for that of the file. */
  readonly ending?: string | undefined
}

const hasForcedBreak = (doc: Doc | undefined): boolean => typeof doc === "object" && doc.mustBreak

/** Joins documents. */
export function concat(...parts: readonly Doc[]): Concat {
  return { kind: "concat", parts, mustBreak: parts.some(hasForcedBreak) }
}

/** A space or a line break. */
export const line: Line = { kind: "line", flat: " ", isHard: false, isBlank: false, mustBreak: false }
/** Nothing or a line break. */
export const softLine: Line = { ...line, flat: "" }
/** A line break. */
export const hardLine: Line = { ...line, isHard: true, mustBreak: true }
/** A line break and an empty line. */
export const blankLine: Line = { ...hardLine, isBlank: true }

/** Indents the lines of a document by one level. */
export function indent(content: Doc): Nest {
  return { kind: "nest", levels: 1, content, mustBreak: hasForcedBreak(content) }
}

/** Indents the lines of a document like the line on which it starts. */
export function anchor(content: Doc): Nest {
  return { kind: "nest", levels: 0, content, mustBreak: hasForcedBreak(content) }
}

/**
 * Prints a document on one line if it fits.
 *
 * @param next as in {@link Group}.
 */
export function group(content: Doc, next?: Doc): Group {
  return { kind: "group", content, next, mustBreak: hasForcedBreak(content) }
}

/**
 * Puts as many contents into each line as fit.
 *
 * @param parts the contents, with the lines between them at the odd positions.
 */
export function fill(parts: readonly Doc[]): Fill {
  return { kind: "fill", parts, mustBreak: parts.some(hasForcedBreak) }
}

/** Returns a text as a document that keeps all line breaks and white space. */
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

/** Returns a document with several lines. */
export function toLines(lines: readonly TextLine[]): Doc {
  const [first, second] = lines
  return second === undefined ? (first?.text ?? "") : { kind: "lines", lines, mustBreak: true }
}
