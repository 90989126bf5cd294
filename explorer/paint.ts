/** Shows JSON in colours and marks mismatches. */

import { h } from "./dom.ts"
import type { Mismatch } from "./find-mismatches.ts"

/** Maximum length of a text that is shown in colours. */
export const maxPaintedChars = 100_000

/** Returns JSON in colours: names, strings, numbers and literals. Other text is returned without colours. */
export function paintJSON(text: string, type: string): Node[] {
  if (!/json/.test(type) || text.length > maxPaintedChars) return [document.createTextNode(text)]
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(-?\d[\d.eE+-]*|true|false|null)\b/g
  const nodes: Node[] = []
  let at = 0
  for (const match of text.matchAll(token)) {
    nodes.push(document.createTextNode(text.slice(at, match.index)))
    const kind = match[2] !== undefined ? "key" : match[1] !== undefined ? "string" : "word"
    nodes.push(h("span", { class: `j-${kind}` }, match[1] ?? match[3] ?? ""))
    if (match[2]) nodes.push(document.createTextNode(match[2]))
    at = match.index + match[0].length
  }
  nodes.push(document.createTextNode(text.slice(at)))
  return nodes
}

/** Returns a value as indented JSON, in which the mismatches are marked. */
export function paintValue(value: unknown, misfits: readonly Mismatch[]): Node[] {
  const nodes: Node[] = []
  writeValue(value, misfits, "", nodes)
  return nodes
}

/**
 * Adds a value to `nodes`, as indented JSON.
 *
 * @param misfits the mismatches in this value, with paths that are relative to it.
 */
function writeValue(value: unknown, misfits: readonly Mismatch[], indent: string, nodes: Node[]): void {
  const ownMisfits = misfits.filter(({ path }) => path.length === 0)
  const valueNodes: Node[] = []
  if (typeof value === "object" && value !== null) writeEntries(value, misfits, indent, valueNodes)
  else valueNodes.push(h("span", { class: typeof value === "string" ? "j-string" : "j-word" }, JSON.stringify(value)))
  if (ownMisfits.length === 0) nodes.push(...valueNodes)
  else
    nodes.push(h("mark", { class: "misfit", title: ownMisfits.map(({ message }) => message).join("; ") }, valueNodes))
}

function writeEntries(value: object, misfits: readonly Mismatch[], indent: string, nodes: Node[]): void {
  const isList = Array.isArray(value)
  const [open, close] = isList ? ["[", "]"] : ["{", "}"]
  const parts = Object.entries(value)
  const text = (words: string) => nodes.push(document.createTextNode(words))
  text(open)
  for (const [i, [name, one]] of parts.entries()) {
    text(`${i > 0 ? "," : ""}\n${indent}  `)
    if (!isList) nodes.push(h("span", { class: "j-key" }, JSON.stringify(name)), document.createTextNode(": "))
    const innerMisfits = misfits.filter(({ path }) => path.length > 0 && String(path[0]) === name)
    writeValue(
      one,
      innerMisfits.map(({ path, message }) => ({ path: path.slice(1), message })),
      `${indent}  `,
      nodes,
    )
  }
  text(parts.length > 0 ? `\n${indent}${close}` : close)
}
