/** Counts brackets in tokens. */

import type { Token } from "./lexer.ts"

/**
 * Returns true if a bracket opens at the end of this token: `(`, `[`, `{` or the `${` of a template literal.
 */
export function opensBracket(token: Token | undefined): boolean {
  if (token?.kind === "template") return token.text.endsWith("${")
  return token?.kind === "mark" && /^[([{]$/.test(token.text)
}

/** Returns true if a bracket closes at the start of this token. */
export function closesBracket(token: Token | undefined): boolean {
  if (token?.kind === "template") return token.text.startsWith("}")
  return token?.kind === "mark" && /^[)\]}]$/.test(token.text)
}

/** Returns the change that a token makes to the number of open brackets. */
export function depthChange(token: Token | undefined): number {
  return Number(opensBracket(token)) - Number(closesBracket(token))
}

/** Returns the text that closes the brackets and template literals that are open after these tokens. */
export function findMissingClosers(tokens: readonly Token[]): string {
  const open: string[] = []
  for (const token of tokens) {
    if (closesBracket(token)) open.pop()
    if (opensBracket(token)) open.push(token.kind === "template" ? "}`" : (closers[token.text] ?? ""))
  }
  return open.reverse().join("")
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }

/** Returns the tokens outside all brackets, with the brackets themselves. */
export function filterOutermost(tokens: readonly Token[]): Token[] {
  let depth = 0
  return tokens.filter((token) => {
    if (closesBracket(token)) depth--
    const isOutside = depth === 0
    if (opensBracket(token)) depth++
    return isOutside
  })
}
