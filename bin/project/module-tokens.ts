/** The tokens of modules, for code that needs no types. */
import { type ModuleToken, tokenize } from "../../lib/scan/tokens.ts"

/**
 * Returns the tokens of a module; none for one with a syntax error, which is reported elsewhere.
 *
 * @param file the name of the file. Its ending decides whether the text may contain JSX.
 */
export function readTokens(file: string, source: string): readonly ModuleToken[] {
  try {
    return tokenize(source, { file, allowsJSX: /x$/.test(file) }).tokens
  } catch {
    return []
  }
}

/**
 * Returns the index of the bracket that closes the one at an index; the number of tokens if none does.
 *
 * @param maxTokens number of tokens to look at.
 */
export function findClosing(tokens: readonly ModuleToken[], open: number, maxTokens = tokens.length): number {
  const depth = tokens[open]?.depth
  const end = Math.min(tokens.length, open + 1 + maxTokens)
  for (let at = open + 1; at < end; at++)
    if (tokens[at]?.depth === depth && /^[)\]}]$/.test(tokens[at]?.text ?? "")) return at
  return tokens.length
}

/** Returns true for a text that is known as it stands: a string, or a template without values. */
export function isText({ kind, text }: ModuleToken): boolean {
  return kind === "string" || (kind === "template" && !text.includes("${"))
}
