/**
 * Elements whose name is an expression, <{tag}>: the allowed names, and the escaping of their attributes.
 * None of these elements has special content: no scripts, no void elements.
 */

import { type AttributeKind, getAttributeKind } from "./attributes.ts"

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
export function getNamedAttributeKind(name: string): AttributeKind {
  for (const element of elementNames) {
    const kind = getAttributeKind(element, name)
    if (kind !== "plain") return kind
  }
  return "plain"
}

/** The type that `<{tag}>` accepts: a union of literal names from the list. `any` is refused. */
type TagName<T> = 0 extends 1 & T ? never : [T] extends [ElementName] ? T : ElementName

/** Returns the name of an element whose name is an expression. */
export function $fwTag<const T>(name: TagName<T>): string {
  const given: unknown = name
  if ((elementNames as readonly unknown[]).includes(given)) return given as ElementName
  const text = typeof given === "string" ? `"${given.slice(0, 40)}"` : typeof given
  throw new TypeError(`The name of an element cannot be ${text}. It is one of these: ${elementNames.join(", ")}.`)
}
