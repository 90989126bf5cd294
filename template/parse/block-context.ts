/** The blocks inside a construct in braces. */

import type { Node } from "../ast.ts"
import type { Namespace } from "../check/elements.ts"
import type { BlockParser, Cursor } from "./cursor.ts"

/** The surroundings of a block: its namespace, and the parser of its markup. */
export interface BlockContext {
  readonly namespace: Namespace
  readonly parseBlock: BlockParser
}

/** Parses a block with its braces. `after` is what comes before it, for the error of a missing brace. */
export function parseBody(cursor: Cursor, after: string, context: BlockContext): Node[] {
  const block = `${after} { <p>…</p> }`
  const form = /^(?:if|for)\b/.test(after) ? `{${block}}` : block
  const fix = `Write the markup of a block in its braces: ${form}.`
  const brace = cursor.expect("{", `"{" is missing after ${after}`, fix)
  return context.parseBlock(cursor, context.namespace, brace.start)
}
