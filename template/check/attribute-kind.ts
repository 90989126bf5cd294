/**
 * Decides how dynamic attributes are escaped, and refuses attributes whose values cannot be made safe. It needs the
 * whole tag, because attributes may change the meaning of others.
 */

import { type AttributeKind, attributeNamePattern, getAttributeKind } from "../../lib/html/attributes.ts"
import { configuresHTMX } from "../../lib/html/meta.ts"
import { getNamedAttributeKind } from "../../lib/html/named-elements.ts"
import { declaresNamespace, getLocalName, getXmlAttributeKind, xmlNamePattern } from "../../lib/html/xml-attributes.ts"
import { Problem } from "../diagnostic.ts"
import { isLiteralOnly, type LiteralKey } from "../emit/outcomes.ts"
import type { Token } from "../parse/lexer.ts"
import type { Language } from "./elements.ts"
import { listenerFix } from "./spellings.ts"

/** The parts of an attribute that decide its kind. */
export interface WrittenAttribute {
  readonly name: string
  readonly start: number
  /** The text between the quotes; undefined for a dynamic value. */
  readonly literal: string | undefined
  /** The tokens of a dynamic value. */
  readonly tokens: readonly Token[]
}

const codeAttributeFix =
  "Write it literally, or choose among literals; put a value into a data- attribute and read it in a script."

const attributeFixes: readonly (readonly [RegExp, string])[] = [
  [/^(?:data-)?on[a-z]/, `${listenerFix} A value for it goes into a data- attribute.`],
  [/^(?:@|v-on[:.])/, listenerFix],
  [/^v-(?:if|else|show)/, "Write {if (…) { … }} around the element."],
  [/^v-for$/, "Write {for (const item of items) { … }} around the element."],
  [/^v-(?:html|text)$/, "Print text between the tags, {value}, and trusted HTML with {raw(html)}."],
  [/^(?:v-bind[:.]|:)/, "Write the name without a prefix: href={url}."],
  [/^(?:data-)?hx-vars$/, "Use hx-vals={{ name: value }}."],
  [/^(?:data-)?hx-trigger$/, 'Write each case literally: hx-trigger="click", or hx-trigger={last && "revealed"}.'],
  [/^(?:data-)?hx-status/, 'Write it literally: hx-status:404="swap:none", or choose among literals.'],
  [/^(?:data-)?srcdoc$/, "Serve the document from a route of its own and use src={url}."],
  [/^content$/, "Send the header from the route: c.setHeader(name, value)."],
  [
    /^(?:attributename|to|from|by|values)$/,
    "Write attributeName literally, as an attribute that is not a link or an event.",
  ],
]

/** Returns how to write a value differently, for an attribute that is evaluated as code. */
export function findAttributeFix(name: string): string {
  return attributeFixes.find(([pattern]) => pattern.test(name))?.[1] ?? codeAttributeFix
}

/** An error message, and how to fix the error. */
interface Refusal {
  readonly message: string
  readonly fix: string
}

/** The facts about a tag that change the meaning of single attributes. */
export interface TagFacts {
  readonly language: Language
  /** The value of `rel`, if it is literal. */
  readonly rel: string | undefined
  readonly hasHttpEquiv: boolean
  /** Set if `content` must not have a dynamic value, because the `name` says, or may say, that it configures htmx. */
  readonly contentRefusal: Refusal | undefined
  /** The value of `attributeName` if it is literal, trimmed and in lower case. */
  readonly animatedName: string | undefined
}

/**
 * Returns why `content` of a tag cannot have a dynamic value; undefined if it can. A literal name is not decoded, so a
 * name with entities or escapes counts as unknown.
 */
function findContentRefusal(element: string, tagAttributes: readonly WrittenAttribute[]): Refusal | undefined {
  const name = tagAttributes.find((one) => one.name.toLowerCase() === "name")
  if (getLocalName(element).toLowerCase() !== "meta" || !name) return undefined
  const { literal, tokens } = name
  const nameText = literal ?? tokens.map(({ text }) => text).join(" ")
  if (/[&\\]/.test(nameText.replaceAll("&&", "")) || (literal === undefined && !isLiteralOnly(tokens))) {
    return {
      message:
        'the "content" of a <meta> takes no value where its "name" is not a literal: htmx may read its configuration there',
      fix: 'Write each name literally: <meta name="description" content={text}>.',
    }
  }
  const names = literal === undefined ? tokens.map(({ text }) => text.slice(1, -1)) : [literal]
  if (!names.some(configuresHTMX)) return undefined
  return {
    message: 'the "content" of <meta name="htmx-config"> takes no value: htmx merges it into its configuration',
    fix: "Write it literally, or set single options in a script: htmx.config.defaultTimeout = {{timeout}}.",
  }
}

