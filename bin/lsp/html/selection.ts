/** Finds the ranges for "expand selection" (LSP 3.17, SelectionRange). */

import type { OpenTemplate, Selection } from "../feature.ts"
import type { OutlineNode } from "./outline.ts"
import type { Span } from "./shadow-parts.ts"

const wordCharacter = /[\p{L}\p{N}_$-]/u

/** Returns the word at an offset and the ranges around it: code and elements, up to the whole file. */
export function findSelection(open: OpenTemplate, nodes: readonly OutlineNode[], offset: number): Selection {
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
