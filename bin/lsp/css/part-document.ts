/** A part of a template that is CSS, as a document of the language service of CSS. */

import type { StylePart } from "../html/shadow-parts.ts"
import type { Position, Range } from "../protocol.ts"
import type { SourceText } from "../source-text.ts"

/** The rule around the declarations of an attribute. */
const surroundingRule = { before: "x{", after: "}" }
/** A value of the template language. The template compiler reports that it cannot be in CSS. */
const interpolation = /\{\{[^{};\n]*(?:\}\})?/g
const entityReference = /&(?:(quot|#34|#x22)|(apos|#39|#x27)|#?\w+);/gi

/** The CSS of one element or attribute. Its positions are those of the template. */
export class PartDocument {
  readonly uri: string
  readonly version: number
  readonly languageId = "css"
  readonly part: StylePart
  readonly #text: string
  readonly #source: SourceText
  /** The number to add to an offset in the document to get the offset in the template. */
  readonly #shift: number

  /** Creates the document of a part of a source. */
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

  /** The number of its lines. */
  get lineCount(): number {
    const { start, end } = this.#source.toRange(this.part.start, this.part.end)
    return end.line - start.line + 1
  }

  /** Returns the text, or a part of it. */
  getText(range?: Range): string {
    return range ? this.#text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.#text
  }

  /**
   * Returns the position in the template for an offset. If the offset is outside the CSS, returns the nearest
   * position in it.
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

/** Returns a text of the same length for a character that is written by its name. */
function toPlaceholder(found: string, double?: string, single?: string): string {
  if (double) return '"'.padEnd(found.length)
  return single ? "'".padEnd(found.length) : "_".repeat(found.length)
}
