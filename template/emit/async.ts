/** Finds out whether code contains an `await` that belongs to the template itself, and not to a function inside. */

import { closesBracket, getDepthChange, opensBracket } from "../parse/brackets.ts"
import type { Token } from "../parse/lexer.ts"

/**
 * Maximum number of tokens in which the parts of an `async` function are looked for: its parameters, its arrow and its
 * body.
 */
const maxSearchedTokens = 200

/** Finds functions in tokens. Brackets are paired once, so that nested ones are not searched again and again. */
class FunctionFinder {
  readonly #tokens: readonly Token[]
  /** For each opening bracket, the index after the closing one. */
  readonly #groupEnds = new Map<number, number>()

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
    const open: number[] = []
    tokens.forEach((token, at) => {
      const depthChange = getDepthChange(token)
      if (depthChange > 0) open.push(at)
      if (depthChange < 0) this.#groupEnds.set(open.pop() ?? -1, at + 1)
    })
    for (const at of open) this.#groupEnds.set(at, tokens.length)
  }

  /** Returns the index after the bracket that closes the bracket at `index`. */
  #skipGroup(index: number): number {
    return this.#groupEnds.get(index) ?? index + 1
  }

  /**
   * Returns the index of the first of `texts` outside of further brackets; -1 if one of `stopMarks` or the end of the
   * current brackets comes before.
   */
  #findMark(from: number, texts: readonly string[], stopMarks: string): number {
    for (let at = from, tokensLeft = maxSearchedTokens; at < this.#tokens.length && tokensLeft > 0; tokensLeft--) {
      const token = this.#tokens[at]
      if (token?.kind === "mark" && texts.includes(token.text)) return at
      if (closesBracket(token) && !opensBracket(token)) return -1
      if (token?.kind === "mark" && stopMarks.includes(token.text)) return -1
      at = opensBracket(token) ? this.#skipGroup(at) : at + 1
    }
    return -1
  }

  /** Returns the index after the body of an arrow function. @param arrow the index of `=>`. */
  #skipArrowBody(arrow: number): number {
    const tokens = this.#tokens
    if (tokens[arrow + 1]?.text === "{") return this.#skipGroup(arrow + 1)
    for (let at = arrow + 1; at < tokens.length; ) {
      const token = tokens[at]
      if (closesBracket(token) && !opensBracket(token)) return at
      if (token?.kind === "mark" && (token.text === "," || token.text === ";")) return at
      at = opensBracket(token) ? this.#skipGroup(at) : at + 1
    }
    return tokens.length
  }

  /** Returns the index after the body of a function. @param from the index after its parameters. */
  #skipBody(from: number): number {
    for (let at = from; ; ) {
      const brace = this.#findMark(at, ["{"], ",;")
      if (brace < 0) return -1
      at = this.#skipGroup(brace)
      // If such a mark follows, the braces are part of the return type, and not the body: `Promise<{ a: 1 }> {`,
      // `{ a: 1 } | null {`, `{ a: 1 }[] {`.
      if (!/^(?:[>|&[{])$/.test(this.#tokens[at]?.text ?? "")) return at
    }
  }

  /** Returns the index after the name of a function or method, where its type parameters or its parameters begin. */
  #skipName(from: number): number {
    const tokens = this.#tokens
    let at = from
    if (tokens[at]?.text === "function") at++
    if (tokens[at]?.text === "*" || tokens[at]?.text === "#") at++
    if (tokens[at]?.text === "[") return this.#skipGroup(at)
    return tokens[at]?.kind === "mark" ? at : at + 1
  }

  /** Returns the index after the function that begins with the `async` at `index`. Returns `index` if there is none. */
  skipAsyncFunction(index: number): number {
    const tokens = this.#tokens
    const next = tokens[index + 1]
    if (next?.kind === "word" && tokens[index + 2]?.text === "=>") return this.#skipArrowBody(index + 2)
    const isArrow = next?.text === "(" || next?.text === "<"
    let listStart = isArrow ? index + 1 : this.#skipName(index + 1)
    if (tokens[listStart]?.text === "<") listStart = this.#findMark(listStart, ["("], "")
    if (tokens[listStart]?.text !== "(") return index
    const after = this.#skipGroup(listStart)
    if (!isArrow) return Math.max(index, this.#skipBody(after))
    if (tokens[after]?.text === "=>") return this.#skipArrowBody(after)
    const arrow = tokens[after]?.text === ":" ? this.#findMark(after, ["=>"], ",;") : -1
    return arrow > after ? this.#skipArrowBody(arrow) : index
  }
}

/** Returns true if the code contains an `await` outside of async functions. `tokens` must not contain comments. */
export function hasAwait(tokens: readonly Token[]): boolean {
  let functions: FunctionFinder | undefined
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.hasAwait) return true
    if (token?.kind !== "word") continue
    const before = tokens[at - 1]?.text
    if (before === "." || before === "?.") continue
    if (token.text === "await" && tokens[at + 1]?.text !== ":") return true
    if (token.text !== "async") continue
    functions ??= new FunctionFinder(tokens)
    at = Math.max(at, functions.skipAsyncFunction(at) - 1)
  }
  return false
}
