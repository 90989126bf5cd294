/** Completes names of the template and of the project in CSS: classes, ids and custom properties. */

import type { OpenTemplate } from "../feature.ts"
import type { Position, Range } from "../protocol.ts"
import type { PartDocument } from "./part-document.ts"
import { findStyleNames, type ProjectStyles } from "./project-styles.ts"

/** A completion item (LSP 3.17, CompletionItem). */
export interface NameItem {
  readonly label: string
  readonly kind: number
  readonly textEdit: { readonly range: Range; readonly newText: string }
}

/** Values of CompletionItemKind in the protocol. */
const completionKinds = { variable: 6, keyword: 14 }
const customProperty = /var\(\s*((?:-[\w-]*)?)$/
const selectorWord = /[.#]?(?:[\w-]|\P{ASCII})*$/u
const classAttribute = /\sclass\s*=\s*(?:"([^"]*)"|'([^']*)'|(\{[^{}]*\}))/g
const stringLiteral = /"([^"\n]*)"|'([^'\n]*)'|`([^`$\n]*)`/g
const idAttribute = /\sid\s*=\s*(?:"([^"{]*)"|'([^'{]*)')/g
const objectProperty = /["'](--[\w-]+)["']\s*:/g

/**
 * Returns the names that can be used at a position.
 *
 * @param isSelector true where a selector can be.
 */
export async function findOwnNames(
  open: OpenTemplate,
  documents: readonly PartDocument[],
  document: PartDocument,
  position: Position,
  isSelector: boolean,
  styles: ProjectStyles,
): Promise<NameItem[]> {
  const before = document.getTextBefore(position)
  const [, typedProperty] = customProperty.exec(before) ?? []
  if (typedProperty !== undefined) {
    const { properties } = await styles.read()
    const own = findStyleNames(documents.map((one) => one.getText())).properties
    const inObjects = [...open.text.value.matchAll(objectProperty)].map(([, name = ""]) => name)
    return toItems([...own, ...inObjects, ...properties], typedProperty, position, completionKinds.variable)
  }
  if (!isSelector) return []
  const [word = ""] = selectorWord.exec(before) ?? []
  return toItems(findSelectors(open.text.value), word, position, completionKinds.keyword)
}

/** Returns the classes and ids in a source, as selectors. */
function findSelectors(source: string): string[] {
  const values = [...source.matchAll(classAttribute)].flatMap(([, double, single, code]) => {
    if (code === undefined) return [double ?? single ?? ""]
    return [...code.matchAll(stringLiteral)].map(([, a, b, c]) => a ?? b ?? c ?? "")
  })
  const names = values.flatMap((value) => value.split(/\s+/)).filter((name) => name !== "")
  const found = [...source.matchAll(idAttribute)].map(([, double, single]) => double ?? single ?? "")
  return [
    ...names.map((name) => `.${escapeName(name)}`),
    ...found.filter((id) => id !== "").map((id) => `#${escapeName(id)}`),
  ]
}

/** Escapes a name for CSS (CSSOM 1, serialize an identifier), such as `w-1\/2`. */
function escapeName(name: string): string {
  const start = /^-?\d/.exec(name)?.[0].slice(-1)
  const rest = name.replace(/[^\w-]/g, (found) => (found > "\x7f" ? found : `\\${found}`))
  return start === undefined ? rest : rest.replace(start, `\\3${start} `)
}

function toItems(names: readonly string[], word: string, end: Position, kind: number): NameItem[] {
  const range = { start: { line: end.line, character: end.character - word.length }, end }
  return [...new Set(names)].map((label) => ({ label, kind, textEdit: { range, newText: label } }))
}