/**
 * Throws for a spread into a tag whose `content` cannot have a dynamic value. If the tag itself has `content`, that
 * takes precedence over the spread, so it is allowed.
 */
export function checkSpreads(tagAttributes: readonly WrittenAttribute[], { contentRefusal }: TagFacts): void {
  const spread = tagAttributes.find(({ name }) => name === "")
  if (!contentRefusal || !spread || tagAttributes.some(({ name }) => name.toLowerCase() === "content")) return
  throw new Problem(spread.start, contentRefusal.message, contentRefusal.fix)
}

/** Returns the facts about a tag that change the meaning of single attributes. Of repeated attributes the first counts. */
export function readTagFacts(
  element: string,
  tagAttributes: readonly WrittenAttribute[],
  language: Language,
): TagFacts {
  const literals = new Map<string, string | undefined>()
  for (const { name, literal } of tagAttributes) {
    const key = name.toLowerCase()
    if (!literals.has(key)) literals.set(key, literal)
  }
  return {
    language,
    rel: literals.get("rel"),
    hasHttpEquiv: literals.has("http-equiv"),
    contentRefusal: findContentRefusal(element, tagAttributes),
    animatedName: literals.get("attributename")?.toLowerCase().trim(),
  }
}

/**
 * Returns true for an animation of an attribute that is harmless. Its name must be literal, because an animation can
 * set any attribute.
 */
function animatesSafely(name: string, { animatedName }: TagFacts): boolean {
  if (name === "attributename" || animatedName === undefined) return false
  return /^[a-z][a-z-]*$/.test(animatedName) && /^(?:plain|paint)$/.test(getAttributeKind("", animatedName))
}

/** Returns the kind of an attribute by the names of the element and the attribute. In HTML, both are in lower case. */
function findKind(element: string, name: string, tagFacts: TagFacts): AttributeKind {
  if (tagFacts.language === "xml") return getXmlAttributeKind(element, name)
  if (element.startsWith("{")) return getNamedAttributeKind(name.toLowerCase())
  return getAttributeKind(element, name.toLowerCase(), tagFacts.rel)
}

/** Throws for a literal key in a spread that must not be printed. */
export function checkSpreadKey(element: string, key: LiteralKey, tagFacts: TagFacts): void {
  const message = `"${key.name}" is evaluated as code and cannot be spread`
  if (findKind(element, key.name, tagFacts) === "code")
    throw new Problem(key.start, message, findAttributeFix(key.name.toLowerCase()))
  const isName = tagFacts.language === "xml" ? xmlNamePattern.test(key.name) : attributeNamePattern.test(key.name)
  if (!isName) throw new Problem(key.start, `"${key.name}" is not a valid name for an attribute`, "Rename it.")
  if (tagFacts.language !== "xml" || !declaresNamespace(key.name)) return
  throw new Problem(key.start, "a namespace must be literal", `Write ${key.name}="…" in the tag.`)
}

/** Returns the kind of a dynamic attribute. The name of the element may be an expression. */
export function decideKind(element: string, attribute: WrittenAttribute, tagFacts: TagFacts): AttributeKind {
  const name = attribute.name.toLowerCase()
  const kind = findKind(element, attribute.name, tagFacts)
  const isLiteral = isLiteralOnly(attribute.tokens)
  if (!isLiteral && name === "content" && tagFacts.hasHttpEquiv) {
    throw new Problem(
      attribute.start,
      '"content" takes no expression in a tag with "http-equiv"',
      findAttributeFix(name),
    )
  }
  if (!isLiteral && name === "content" && tagFacts.contentRefusal) {
    const { message, fix } = tagFacts.contentRefusal
    throw new Problem(attribute.start, message, fix)
  }
  if (kind !== "code") return kind
  // All possible values are written in the template.
  if (isLiteral) return "plain"
  const isAnimation = getAttributeKind("", name) !== "code"
  // The filter for paint is stricter than plain text, and also accepts lists of values.
  if (isAnimation && animatesSafely(name, tagFacts)) return tagFacts.language === "xml" ? "plain" : "paint"
  throw new Problem(
    attribute.start,
    `"${attribute.name}" is evaluated as code and takes no expression`,
    findAttributeFix(name),
  )
}
