/** The templates, elements and blocks of a source as a tree, for everything that an editor shows of its structure. */

import { voidElements } from "../../../lib/template/elements.ts"
import type { Part, Shadow, Tag } from "./shadow-parts.ts"

/** A part of the tree. Parts in it are within its own offsets. */
export interface OutlineNode extends Part {
  readonly kind: "template" | "element" | "block" | "body" | "comment"
  /** The content, without tags and braces. Empty if there is none. */
  readonly inner: Part
  /** The places of the name: in both tags of an element. */
  readonly names: readonly Part[]
  readonly children: readonly OutlineNode[]
}

interface Building extends OutlineNode {
  start: number
  end: number
  inner: { readonly start: number; end: number }
  readonly names: Part[]
  readonly children: Building[]
}

/** Returns the templates, with everything in them. */
export function outlineOf(shadow: Shadow, source: string): readonly OutlineNode[] {
  const all = { start: 0, end: source.length }
  const root = node("body", all, all)
  const open = [root]
  for (const found of eventsOf(shadow)) {
    leave(open, found.start)
    const outer = open.at(-1) as Building
    if (!("children" in found) && found.kind === "end") close(open, found, source)
    else {
      const made = "children" in found ? found : begun(found, outer, source)
      outer.children.push(made)
      if (made.inner.start < made.inner.end && open.length < deepest) open.push(made)
    }
  }
  return root.children
}

/** Levels that are read. A file with an error may have very many, and each end tag looks through those that are open. */
const deepest = 500

/** Everything that begins, in its order; of what begins at one place, the outer first. */
function eventsOf({ text: { length }, bodies, blocks, tags }: Shadow): readonly (Building | Tag)[] {
  const templates = bodies.map(({ keyword, name, start, end }) =>
    node("template", { start: keyword, end: Math.min(end + 1, length) }, { start, end }, [name]),
  )
  const parts = blocks.flatMap(({ start, end, bodies }) => [
    node("block", { start, end }, { start, end }),
    ...bodies.map((body) => node("body", body, body)),
  ])
  return [...templates, ...parts, ...tags].sort((a, b) => a.start - b.start || b.end - a.end)
}

function node(kind: OutlineNode["kind"], { start, end }: Part, inner: Part, names: Part[] = []): Building {
  return { kind, start, end, inner: { start: inner.start, end: inner.end }, names, children: [] }
}

function empty(at: number): Part {
  return { start: at, end: at }
}

/** A comment, or an element whose end is not known yet: until its end tag it goes as far as what it is in. */
function begun(tag: Tag, { inner }: Building, source: string): Building {
  if (tag.kind === "comment") return node("comment", tag, empty(tag.end))
  const name = source.slice(tag.name.start, tag.name.end).toLowerCase()
  const isWhole = tag.isClosed || voidElements.has(name)
  const end = isWhole ? tag.end : inner.end
  return node("element", { start: tag.start, end }, isWhole ? empty(tag.end) : { start: tag.end, end }, [
    tag.name,
  ])
}

/** Leaves what has ended before an offset. */
function leave(open: Building[], offset: number): void {
  while (open.length > 1 && (open.at(-1)?.inner.end ?? 0) <= offset) open.pop()
}

/** Ends the innermost element with this name, and those in it that lack an end tag. Never one outside the block. */
function close(open: Building[], tag: Tag, source: string): void {
  const name = source.slice(tag.name.start, tag.name.end)
  const nameOf = ({ names: [first] }: Building) => first && source.slice(first.start, first.end)
  const at = open.findLastIndex((one) => one.kind !== "element" || nameOf(one) === name)
  if (open[at]?.kind !== "element") return
  const [closed, ...unclosed] = open.splice(at)
  for (const one of unclosed) {
    one.inner.end = tag.start
    one.end = tag.start
  }
  if (!closed) return
  closed.inner.end = tag.start
  closed.end = tag.end
  closed.names.push(tag.name)
}
