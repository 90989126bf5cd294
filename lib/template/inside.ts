/** The blocks inside a construct in braces. */

import type { Node } from "./ast.ts"
import type { BlockParser, Cursor } from "./cursor.ts"
import type { Space } from "./elements.ts"

/** The surroundings of a block: its space, and the parser of its markup. */
export interface Inside {
  readonly space: Space
  readonly block: BlockParser
}

/** Parses a block with its braces. `after` is what comes before it, for the error of a missing brace. */
export function parseBody(cursor: Cursor, after: string, { space, block }: Inside): Node[] {
  const fix = `Write the markup of a block in its braces: ${after} { <p>…</p> }.`
  const brace = cursor.expect("{", `"{" is missing after ${after}`, fix)
  return block(cursor, space, brace.start)
}
