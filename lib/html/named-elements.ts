/**
 * Elements whose name is an expression, `<{tag}>`: the allowed names, and the escaping of their attributes. No script
 * and no void element is allowed, so all of them have ordinary content.
 */

import { type AttributeKind, getAttributeKind } from "./attributes.ts"

/** The names that the expression may return. */
export const elementNames = [
  ...(["h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "section", "article", "aside", "header"] as const),
  ...(["footer", "main", "nav", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody"] as const),
  ...(["tfoot", "tr", "th", "td", "caption", "figure", "figcaption", "blockquote", "span"] as const),
  ...(["strong", "em", "b", "i", "small", "mark", "code"] as const),
] as const

/** A name that `<{tag}>` accepts. */
export type ElementName = (typeof elementNames)[number]

/**
 * Returns the kind of an attribute that is safe on every allowed element, which is the strictest one. `name` is in
 * lower case.
 */
export function getNamedAttributeKind(name: string): AttributeKind {
  for (const element of elementNames) {
    const kind = getAttributeKind(element, name)
    if (kind !== "plain") return kind
  }
  return "plain"
}

/** The type that `<{tag}>` accepts: a union of allowed names. `any` is refused. */
type TagName<T> = 0 extends 1 & T ? never : [T] extends [ElementName] ? T : ElementName

/** Checks and returns the name for `<{tag}>`. */
export function $fwTag<const T>(name: TagName<T>): string {
  const uncheckedName: unknown = name
  if ((elementNames as readonly unknown[]).includes(uncheckedName)) return uncheckedName as ElementName
  const text = typeof uncheckedName === "string" ? `"${uncheckedName.slice(0, 40)}"` : typeof uncheckedName
  throw new TypeError(`The name of an element cannot be ${text}. It is one of these: ${elementNames.join(", ")}.`)
}
