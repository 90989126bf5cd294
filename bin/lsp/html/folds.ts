/** Finds the ranges of a template that an editor can fold (LSP 3.17, FoldingRange). */

import type { SourceText } from "../source-text.ts"
import type { OutlineNode } from "./outline.ts"

/** A range of lines that can be folded. The first line stays visible. */
export interface Fold {
  readonly startLine: number
  readonly endLine: number
  readonly kind?: "comment"
}

/**
 * Returns the folds for templates, elements, parts of blocks, and comments. The line with the end stays visible.
 */
export function findFolds(nodes: readonly OutlineNode[], text: SourceText): Fold[] {
  const folds = new Map<number, Fold>()
  const queue = [...nodes]
  for (let node = queue.pop(); node; node = queue.pop()) {
    queue.push(...node.children)
    const isComment = node.kind === "comment"
    if (node.kind === "block") continue
    const startLine = text.positionAt(node.start).line
    const last = text.positionAt(isComment ? node.end : node.inner.end).line
    const endLine = isComment ? last : last - 1
    const known = folds.get(startLine)
    // If several folds start on a line, the longest one is used.
    if (endLine > startLine && (!known || known.endLine < endLine))
      folds.set(startLine, { startLine, endLine, ...(isComment && { kind: "comment" }) })
  }
  return [...folds.values()].sort((a, b) => a.startLine - b.startLine)
}
