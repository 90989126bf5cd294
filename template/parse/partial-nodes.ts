/** Keeps what the parsers read before an error, so that editors have types in a broken template. */

import type { BracedNode, Code, Node } from "../ast.ts"
import { Problem } from "../diagnostic.ts"

/**
 * Calls `read`. If it fails, the error gets the nodes that `wrap` returns.
 *
 * @param wrap puts the nodes that `read` has read before the error into the nodes around them.
 * @throws Problem as `read` does.
 */
export function keepPartialNodes<T>(read: () => T, wrap: (nodes: readonly Node[]) => readonly Node[]): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Problem) error.partialNodes = wrap(error.partialNodes)
    throw error
  }
}

/** Returns code as a node of a broken template. */
export function toUnfinishedNodes(code: Code | undefined): Node[] {
  return code ? [{ kind: "unfinished", code, start: code.start, end: code.end }] : []
}

/** Returns the code that could not be read to its end, if nothing else was read. */
export function findUnfinishedCode([node]: readonly Node[]): Code | undefined {
  return node?.kind === "unfinished" ? node.code : undefined
}

/** The place of a block in a broken template, which has no end. */
export const unknownSpan: BracedNode = { start: 0, end: 0, blocks: [] }
