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
  const own = namedAttributes.flatMap((one) => (one.name.startsWith("xmlns:") ? [one.name.slice("xmlns:".length)] : []))
  const declaredPrefixes = own.length > 0 ? new Set([...outerPrefixes, ...own]) : outerPrefixes
  for (const used of [{ name, start }, ...namedAttributes]) {
    const colon = used.name.indexOf(":")
    const prefix = used.name.slice(0, Math.max(colon, 0))
    if (prefix === "" || prefix === "xmlns" || declaredPrefixes.has(prefix)) continue
    const fix = `Declare it on an element around it: xmlns:${prefix}="…".`
    throw new Problem(used.start, `the prefix "${prefix}" has no namespace`, fix)
  }
  checkPrefixes(children, declaredPrefixes)
}
