/** Finds links in code: redirects with a literal target. */

import { getDepthChange } from "../../../template/parse/brackets.ts"
import type { Token } from "../../../template/parse/lexer.ts"
import { findTexts, readTokens, splitAt } from "./expressions.ts"
import type { Link } from "./link.ts"
import { toLinkTarget } from "./link-target.ts"

/** Returns the redirects in a range of a source. */
export function findLinksInCode(source: string, start = 0, end = source.length): Link[] {
  if (!source.includes("redirect")) return []
  const tokens = readTokens(source, start, end)
  return tokens.flatMap((token, at) => {
    const isCall = token.text === "redirect" && tokens[at - 1]?.text === "." && tokens[at + 1]?.text === "("
    return isCall ? toRedirectLinks(readArguments(tokens, at + 1), token.start) : []
  })
}

/** Returns the tokens of each argument of a call. */
export function readArguments(tokens: readonly Token[], open: number): Token[][] {
  let depth = 0
  const end = tokens.findIndex((token, at) => {
    if (at >= open) depth += getDepthChange(token)
    return at >= open && depth === 0
  })
  return splitAt(tokens.slice(open + 1, end), ",")
}

/** Returns the targets of a redirect. Status and URL may be in either order. */
function toRedirectLinks(argumentTokens: readonly (readonly Token[])[], start: number): Link[] {
  const status = argumentTokens
    .map(([token]) => (token?.kind === "number" ? Number(token.text) : 0))
    .find((one) => one > 0)
  // For these statuses, clients repeat the request with the same method (RFC 9110 §15.4).
  const method = status === 307 || status === 308 ? null : "GET"
  return argumentTokens.flatMap(findTexts).flatMap((pieces) => {
    const target = toLinkTarget(pieces)
    return target ? [{ method, target, start }] : []
  })
}
