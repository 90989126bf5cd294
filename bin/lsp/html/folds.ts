/** The parts of a template that an editor can fold (LSP 3.17, FoldingRange). */

import type { Text } from "../text.ts"
import type { OutlineNode } from "./outline.ts"

/** Lines that fold: the first one stays. */
export interface Fold {
  readonly startLine: number
  readonly endLine: number
  readonly kind?: "comment"
}

/** Returns the folds of templates, elements, the parts of blocks, and comments. The line of the end stays. */
export function foldsOf(nodes: readonly OutlineNode[], text: Text): Fold[] {
  const folds = new Map<number, Fold>()
  const left = [...nodes]
  for (let node = left.pop(); node; node = left.pop()) {
    left.push(...node.children)
    const isComment = node.kind === "comment"
    if (node.kind === "block") continue
    const startLine = text.positionAt(node.start).line
    const last = text.positionAt(isComment ? node.end : node.inner.end).line
    const endLine = isComment ? last : last - 1
    const known = folds.get(startLine)
    // One fold for each line: the longest.
    if (endLine > startLine && (!known || known.endLine < endLine))
      folds.set(startLine, { startLine, endLine, ...(isComment && { kind: "comment" }) })
  }
  return [...folds.values()].sort((a, b) => a.startLine - b.startLine)
}
