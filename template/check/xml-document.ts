/**
 * Checks a template that is a whole XML document, which begins with an XML declaration. It must have one root, and each
 * prefix must be declared. A template without a declaration is part of another document, which may have the root and
 * the declarations.
 */

import type { ElementNode, Node } from "../ast.ts"
import { Problem } from "../diagnostic.ts"
import { getChildBlocks } from "./node-facts.ts"

/** Checks a document. @throws Problem if an XML parser could not read it. */
export function checkDocument(body: readonly Node[]): void {
  const [first] = body
  if (first?.kind !== "verbatim" || !first.text.startsWith("<?xml")) return
  let root: ElementNode | undefined
  for (const node of body) {
    if (node.kind !== "element") continue
    if (root) {
      const fix = `Put it into <${root.name}>.`
      throw new Problem(node.start, "an XML document has one root element", fix)
    }
    root = node
  }
  checkPrefixes(body, new Set(["xml"]))
}

/**
 * Checks prefixes. The children of a component are not checked, because the component may declare their prefixes.
 */
function checkPrefixes(nodes: readonly Node[], declared: ReadonlySet<string>): void {
  for (const node of nodes) {
    if (node.kind === "element") checkElement(node, declared)
    else if (node.kind !== "component") for (const block of getChildBlocks(node)) checkPrefixes(block, declared)
  }
}

function checkElement({ name, start, attributes, children }: ElementNode, outerPrefixes: ReadonlySet<string>): void {
  const namedAttributes = attributes.flatMap((one) => (one.kind === "spread" ? [] : [one]))
  const newPrefixes = namedAttributes.flatMap((one) =>
    one.name.startsWith("xmlns:") ? [one.name.slice("xmlns:".length)] : [],
  )
  const declaredPrefixes = newPrefixes.length > 0 ? new Set([...outerPrefixes, ...newPrefixes]) : outerPrefixes
  for (const item of [{ name, start }, ...namedAttributes]) {
    const colon = item.name.indexOf(":")
    const prefix = item.name.slice(0, Math.max(colon, 0))
    if (prefix === "" || prefix === "xmlns" || declaredPrefixes.has(prefix)) continue
    const fix = `Declare it on an element around it: xmlns:${prefix}="…".`
    throw new Problem(item.start, `the prefix "${prefix}" has no namespace`, fix)
  }
  checkPrefixes(children, declaredPrefixes)
}
