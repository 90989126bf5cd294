/**
 * Answers requests about the structure of templates: symbols, folding, expanding selections, and renaming both tags
 * of an element.
 */
import { errorCodes, ResponseError } from "../../rpc/connection.ts"
import type { Feature, OpenTemplate, Selection } from "../feature.ts"
import type { DocumentParams, Position, Range } from "../protocol.ts"
import type { SourceText } from "../source-text.ts"
import type { TemplateFile } from "../template-file.ts"
import { buildOutline, type OutlineNode } from "./outline.ts"
import type { Span } from "./shadow-parts.ts"
import { flattenSymbols, toSymbols } from "./symbols.ts"

interface StructureParams extends DocumentParams {
  readonly positions?: readonly Position[]
  readonly newName?: string
}

/** Matches the name of an element in the template language. */
const tagName = /^[A-Za-z][^\s/>{}<"'=]*$/

/** Answers requests about the structure of templates. */
export class StructureFeature implements Feature {
  readonly #outlines = new WeakMap<TemplateFile, readonly OutlineNode[]>()
  #supportsTree = false
  readonly #answers: Readonly<Record<string, (open: OpenTemplate, params: StructureParams) => unknown>> = {
    documentSymbol: (open) => this.#findSymbols(open),
    foldingRange: (open) => findFolds(this.#getOutline(open), open.text),
    selectionRange: (open, { positions = [] }) =>
      positions.map((at) => findSelection(open, this.#getOutline(open), open.text.offsetAt(at))),
    linkedEditingRange: (open, params) => {
      const ranges = this.#findNameRanges(open, params)
      return ranges.length > 1 ? { ranges, wordPattern: tagName.source.slice(1, -1) } : undefined
    },
    documentHighlight: (open, params) => {
      const ranges = this.#findNameRanges(open, params)
      return ranges.length > 0 ? ranges.map((range) => ({ range, kind: 1 })) : undefined
    },
    prepareRename: (open, params) => this.#prepareRename(open, params),
    rename: (open, params) => this.#rename(open, params),
  }

  /** Reads the editor's capabilities. */
  initialize(params: unknown): void {
    const { capabilities } = (params ?? {}) as Capabilities
    this.#supportsTree = capabilities?.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true
  }

  /** Answers a request about a whole template, or about the tag at a position. */
  answer(method: string, params: StructureParams, open: OpenTemplate): unknown {
    return this.#answers[method.slice("textDocument/".length)]?.(open, params)
  }

  #getOutline({ template }: OpenTemplate): readonly OutlineNode[] {
    const known = this.#outlines.get(template) ?? buildOutline(template.shadow, template.source.value)
    this.#outlines.set(template, known)
    return known
  }

  #findSymbols(open: OpenTemplate): unknown {
    const symbols = toSymbols(this.#getOutline(open), open.text)
    return this.#supportsTree ? symbols : flattenSymbols(symbols, open.uri)
  }

  /** Returns the ranges of an element's name in both tags, if a position is in one of them. */
  #findNameRanges(open: OpenTemplate, { position }: StructureParams): Range[] {
    if (!position) return []
    const offset = open.text.offsetAt(position)
    let nodes = this.#getOutline(open)
    for (;;) {
      const found = nodes.find(({ start, end }) => start <= offset && offset <= end)
      if (!found) return []
      const isName = found.names.some(({ start, end }) => start <= offset && offset <= end)
      if (found.kind === "element" && isName) return found.names.map(({ start, end }) => open.text.toRange(start, end))
      nodes = found.children
    }
  }

  #prepareRename(open: OpenTemplate, params: StructureParams): unknown {
    const at = params.position && open.text.offsetAt(params.position)
    const range = this.#findNameRanges(open, params).find(
      ({ start, end }) => at !== undefined && open.text.offsetAt(start) <= at && at <= open.text.offsetAt(end),
    )
    if (!range) return undefined
    const [start, end] = [open.text.offsetAt(range.start), open.text.offsetAt(range.end)]
    return { range, placeholder: open.text.value.slice(start, end) }
  }

  #rename(open: OpenTemplate, params: StructureParams): unknown {
    const ranges = this.#findNameRanges(open, params)
    if (ranges.length === 0) return undefined
    const { newName = "" } = params
    if (!tagName.test(newName))
      throw new ResponseError(errorCodes.invalidParams, `"${newName}" is not a valid name of an element`)
    return { changes: { [open.uri]: ranges.map((range) => ({ range, newText: newName })) } }
  }
}

interface Capabilities {
  readonly capabilities?: {
    readonly textDocument?: {
      readonly documentSymbol?: { readonly hierarchicalDocumentSymbolSupport?: boolean }
    }
  }
}

/** A range of lines that can be folded. The first line stays visible. */
interface Fold {
  readonly startLine: number
  readonly endLine: number
  readonly kind?: "comment"
}

/**
 * Returns the folds for templates, elements, parts of blocks, and comments. The line with the end stays visible.
 */
function findFolds(nodes: readonly OutlineNode[], text: SourceText): Fold[] {
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

const wordCharacter = /[\p{L}\p{N}_$-]/u

/** Returns the word at an offset and the ranges around it: code and elements, up to the whole file. */
function findSelection(open: OpenTemplate, nodes: readonly OutlineNode[], offset: number): Selection {
  const { text, template } = open
  const parts: Span[] = [{ start: 0, end: text.value.length }]
  const containsOffset = ({ start, end }: Span) => start <= offset && offset <= end
  for (let found = nodes.find(containsOffset); found; found = found.children.find(containsOffset)) {
    parts.push(found)
    if (containsOffset(found.inner)) parts.push(found.inner)
    else parts.push(...template.shadow.tags.filter(containsOffset))
  }
  parts.push(...template.shadow.code.filter(containsOffset))
  const word = findWord(text.value, offset)
  if (word.start < word.end) parts.push(word)
  let selection: Selection | undefined
  let last: Span | undefined
  for (const part of parts) {
    const isSmaller = !last || part.end - part.start < last.end - last.start
    if (last && !(isSmaller && part.start >= last.start && part.end <= last.end)) continue
    const range = text.toRange(part.start, part.end)
    selection = selection ? { range, parent: selection } : { range }
    last = part
  }
  return selection as Selection
}

function findWord(text: string, offset: number): Span {
  let [start, end] = [offset, offset]
  while (start > 0 && wordCharacter.test(text[start - 1] ?? "")) start--
  while (end < text.length && wordCharacter.test(text[end] ?? "")) end++
  return { start, end }
}
