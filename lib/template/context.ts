// Decides how each dynamic attribute is escaped, and refuses the places that cannot be made safe; the
// tag parser asks once a tag is whole, because attributes change each other's meaning.

import { type AttributeKind, attributeKind, attributeName } from "./attributes.ts"
import { Problem } from "./diagnostic.ts"
import type { Token } from "./lexer.ts"
import { namedAttributeKind } from "./named-elements.ts"
import { isLiteralOnly, type Key } from "./outcomes.ts"

/** What the decision needs of an attribute. */
export interface Written {
  readonly name: string
  readonly start: number
  /** The text between the quotes of a literal value; undefined for a dynamic one. */
  readonly literal: string | undefined
  /** The tokens of a dynamic value. */
  readonly tokens: readonly Token[]
}

const listener =
  "Write it literally, or choose among literals; put a value into a data- attribute and read it in a script."

const advice: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:data-)?on[a-z]/,
    "Put the value into a data- attribute and read it in an event listener in a <script>.",
  ],
  [/^(?:data-)?hx-vars$/, "Use hx-vals={{ name: value }}."],
  [
    /^(?:data-)?hx-trigger$/,
    'Write each case literally: hx-trigger="click", or hx-trigger={last && "revealed"}.',
  ],
  [/^(?:data-)?hx-status/, 'Write it literally: hx-status:404="swap:none", or choose among literals.'],
  [/^(?:data-)?srcdoc$/, "Serve the document from a route of its own and use src={url}."],
  [/^content$/, "Send the header from the route: c.setHeader(name, value)."],
  [/^(?:attributename|to|from|by|values)$/, "Write attributeName literally, naming no link and no event."],
]

function fixFor(name: string): string {
  return advice.find(([pattern]) => pattern.test(name))?.[1] ?? listener
}

/** Animations may set any attribute: they are plain only where a literal name says that it is harmless. */
function animatesSafely(name: string, all: readonly Written[]): boolean {
  if (name === "attributename") return false
  const target = all
    .find((other) => other.name.toLowerCase() === "attributename")
    ?.literal?.toLowerCase()
    .trim()
  return (
    target !== undefined &&
    /^[a-z][a-z-]*$/.test(target) &&
    /^(?:plain|paint)$/.test(attributeKind("", target))
  )
}

function kindOf(element: string, name: string, all: readonly Written[]): AttributeKind {
  if (element.startsWith("{")) return namedAttributeKind(name)
  return attributeKind(element, name, all.find((other) => other.name.toLowerCase() === "rel")?.literal)
}

/**
 * Throws for a key of a spread object that is written out and that no spread may print.
 *
 * @param all what is written in the tag, whose names win.
 */
export function checkKey(element: string, key: Key, all: readonly Written[]): void {
  const name = key.name.toLowerCase()
  const refused = `"${key.name}" is evaluated as code and cannot be spread`
  if (kindOf(element, name, all) === "code") throw new Problem(key.start, refused, fixFor(name))
  if (attributeName.test(name)) return
  throw new Problem(key.start, `"${key.name}" is not a name for an attribute`, "Rename it.")
}

/** The kind of a dynamic attribute of an element, whose name is lower-cased or stands in braces, among all that are written in its tag. */
export function decide(element: string, attribute: Written, all: readonly Written[]): AttributeKind {
  const name = attribute.name.toLowerCase()
  const kind = kindOf(element, name, all)
  const isLiteral = isLiteralOnly(attribute.tokens)
  if (!isLiteral && name === "content" && all.some((other) => other.name.toLowerCase() === "http-equiv")) {
    throw new Problem(attribute.start, '"content" beside "http-equiv" takes no expression', fixFor(name))
  }
  if (kind !== "code") return kind
  // The author wrote every value that it can have.
  if (isLiteral) return "plain"
  const isAnimation = attributeKind("", name) !== "code"
  // What is harmless as paint is so as plain text, and a list of values besides.
  if (isAnimation && animatesSafely(name, all)) return "paint"
  throw new Problem(
    attribute.start,
    `"${attribute.name}" is evaluated as code and takes no expression`,
    fixFor(name),
  )
}
