/** Counts brackets in tokens. */

import type { Token } from "./lexer.ts"

/**
 * Returns true if a bracket opens at the end of this token: `(`, `[`, `{` or the `${` of a template literal.
 */
export function opens(token: Token | undefined): boolean {
  if (token?.kind === "template") return token.text.endsWith("${")
  return token?.kind === "mark" && /^[([{]$/.test(token.text)
}

/** Returns true if a bracket closes at the start of this token. */
export function closes(token: Token | undefined): boolean {
  if (token?.kind === "template") return token.text.startsWith("}")
  return token?.kind === "mark" && /^[)\]}]$/.test(token.text)
}

/** Returns the change that a token makes to the number of open brackets. */
export function change(token: Token | undefined): number {
  return Number(opens(token)) - Number(closes(token))
}

/** Returns the text that closes the brackets and template literals that are open after these tokens. */
export function missingAfter(tokens: readonly Token[]): string {
  const open: string[] = []
  for (const token of tokens) {
    if (closes(token)) open.pop()
    if (opens(token)) open.push(token.kind === "template" ? "}`" : (closers[token.text] ?? ""))
  }
  return open.reverse().join("")
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }

/** Returns the tokens outside all brackets, with the brackets themselves. */
export function outermost(tokens: readonly Token[]): Token[] {
  let depth = 0
  return tokens.filter((token) => {
    if (closes(token)) depth--
    const isOutside = depth === 0
    if (opens(token)) depth++
    return isOutside
  })
}
