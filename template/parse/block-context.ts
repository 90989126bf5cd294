/** Parses the blocks inside of braces, such as `{if (…) { … }}`. */

import type { Node } from "../ast.ts"
import type { Namespace } from "../check/elements.ts"
import type { BlockParser, Cursor } from "./cursor.ts"

/** What is needed to parse a block: its namespace, and the parser of markup. */
export interface BlockContext {
  readonly namespace: Namespace
  readonly parseBlock: BlockParser
}

/** Parses a block with its braces. `after` is the text before it, for the error about a missing brace. */
export function parseBody(cursor: Cursor, after: string, context: BlockContext): Node[] {
  const block = `${after} { <p>…</p> }`
  const form = /^(?:if|for)\b/.test(after) ? `{${block}}` : block
  const fix = `Write the markup of a block in its braces: ${form}.`
  const brace = cursor.expect("{", `"{" is missing after ${after}`, fix)
  return context.parseBlock(cursor, context.namespace, brace.start)
}
