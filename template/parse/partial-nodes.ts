/** Keeps what was read before an error, so that editors know types even in a broken template. */

import type { BracedNode, Code, Node } from "../ast.ts"
import { Problem } from "../diagnostic.ts"

/**
 * Calls `read`. If it throws, the error gets the nodes that `wrap` returns.
 *
 * @param wrap puts the nodes that were read before the error into the nodes around them.
 * @throws the Problem of `read`.
 */
export function keepPartialNodes<T>(read: () => T, wrap: (nodes: readonly Node[]) => readonly Node[]): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Problem) error.partialNodes = wrap(error.partialNodes)
    throw error
  }
}

/** Returns a node for code of a broken template. */
export function toUnfinishedNodes(code: Code | undefined): Node[] {
  return code ? [{ kind: "unfinished", code, start: code.start, end: code.end }] : []
}

/** Returns the code of nodes that begin with unfinished code; undefined for other nodes. */
export function findUnfinishedCode([node]: readonly Node[]): Code | undefined {
  return node?.kind === "unfinished" ? node.code : undefined
}

/** The range of a block in a broken template whose end is unknown. */
export const unknownSpan: BracedNode = { start: 0, end: 0, blocks: [] }
