/** Reads the tokens of modules, for code that needs no types. */
import { type ModuleToken, tokenize } from "../../lib/scan/tokens.ts"

/**
 * Returns the tokens of a module. For a module with a syntax error, which is reported elsewhere, it returns none.
 *
 * @param file the name of the file, whose extension decides whether the text may contain JSX.
 */
export function readTokens(file: string, source: string): readonly ModuleToken[] {
  try {
    return tokenize(source, { file, allowsJSX: /x$/.test(file) }).tokens
  } catch {
    return []
  }
}

/**
 * Returns the index of the bracket that closes the one at an index; the number of tokens if no bracket does.
 *
 * @param maxTokens the number of tokens to search.
 */
export function findClosing(tokens: readonly ModuleToken[], open: number, maxTokens = tokens.length): number {
  const depth = tokens[open]?.depth
  const end = Math.min(tokens.length, open + 1 + maxTokens)
  for (let at = open + 1; at < end; at++)
    if (tokens[at]?.depth === depth && /^[)\]}]$/.test(tokens[at]?.text ?? "")) return at
  return tokens.length
}

/** Returns true for a text whose value is known: a string, or a template without placeholders. */
export function isText({ kind, text }: ModuleToken): boolean {
  return kind === "string" || (kind === "template" && !text.includes("${"))
}
