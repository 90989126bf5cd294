/**
 * Splits the content of an element or block into items and the gaps between them. White space that is printed may
 * become a line break. Where there is no white space, none is added. Where white space is not printed, lines may
 * break freely.
 */

import type { Node, Span } from "../../template/ast.ts"
import { findFirstToken } from "../../template/parse/code-reader.ts"
import { blankLine, concat, type Doc, fill, hardLine, line, softLine } from "./document.ts"
import type { TemplateSource } from "./template-source.ts"

/** What surrounds some content. It decides which white space is printed (`template/emit/whitespace.ts`). */
export type Edge = "template" | "block" | "element"

/** A word, a node or a comment. */
export interface ContentItem extends Span {
  readonly doc: Doc
  readonly kind: "word" | "inline" | "block" | "const" | "comment"
}

/**
 * The white space between two items. `glue`: there is none, and none may be added. `line`: it is printed as a
 * space. `hidden`: it is not printed. `space`: it is printed as a space unless it contains a line break.
 */
interface Gap {
  readonly kind: "glue" | "line" | "hidden" | "space"
  readonly isEmpty: boolean
  readonly breakCount: number
}

/** Content and the white space at its edges. */
export interface Content {
  readonly before: Doc
  /** The items. Those at odd positions are the lines between them. */
  readonly parts: readonly Doc[]
  readonly after: Doc
  /** True if the content must have a line break. */
  readonly mustBreak: boolean
}

