/** Finds what a proxy may do, from its source: calls of rewrite, redirect and responseJSON. */
import type { ModuleText } from "../../lib/scan/exports.ts"
import { parseStringLiteral } from "../../lib/scan/proxy-config.ts"
import { type ModuleToken, toPosition } from "../../lib/scan/tokens.ts"

/** A call of rewrite, redirect or responseJSON. */
export interface ProxyAction {
  readonly action: "rewrite" | "redirect" | "responseJSON"
  readonly line: number
  /** The literal path, URL or status; null if it is computed. */
  readonly to: string | null
}

/** Returns all such calls, in the order of the file. */
export function findProxyActions({ source, tokens }: ModuleText): ProxyAction[] {
  return tokens.flatMap(({ text, start }, at) => {
    const isAction = text === "rewrite" || text === "redirect" || text === "responseJSON"
    if (!isAction || tokens[at + 1]?.text !== "(" || tokens[at - 1]?.text === "function") return []
    return [
      {
        action: text,
        line: toPosition(source, start).line,
        to: readLiteral(tokens[at + 2], tokens[at + 3]),
      },
    ]
  })
}

/** Returns the value of an argument that is a literal; null for any other argument. */
function readLiteral(token: ModuleToken | undefined, after: ModuleToken | undefined): string | null {
  if (!token || (after?.text !== "," && after?.text !== ")")) return null
  if (token.kind === "number") return token.text
  const isPlain = token.kind === "string" || (token.kind === "template" && !token.text.includes("${"))
  return isPlain ? parseStringLiteral(token.text) : null
}
