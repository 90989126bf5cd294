/** Reads the possible decisions of a proxy from its source: its calls of rewrite, redirect and responseJSON. */
import type { ModuleText } from "../../lib/scan/exports.ts"
import { parseStringLiteral } from "../../lib/scan/proxy-config.ts"
import { type ModuleToken, toPosition } from "../../lib/scan/tokens.ts"

/** A call of one of the proxy's actions. */
export interface ProxyAction {
  readonly action: "rewrite" | "redirect" | "responseJSON"
  readonly line: number
  /** The path or URL, or the status of a response, if it is a literal. */
  readonly to: string | null
}

/** Returns every call, in the order of the file. */
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

/** Returns the value of an argument if it is only a literal. */
function readLiteral(token: ModuleToken | undefined, after: ModuleToken | undefined): string | null {
  if (!token || (after?.text !== "," && after?.text !== ")")) return null
  if (token.kind === "number") return token.text
  const isPlain = token.kind === "string" || (token.kind === "template" && !token.text.includes("${"))
  return isPlain ? parseStringLiteral(token.text) : null
}