const wordPattern = /[^ \t\n\r\f]+?(?=[ \t\n\r\f{]|<!--|$)/y
const blankRun = /[ \t\n\r\f]*/y

/** Returns the words and comments in the text between two nodes. */
export function readTextItems(source: TemplateSource, { start, end }: Span): ContentItem[] {
  const items: ContentItem[] = []
  const text = source.text.slice(0, end)
  for (let at = start; ; ) {
    blankRun.lastIndex = at
    blankRun.test(text)
    at = blankRun.lastIndex
    if (at >= end) return items
    const isBrace = text[at] === "{"
    const stop = isBrace
      ? (findFirstToken(text, at + 1).token?.end ?? end)
      : text.startsWith("<!--", at)
        ? text.indexOf("-->", at + 2) + 3
        : findWordEnd(text, at)
    const span = { start: at, end: stop }
    if (isBrace) items.push({ ...span, kind: "comment", doc: toBraceComment(source, span) })
    else if (text.startsWith("<!--", at)) items.push({ ...span, kind: "comment", doc: source.writeComment(span) })
    else items.push({ ...span, kind: "word", doc: text.slice(at, stop) })
    at = stop
  }
}

function findWordEnd(text: string, at: number): number {
  wordPattern.lastIndex = at
  return wordPattern.test(text) ? wordPattern.lastIndex : text.length
}

/** Formats a comment in braces. */
function toBraceComment(source: TemplateSource, { start, end }: Span): Doc {
  const inside = source.writeCode({ start: start + 1, end: end - 1 }, [], () => "")
  return concat("{", inside, "}")
}

/** Returns the items of some content, in the order of the source. */
export function readItems(
  source: TemplateSource,
  span: Span,
  nodes: readonly Node[],
  write: (node: Exclude<Node, { kind: "text" | "unfinished" }>) => ContentItem,
): ContentItem[] {
  const items: ContentItem[] = []
  let from = span.start
  for (const node of nodes) {
    if (node.kind === "text" || node.kind === "unfinished") continue
    items.push(...readTextItems(source, { start: from, end: node.start }), write(node))
    from = node.end
  }
  return [...items, ...readTextItems(source, { start: from, end: span.end })]
}

/** Returns the gaps before, between and after the items. */
function findGaps(source: TemplateSource, span: Span, items: readonly ContentItem[], edge: Edge): Gap[] {
  const texts = Array.from({ length: items.length + 1 }, (_, at) =>
    source.text.slice(items[at - 1]?.end ?? span.start, items[at]?.start ?? span.end),
  )
  const gaps: Gap[] = []
  let run: string[] = []
  texts.forEach((text, at) => {
    run.push(text)
    const next = items[at]
    // Constants and comments are not printed, so the white space on both sides of them is a single gap.
    if (next?.kind === "const" || next?.kind === "comment") return
    const kind = findGapKind(run.join(""), edge, gaps.length === 0 || next === undefined)
    gaps.push(
      ...run.map((one) => ({
        kind,
        isEmpty: one === "",
        breakCount: one.match(/\r\n|\n|\r/g)?.length ?? 0,
      })),
    )
    run = []
  })
  return gaps
}

function findGapKind(run: string, edge: Edge, isEdge: boolean): Gap["kind"] {
  if (isEdge && edge === "template") return "hidden"
  if (isEdge && edge === "block") return run === "" || /[\n\r]/.test(run) ? "hidden" : "space"
  return run === "" ? "glue" : "line"
}

/** Decides where the lines of some content may break and where they must. */
export function toContent(source: TemplateSource, span: Span, items: readonly ContentItem[], edge: Edge): Content {
  const gaps = findGaps(source, span, items, edge)
  const [first, last] = [gaps[0], gaps.at(-1)]
  if (!first || !last) return { before: "", parts: [], after: "", mustBreak: false }
  if (items.length === 0) return { before: "", parts: [], after: isPrinted(first) ? " " : "", mustBreak: false }
  const mayBreakAtEdges = isBreakable(first) && isBreakable(last)
  const parts: Doc[] = []
  let chunk: Doc[] = []
  items.forEach((item, at) => {
    const gap = gaps[at] ?? first
    const separator = at === 0 ? "" : findSeparator(at, items, gaps, mayBreakAtEdges, edge)
    if (typeof separator === "string") chunk.push(separator)
    else {
      parts.push(concat(...chunk), separator)
      chunk = []
    }
    if (gap.kind === "space" && at > 0 && !gap.isEmpty && separator === "") chunk.push(" ")
    chunk.push(item.doc)
  })
  parts.push(concat(...chunk))
  const before = toEdgeDoc(first, edge === "template" || first.breakCount > 0)
  return { before, parts, after: toEdgeDoc(last, false), mustBreak: fill(parts).mustBreak }
}

const isPrinted = ({ kind }: Gap): boolean => kind === "line" || kind === "space"
const isBreakable = ({ kind }: Gap): boolean => kind === "line" || kind === "hidden"

function toEdgeDoc(gap: Gap, isForced: boolean): Doc {
  if (gap.kind === "glue") return ""
  if (gap.kind === "space") return gap.isEmpty ? "" : " "
  if (isForced) return hardLine
  return gap.kind === "line" ? line : softLine
}

function findSeparator(
  at: number,
  items: readonly ContentItem[],
  gaps: readonly Gap[],
  mayBreakAtEdges: boolean,
  edge: Edge,
): Doc {
  const gap = gaps[at]
  if (!gap || !isBreakable(gap)) return ""
  if (gap.breakCount > 1) return blankLine
  if (gap.kind === "hidden") return hardLine
  const isForced = [at - 1, at].some((index) => {
    const item = items[index]
    if (item?.kind === "const") return true
    if (item?.kind === "comment" && gap.breakCount > 0) return true
    if (item?.kind === "block" && mayBreakAtEdges) return true
    return item?.kind !== "word" && hasOwnLines(index, items.length, gaps, edge)
  })
  return isForced ? hardLine : line
}

/** Returns true if an item is alone on its lines in the source. */
function hasOwnLines(index: number, count: number, gaps: readonly Gap[], edge: Edge): boolean {
  return [index, index + 1].every((at) => {
    const gap = gaps[at]
    const isOuter = edge === "template" && (at === 0 || at === count)
    return isOuter || (gap !== undefined && gap.breakCount > 0)
  })
}

/**
 * Puts content between tags or braces. If no line may break before the closing one, `close` stays next to the last
 * item.
 */
export function wrapContent({ before, parts, after }: Content, close: string): { inside: Doc; rest: Doc } {
  if (typeof after !== "string" || parts.length === 0) {
    return { inside: concat(before, fill(parts)), rest: concat(after, close) }
  }
  const last = concat(parts.at(-1) ?? "", after, close)
  return { inside: concat(before, fill([...parts.slice(0, -1), last])), rest: "" }
}
