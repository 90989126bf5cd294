/** The CSS in a template as a document for the CSS language service. */

import type { StylePart } from "../html/shadow-parts.ts"
import type { Position, Range } from "../protocol.ts"
import type { SourceText } from "../source-text.ts"

/** The rule that surrounds the declarations of a `style` attribute. */
const surroundingRule = { before: "x{", after: "}" }
/** Matches a value of the template language. The template compiler reports that CSS cannot contain one. */
const interpolation = /\{\{[^{};\n]*(?:\}\})?/g
const entityReference = /&(?:(quot|#34|#x22)|(apos|#39|#x27)|#?\w+);/gi

/** The CSS of an element or attribute. Positions are those of the template. */
export class PartDocument {
  readonly uri: string
  readonly version: number
  readonly languageId = "css"
  readonly part: StylePart
  readonly #text: string
  readonly #source: SourceText
  /** Offset in the template minus offset in the document. */
  readonly #shift: number

  /** Creates a document for a part of a source. */
  constructor({ uri, version, text }: { uri: string; version: number; text: SourceText }, part: StylePart) {
    this.uri = uri
    this.version = version
    this.part = part
    this.#source = text
    const css = text.value.slice(part.start, part.end).replace(interpolation, (found) => "_".repeat(found.length))
    const isSheet = part.kind === "sheet"
    this.#text = isSheet
      ? css
      : surroundingRule.before + css.replace(entityReference, toPlaceholder) + surroundingRule.after
    this.#shift = part.start - (isSheet ? 0 : surroundingRule.before.length)
  }

  /** The number of lines. */
  get lineCount(): number {
    const { start, end } = this.#source.toRange(this.part.start, this.part.end)
    return end.line - start.line + 1
  }

  /** Returns the text, or that of a range. */
  getText(range?: Range): string {
    return range ? this.#text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.#text
  }

  /**
   * Returns the position in the template for an offset. For an offset outside the CSS, it is the nearest position
   * inside.
   */
  positionAt(offset: number): Position {
    const { start, end } = this.part
    return this.#source.positionAt(Math.max(start, Math.min(offset + this.#shift, end)))
  }

  /** Returns the offset for a position in the template. */
  offsetAt(position: Position): number {
    const { start, end } = this.part
    return Math.max(start, Math.min(this.#source.offsetAt(position), end)) - this.#shift
  }

  /** Returns the CSS before a position. */
  getTextBefore(position: Position): string {
    return this.#text.slice(0, this.offsetAt(position))
  }
}

/** Returns a text of the same length for an entity reference such as `&quot;`. */
function toPlaceholder(found: string, double?: string, single?: string): string {
  if (double) return '"'.padEnd(found.length)
  return single ? "'".padEnd(found.length) : "_".repeat(found.length)
}
