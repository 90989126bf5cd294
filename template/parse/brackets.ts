/** Counts the brackets in tokens. */

import type { Token } from "./lexer.ts"

/**
 * Returns true if a token ends with an opening bracket: `(`, `[`, `{`, or the `${` of a template literal.
 */
export function opensBracket(token: Token | undefined): boolean {
  if (token?.kind === "template") return token.text.endsWith("${")
  return token?.kind === "mark" && /^[([{]$/.test(token.text)
}

/** Returns true if a token begins with a closing bracket. */
export function closesBracket(token: Token | undefined): boolean {
  if (token?.kind === "template") return token.text.startsWith("}")
  return token?.kind === "mark" && /^[)\]}]$/.test(token.text)
}

/** Returns how much a token changes the number of open brackets. */
export function getDepthChange(token: Token | undefined): number {
  return Number(opensBracket(token)) - Number(closesBracket(token))
}

/** Returns the text that closes all brackets and template literals which tokens leave open. */
export function findMissingClosers(tokens: readonly Token[]): string {
  const open: string[] = []
  for (const token of tokens) {
    if (closesBracket(token)) open.pop()
    if (opensBracket(token)) open.push(token.kind === "template" ? "}`" : (closers[token.text] ?? ""))
  }
  return open.reverse().join("")
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }

/** Returns the tokens outside of all brackets, and the outermost brackets. */
export function filterOutermost(tokens: readonly Token[]): Token[] {
  let depth = 0
  return tokens.filter((token) => {
    if (closesBracket(token)) depth--
    const isOutside = depth === 0
    if (opensBracket(token)) depth++
    return isOutside
  })
}
