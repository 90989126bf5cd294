/** What a proxy file shows of its decisions without being run: its calls of rewrite, redirect and responseJSON. Called by `fw routes --explain`. */
import type { ModuleText } from "../../lib/scan/exports.ts"
import { stringValue } from "../../lib/scan/proxy-config.ts"
import { positionOf, type Token } from "../../lib/scan/tokens.ts"

/** A call of one of the proxy's actions. */
export interface ProxyAction {
  readonly action: "rewrite" | "redirect" | "responseJSON"
  readonly line: number
  /** The path or URL, or the status of an answer, where it is written there as a literal. */
  readonly to: string | null
}

/** Every call, in the order of the file. */
export function proxyActions({ source, tokens }: ModuleText): ProxyAction[] {
  return tokens.flatMap(({ text, start }, at) => {
    const isAction = text === "rewrite" || text === "redirect" || text === "responseJSON"
    if (!isAction || tokens[at + 1]?.text !== "(" || tokens[at - 1]?.text === "function") return []
    return [
      { action: text, line: positionOf(source, start).line, to: literal(tokens[at + 2], tokens[at + 3]) },
    ]
  })
}

/** The value of an argument that is a literal and nothing more. */
function literal(token: Token | undefined, after: Token | undefined): string | null {
  if (!token || (after?.text !== "," && after?.text !== ")")) return null
  if (token.kind === "number") return token.text
  const isPlain = token.kind === "string" || (token.kind === "template" && !token.text.includes("${"))
  return isPlain ? stringValue(token.text) : null
}
