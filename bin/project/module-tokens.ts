/** The tokens of modules, for code that needs no types. */
import { type Token, tokenize } from "../../lib/scan/tokens.ts"

/**
 * Returns the tokens of a module; none for one with a syntax error, which is reported elsewhere.
 *
 * @param file its ending says if the text may contain elements of JSX.
 */
export function tokensOf(file: string, source: string): readonly Token[] {
  try {
    return tokenize(source, { file, jsx: /x$/.test(file) }).tokens
  } catch {
    return []
  }
}

/**
 * Returns the index of the bracket that closes the one at an index; the number of tokens if none does.
 *
 * @param most number of tokens to look at.
 */
export function closeOf(tokens: readonly Token[], open: number, most = tokens.length): number {
  const depth = tokens[open]?.depth
  const end = Math.min(tokens.length, open + 1 + most)
  for (let at = open + 1; at < end; at++)
    if (tokens[at]?.depth === depth && /^[)\]}]$/.test(tokens[at]?.text ?? "")) return at
  return tokens.length
}
