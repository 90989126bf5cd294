/** Finds the end of JSX elements in a module. A `<` may also begin the type parameters of a function. */

const tagNamePattern = /[\w$.:\u0080-\uffff-]+/y
const attributePattern = /"[^"]*"|'[^']*'|\/\*[\s\S]*?\*\/|\/\/.*|[^<>{}"'/,;()]+|\/(?![>*/])/y
const textPattern = /[^<{]*/y
const endTagPattern = /<\/([^<>{}]*)>/y

/** How many times as many characters as the source has may be read without finding an element. */
const maxReadings = 10
/** Maximum depth of nested elements, because each level uses the stack. */
const maxDepth = 200

/** Returns the offset after the expression in braces at an offset; undefined if it has no end. */
type ReadExpression = (brace: number) => number | undefined

/** Finds the JSX elements of a source. */
export class JSXElements {
  readonly #source: string
  /** The offset of the last end tag, by name. */
  #lastEnds: ReadonlyMap<string, number> | undefined
  /** The number of characters that may still be read without finding an element. */
  #charactersLeft: number
  #position = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
    this.#charactersLeft = maxReadings * source.length
  }

  /** True if too many characters were read without finding an element. Then every `<` is taken for an operator. */
  get isExhausted(): boolean {
    return this.#charactersLeft <= 0
  }

  /** Returns the offset after the element or fragment at an offset; undefined if there is none. */
  findEnd(start: number, readExpression: ReadExpression): number | undefined {
    if (this.isExhausted || this.#depth === maxDepth) return undefined
    const outerPosition = this.#position
    this.#position = start
    this.#depth += 1
    const end = this.#read(readExpression)
    this.#depth -= 1
    if (end === undefined) this.#charactersLeft -= this.#position - start
    this.#position = outerPosition
    return end
  }

  #read(readExpression: ReadExpression): number | undefined {
    const source = this.#source
    const openTags: string[] = []
    const readBraces = () => {
      const end = readExpression(this.#position)
      this.#position = end ?? source.length
      return end !== undefined
    }
    while (this.#position < source.length) {
      if (source[this.#position] === "{") {
        if (!readBraces()) return undefined
      } else if (source[this.#position + 1] === "/") {
        const end = this.#match(endTagPattern)
        if (!end || end[1]?.trim() !== openTags.pop()) return undefined
      } else {
        this.#position += 1
        const tag = this.#match(tagNamePattern)?.[0] ?? ""
        while (source[this.#position] === "{" ? readBraces() : this.#match(attributePattern));
        const isClosed = source.startsWith("/>", this.#position) && tag !== ""
        if (!isClosed && (source[this.#position] !== ">" || (this.#endTags.get(tag) ?? 0) < this.#position))
          return undefined
        if (!isClosed) openTags.push(tag)
        this.#position += isClosed ? 2 : 1
      }
      if (openTags.length === 0) return this.#position
      this.#match(textPattern)
    }
    return undefined
  }

  get #endTags(): ReadonlyMap<string, number> {
    const findEndTags = () => Array.from(this.#source.matchAll(new RegExp(endTagPattern, "g")))
    this.#lastEnds ??= new Map(findEndTags().map(({ 1: tag = "", index }) => [tag.trim(), index]))
    return this.#lastEnds
  }

  /** Matches a sticky pattern at the current position and moves behind the match. */
  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position
    const match = pattern.exec(this.#source)
    if (match) this.#position = pattern.lastIndex
    return match
  }
}
