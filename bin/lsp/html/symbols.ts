/** Converts the structure of a template to symbols (LSP 3.17, DocumentSymbol and SymbolInformation). */

import type { Range } from "../protocol.ts"
import type { SourceText } from "../source-text.ts"
import type { OutlineNode } from "./outline.ts"

/** Values of SymbolKind in the protocol. */
const symbolKinds = { template: 12, element: 8 } as const
/**
 * The depth up to which symbols are returned. Editors do not show more, and an invalid file may be nested very
 * deeply.
 */
const maxDepth = 100

/** A symbol and the symbols inside it. */
export interface DocumentSymbol {
  readonly name: string
  readonly kind: number
  readonly range: Range
  readonly selectionRange: Range
  readonly children: readonly DocumentSymbol[]
}

/**
 * Returns the templates and their elements. Blocks are left out, so their elements belong to the node around the
 * block.
 */
export function toSymbols(nodes: readonly OutlineNode[], text: SourceText, depth = 0): DocumentSymbol[] {
  if (depth > maxDepth) return []
  return nodes.flatMap((node) => {
    const { kind, start, end, names, children } = node
    if (kind === "comment") return []
    const inner = toSymbols(children, text, depth + 1)
    if (kind !== "template" && kind !== "element") return inner
    const [first = { start, end: start }] = names
    return {
      name: toSymbolName(node, text.value),
      kind: symbolKinds[kind],
      range: text.toRange(start, end),
      selectionRange: text.toRange(first.start, first.end),
      children: inner,
    }
  })
}

/** Returns symbols as a flat list, for editors that do not support a tree. */
export function flattenSymbols(symbols: readonly DocumentSymbol[], uri: string, containerName?: string): object[] {
  return symbols.flatMap(({ name, kind, range, children }) => [
    { name, kind, location: { uri, range }, ...(containerName !== undefined && { containerName }) },
    ...flattenSymbols(children, uri, name),
  ])
}

/** Returns the name of a symbol. The name of an element includes its id and classes, as in CSS. */
function toSymbolName({ kind, start, inner, names: [name] }: OutlineNode, source: string): string {
  const own = name ? source.slice(name.start, name.end) : ""
  if (kind !== "element" || !name) return own
  const tag = source.slice(name.end, Math.max(name.end, Math.min(inner.start, start + 1000)))
  const id = /\sid="([^"{}\s]+)"/.exec(tag)?.[1]
  const classes = /\sclass="([^"{}]+)"/.exec(tag)?.[1]?.trim().split(/\s+/) ?? []
  return [own, id && `#${id}`, ...classes.map((one) => `.${one}`)].join("")
}
