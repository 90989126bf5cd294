// Elements whose name is an expression, <{tag}>: which names it may give, and how their attributes are escaped. The
// compiler and the runtime ask. Nothing in these elements is read in a way of its own: no scripts, no void elements.

import { type AttributeKind, attributeKind } from "./attributes.ts"

/** The names that an element's name may be an expression for. */
export const elementNames = [
  ...(["h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "section", "article", "aside", "header"] as const),
  ...(["footer", "main", "nav", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody"] as const),
  ...(["tfoot", "tr", "th", "td", "caption", "figure", "figcaption", "blockquote", "span"] as const),
  ...(["strong", "em", "b", "i", "small", "mark", "code"] as const),
] as const

/** A name that `<{tag}>` takes. */
export type ElementName = (typeof elementNames)[number]

/** The kind of an attribute that suits every element of the list: the strictest. `name` is lower-cased. */
export function namedAttributeKind(name: string): AttributeKind {
  for (const element of elementNames) {
    const kind = attributeKind(element, name)
    if (kind !== "plain") return kind
  }
  return "plain"
}
