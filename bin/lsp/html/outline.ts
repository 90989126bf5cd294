/** Builds a tree of the templates, elements and blocks of a source. All features that show the structure use it. */

import { voidElements } from "../../../template/check/elements.ts"
import type { Shadow, Span, Tag } from "./shadow-parts.ts"

/** A node of the tree. Its children are inside its own range. */
export interface OutlineNode extends Span {
  readonly kind: "template" | "element" | "block" | "body" | "comment"
  /** The content without tags and braces. Empty if there is none. */
  readonly inner: Span
  /** The ranges of the name. An element has its name in both tags. */
  readonly names: readonly Span[]
  readonly children: readonly OutlineNode[]
}

interface MutableNode extends OutlineNode {
  start: number
  end: number
  inner: { readonly start: number; end: number }
  readonly names: Span[]
  readonly children: MutableNode[]
}

/** Returns the templates with everything inside them. */
export function buildOutline(shadow: Shadow, source: string): readonly OutlineNode[] {
  const all = { start: 0, end: source.length }
  const root = createNode("body", all, all)
  const openNodes = [root]
  for (const found of listEvents(shadow)) {
    removeEndedNodes(openNodes, found.start)
    const outer = openNodes.at(-1) as MutableNode
    if (!("children" in found) && found.kind === "end") closeElement(openNodes, found, source)
    else {
      const created = "children" in found ? found : toOpenNode(found, outer, source)
      outer.children.push(created)
      if (created.inner.start < created.inner.end && openNodes.length < maxDepth) openNodes.push(created)
    }
  }
  return root.children
}

/**
 * The depth up to which the tree is built. An invalid file may be nested very deeply, and each end tag searches all
 * open levels.
 */
const maxDepth = 500

/** Returns the starts of all nodes, in order. If several start at one offset, the outer one comes first. */
function listEvents({ text: { length }, bodies, blocks, tags }: Shadow): readonly (MutableNode | Tag)[] {
  const templates = bodies.map(({ keywordStart, name, start, end }) =>
    createNode("template", { start: keywordStart, end: Math.min(end + 1, length) }, { start, end }, [name]),
  )
  const parts = blocks.flatMap(({ start, end, bodies }) => [
    createNode("block", { start, end }, { start, end }),
    ...bodies.map((body) => createNode("body", body, body)),
  ])
  return [...templates, ...parts, ...tags].sort((a, b) => a.start - b.start || b.end - a.end)
}

function createNode(kind: OutlineNode["kind"], { start, end }: Span, inner: Span, names: Span[] = []): MutableNode {
  return { kind, start, end, inner: { start: inner.start, end: inner.end }, names, children: [] }
}

function toEmptySpan(at: number): Span {
  return { start: at, end: at }
}

/**
 * Creates the node of a comment, or of an element whose end tag was not found yet. Until then, it ends where its
 * parent ends.
 */
function toOpenNode(tag: Tag, { inner }: MutableNode, source: string): MutableNode {
  if (tag.kind === "comment") return createNode("comment", tag, toEmptySpan(tag.end))
  const name = source.slice(tag.name.start, tag.name.end).toLowerCase()
  const isWhole = tag.isSelfClosed || voidElements.has(name)
  const end = isWhole ? tag.end : inner.end
  return createNode("element", { start: tag.start, end }, isWhole ? toEmptySpan(tag.end) : { start: tag.end, end }, [
    tag.name,
  ])
}

/** Removes the open nodes that end before an offset. */
function removeEndedNodes(openNodes: MutableNode[], offset: number): void {
  while (openNodes.length > 1 && (openNodes.at(-1)?.inner.end ?? 0) <= offset) openNodes.pop()
}

/**
 * Closes the innermost element with a name, and the elements inside it that have no end tag. Elements outside the
 * block are not closed.
 */
function closeElement(openNodes: MutableNode[], tag: Tag, source: string): void {
  const name = source.slice(tag.name.start, tag.name.end)
  const readName = ({ names: [first] }: MutableNode) => first && source.slice(first.start, first.end)
  const at = openNodes.findLastIndex((one) => one.kind !== "element" || readName(one) === name)
  if (openNodes[at]?.kind !== "element") return
  const [closed, ...unclosed] = openNodes.splice(at)
  for (const one of unclosed) {
    one.inner.end = tag.start
    one.end = tag.start
  }
  if (!closed) return
  closed.inner.end = tag.start
  closed.end = tag.end
  closed.names.push(tag.name)
}
