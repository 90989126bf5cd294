/** Finds the ends of the elements of JSX in a module, where `<` may also begin the type parameters of a function. */

const name = /[\w$.:\u0080-\uffff-]+/y
const attribute = /"[^"]*"|'[^']*'|\/\*[\s\S]*?\*\/|\/\/.*|[^<>{}"'/,;()]+|\/(?![>*/])/y
const text = /[^<{]*/y
const endTag = /<\/([^<>{}]*)>/y

/** How often all characters of a source may be read for elements that turn out to be something else. */
const maxReadings = 10
/** Deepest nesting of expressions in elements. The stack is finite. */
const maxDepth = 200

/** Returns the offset after the expression whose brace is at an offset; undefined if it has no end. */
type ReadExpression = (brace: number) => number | undefined

/** The elements of a source. */
export class Elements {
  readonly #source: string
  /** The offset of the last end tag of each name. */
  #lastEnds: ReadonlyMap<string, number> | undefined
  /** Characters that may still be read in vain. */
  #left: number
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
    this.#left = maxReadings * source.length
  }

  /** True if too much was read in vain, so that nothing more is an element. */
  get isExhausted(): boolean {
    return this.#left <= 0
  }

  /** Returns the offset after the element or fragment at an offset; undefined if there is none. */
  endOf(start: number, readExpression: ReadExpression): number | undefined {
    if (this.isExhausted || this.#depth === maxDepth) return undefined
    const outside = this.#at
    this.#at = start
    this.#depth += 1
    const found = this.#read(readExpression)
    this.#depth -= 1
    if (found === undefined) this.#left -= this.#at - start
    this.#at = outside
    return found
  }

  #read(readExpression: ReadExpression): number | undefined {
    const source = this.#source
    const open: string[] = []
    const readBraces = () => {
      const end = readExpression(this.#at)
      this.#at = end ?? source.length
      return end !== undefined
    }
    while (this.#at < source.length) {
      if (source[this.#at] === "{") {
        if (!readBraces()) return undefined
      } else if (source[this.#at + 1] === "/") {
        const end = this.#match(endTag)
        if (!end || end[1]?.trim() !== open.pop()) return undefined
      } else {
        this.#at += 1
        const tag = this.#match(name)?.[0] ?? ""
        while (source[this.#at] === "{" ? readBraces() : this.#match(attribute));
        const isClosed = source.startsWith("/>", this.#at) && tag !== ""
        if (!isClosed && (source[this.#at] !== ">" || (this.#ends.get(tag) ?? 0) < this.#at)) return undefined
        if (!isClosed) open.push(tag)
        this.#at += isClosed ? 2 : 1
      }
      if (open.length === 0) return this.#at
      this.#match(text)
    }
    return undefined
  }

  get #ends(): ReadonlyMap<string, number> {
    const found = () => Array.from(this.#source.matchAll(new RegExp(endTag, "g")))
    this.#lastEnds ??= new Map(found().map(({ 1: tag = "", index }) => [tag.trim(), index]))
    return this.#lastEnds
  }

  /** Matches a sticky pattern and moves after it. */
  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)
    if (found) this.#at = pattern.lastIndex
    return found
  }
}
