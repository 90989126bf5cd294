/**
 * Prints a document in lines of a given width. A group is printed on one line if it fits (Wadler, "A prettier
 * printer"; fills as in Prettier).
 */

import { concat, type Doc, type Fill, type Group, type Line, type Lines } from "./document.ts"

/** How lines are formatted. */
export interface LineStyle {
  /** Columns per level of indentation. */
  readonly indentWidth: number
  readonly useTabs: boolean
  /** The longest line, in columns. Text that cannot be broken may be longer. */
  readonly lineWidth: number
  readonly lineEnding: "\n" | "\r\n"
}

interface LayoutCommand {
  /** Indentation of the document's lines, in columns. */
  readonly indent: number
  /** True if no line of the document may break. */
  readonly isFlat: boolean
  readonly doc: Doc
  /** In a fill, the position at which it continues. */
  readonly partIndex?: number
}

/** Returns white space that is a number of columns wide. */
function toWhiteSpace(columns: number, { useTabs, indentWidth }: LineStyle): string {
  if (!useTabs) return " ".repeat(columns)
  return "\t".repeat(Math.floor(columns / indentWidth)) + " ".repeat(columns % indentWidth)
}

/** Returns the width of the white space at the start of a text, in columns. */
export function countColumns(text: string, { indentWidth }: Pick<LineStyle, "indentWidth">): number {
  let columns = 0
  for (const character of text) {
    if (character === " ") columns++
    else if (character === "\t") columns += indentWidth - (columns % indentWidth)
    else break
  }
  return columns
}

/** Returns the text of a document. */
export function layOut(doc: Doc, style: LineStyle): string {
  return new Layout(style).print(doc)
}

class Layout {
  readonly #style: LineStyle
  readonly #output: string[] = []
  readonly #commands: LayoutCommand[] = []
  /** The white space at the start of the current line. */
  #lineStart = ""
  /** True if the current line contains only white space. */
  #isBlank = true
  #column = 0

  constructor(style: LineStyle) {
    this.#style = style
  }

  print(doc: Doc): string {
    this.#commands.push({ indent: 0, isFlat: false, doc })
    for (let command = this.#commands.pop(); command; command = this.#commands.pop()) this.#run(command)
    return this.#output.join("")
  }

  #run(command: LayoutCommand): void {
    const { doc, isFlat, indent } = command
    if (typeof doc === "string") {
      this.#writeText(doc)
      return
    }
    switch (doc.kind) {
      case "concat":
        for (let at = doc.parts.length - 1; at >= 0; at--) this.#push(indent, isFlat, doc.parts[at])
        break
      case "line":
        if (isFlat && !doc.isHard) this.#writeText(doc.flat)
        else this.#writeNewLine(doc, indent)
        break
      case "nest":
        if (doc.levels === 0) this.#push(this.#countLineIndent(), isFlat, doc.content)
        else this.#push(indent + this.#style.indentWidth, isFlat, doc.content)
        break
      case "group":
        this.#push(indent, this.#fitsOnLine(command, doc), doc.content)
        break
      case "fill":
        this.#runFill(command, doc)
        break
      case "lines":
        this.#writeLines(doc, indent)
    }
  }

  #push(indent: number, isFlat: boolean, doc: Doc | undefined): void {
    if (doc !== undefined) this.#commands.push({ indent, isFlat, doc })
  }

  #fitsOnLine({ isFlat, indent }: LayoutCommand, doc: Group): boolean {
    if (isFlat) return true
    if (doc.mustBreak || !this.#fits({ indent, isFlat: true, doc }, true)) return false
    if (doc.next === undefined) return true
    const [next, all] = [doc.next, concat(doc, doc.next)].map((one) => ({ indent, isFlat: true, doc: one }))
    if (!next || !all || this.#fits(all, false)) return true
    // One column is for the ">" before `next`.
    return !this.#fits(next, false, this.#style.lineWidth - indent - 1)
  }

  #runFill({ indent, isFlat, doc, partIndex = 0 }: LayoutCommand, { parts }: Fill): void {
    const [content, separator, next] = [parts[partIndex], parts[partIndex + 1], parts[partIndex + 2]]
    if (content === undefined) return
    const fits = this.#fits({ indent, isFlat: true, doc: content }, false)
    if (separator !== undefined && next !== undefined) {
      this.#commands.push({ indent, isFlat, doc, partIndex: partIndex + 2 })
      const both: Doc = { kind: "concat", parts: [content, separator, next], mustBreak: false }
      this.#push(indent, fits && this.#fits({ indent, isFlat: true, doc: both }, false), separator)
    }
    this.#push(indent, fits, content)
  }

  /**
   * Returns true if a document fits into the rest of the line.
   *
   * @param withRest true if the text after it must fit too, up to the next position where the line may break.
   * @param columns the width of the rest of the line.
   */
  #fits(command: LayoutCommand, withRest: boolean, columns = this.#style.lineWidth - this.#column): boolean {
    let columnsLeft = columns
    let rest = withRest ? this.#commands.length : 0
    const stack: LayoutCommand[] = [command]
    for (;;) {
      const next = stack.pop() ?? this.#commands[--rest]
      if (!next) return true
      const { doc, isFlat, indent, partIndex = 0 } = next
      if (typeof doc === "string") columnsLeft -= doc.length
      else if (doc.kind === "line") {
        if (!isFlat || doc.isHard) return !isFlat
        columnsLeft -= doc.flat.length
      } else if (doc.kind === "lines") {
        return isFlat ? false : columnsLeft >= (doc.lines[0]?.text.length ?? 0)
      } else if (doc.kind === "concat" || doc.kind === "fill") {
        for (let index = doc.parts.length - 1; index >= partIndex; index--) {
          const part = doc.parts[index]
          if (part !== undefined) stack.push({ indent, isFlat, doc: part })
        }
      } else if (isFlat && doc.mustBreak) return false
      else stack.push({ indent, isFlat, doc: doc.content })
      if (columnsLeft < 0) return false
    }
  }

  #writeText(text: string): void {
    if (text === "") return
    if (this.#isBlank) {
      const [space = ""] = /^[ \t]*/.exec(text) ?? []
      this.#lineStart += space
      this.#isBlank = space.length === text.length
    }
    this.#output.push(text)
    this.#column += text.length
  }

  #countLineIndent(): number {
    return countColumns(this.#lineStart, this.#style)
  }

  #beginLine(ending: string, space: string): void {
    this.#output.push(ending, space)
    this.#lineStart = space
    this.#isBlank = true
    this.#column = countColumns(space, this.#style)
  }

  #writeNewLine({ isBlank }: Line, indent: number): void {
    const { lineEnding } = this.#style
    this.#beginLine(isBlank ? lineEnding.repeat(2) : lineEnding, toWhiteSpace(indent, this.#style))
  }

  #writeLines({ lines }: Lines, base: number): void {
    lines.forEach(({ text, offset, ending = this.#style.lineEnding }, index) => {
      const isIndented = offset !== undefined && text !== ""
      if (index > 0) this.#beginLine(ending, isIndented ? toWhiteSpace(Math.max(0, base + offset), this.#style) : "")
      this.#writeText(text)
    })
  }
}
