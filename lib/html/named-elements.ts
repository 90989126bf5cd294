/**
 * Elements whose name is an expression, <{tag}>: the allowed names, and the escaping of their attributes.
 * None of these elements has special content: no scripts, no void elements.
 */

import { type AttributeKind, attributeKind } from "./attributes.ts"

/** Names that such an expression may return. */
export const elementNames = [
  ...(["h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "section", "article", "aside", "header"] as const),
  ...(["footer", "main", "nav", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody"] as const),
  ...(["tfoot", "tr", "th", "td", "caption", "figure", "figcaption", "blockquote", "span"] as const),
  ...(["strong", "em", "b", "i", "small", "mark", "code"] as const),
] as const

/** A name that `<{tag}>` accepts. */
export type ElementName = (typeof elementNames)[number]

/**
 * Returns the kind of an attribute that is safe for every element of the list: the strictest. `name` is in
 * lower case.
 */
export function namedAttributeKind(name: string): AttributeKind {
  for (const element of elementNames) {
    const kind = attributeKind(element, name)
    if (kind !== "plain") return kind
  }
  return "plain"
}
