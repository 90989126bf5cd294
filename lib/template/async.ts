// Finds out whether code awaits for the template it stands in, or only inside a function of its own.

import { change, closes, opens } from "./brackets.ts"
import type { Token } from "./lexer.ts"

/** The index after the bracket that closes the one at `index`. */
function afterGroup(tokens: readonly Token[], index: number): number {
  let depth = 0
  for (let at = index; at < tokens.length; at++) {
    depth += change(tokens[at])
    if (depth === 0) return at + 1
  }
  return tokens.length
}

/** The index of the first of `texts` at this depth, or -1 where the group ends first. */
function findMark(tokens: readonly Token[], from: number, texts: readonly string[], stops: string): number {
  for (let at = from; at < tokens.length; ) {
    const token = tokens[at]
    if (token?.kind === "mark" && texts.includes(token.text)) return at
    if (closes(token) && !opens(token)) return -1
    if (token?.kind === "mark" && stops.includes(token.text)) return -1
    at = opens(token) ? afterGroup(tokens, at) : at + 1
  }
  return -1
}

/** The index after the body of an arrow function whose `=>` is at `arrow`. */
function afterArrowBody(tokens: readonly Token[], arrow: number): number {
  if (tokens[arrow + 1]?.text === "{") return afterGroup(tokens, arrow + 1)
  for (let at = arrow + 1; at < tokens.length; ) {
    const token = tokens[at]
    if (closes(token) && !opens(token)) return at
    if (token?.kind === "mark" && (token.text === "," || token.text === ";")) return at
    at = opens(token) ? afterGroup(tokens, at) : at + 1
  }
  return tokens.length
}

/** The index after a function's body, which follows its parameters and the type of what it gives. */
function afterBody(tokens: readonly Token[], from: number): number {
  for (let at = from; ; ) {
    const brace = findMark(tokens, at, ["{"], ",;")
    if (brace < 0) return -1
    at = afterGroup(tokens, brace)
    // `Promise<{ a: 1 }> {`, `{ a: 1 } | null {`, `{ a: 1 }[] {`: the braces of a type.
    if (!/^(?:[>|&[{])$/.test(tokens[at]?.text ?? "")) return at
  }
}

/** The index of what follows the name of a function or method: its parameters, or their types. */
function afterName(tokens: readonly Token[], from: number): number {
  let at = from
  if (tokens[at]?.text === "function") at++
  if (tokens[at]?.text === "*" || tokens[at]?.text === "#") at++
  if (tokens[at]?.text === "[") return afterGroup(tokens, at)
  return tokens[at]?.kind === "mark" ? at : at + 1
}

/** The index after the function that begins with the `async` at `index`; `index` where none begins. */
function afterAsyncFunction(tokens: readonly Token[], index: number): number {
  const next = tokens[index + 1]
  if (next?.kind === "word" && tokens[index + 2]?.text === "=>") return afterArrowBody(tokens, index + 2)
  const isArrow = next?.text === "(" || next?.text === "<"
  let list = isArrow ? index + 1 : afterName(tokens, index + 1)
  if (tokens[list]?.text === "<") list = findMark(tokens, list, ["("], "")
  if (tokens[list]?.text !== "(") return index
  const after = afterGroup(tokens, list)
  if (!isArrow) return Math.max(index, afterBody(tokens, after))
  const arrow = findMark(tokens, after, ["=>"], ",;")
  const follows = arrow === after || (arrow > after && tokens[after]?.text === ":")
  return follows ? afterArrowBody(tokens, arrow) : index
}

/** Whether an `await` stands in the code that no async function inside it owns. `tokens` holds no comments. */
export function awaits(tokens: readonly Token[]): boolean {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.awaits) return true
    if (token?.kind !== "word") continue
    const before = tokens[at - 1]?.text
    if (before === "." || before === "?.") continue
    if (token.text === "await" && tokens[at + 1]?.text !== ":") return true
    if (token.text === "async") at = Math.max(at, afterAsyncFunction(tokens, at) - 1)
  }
  return false
}
