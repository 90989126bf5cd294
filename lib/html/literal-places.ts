/**
 * Finds the place of each value in an `html` literal. Refuses places where no escaping makes a value safe. A literal is
 * read once, however often it runs.
 */

import { type AttributeKind, getAttributeKind } from "./attributes.ts"
import { configuresHTMX } from "./meta.ts"

/**
 * The place of a value, which decides how it is printed: as text or markup, as text only, or filtered for a kind of
 * attribute. `pre` is like text and `area` like plain, at the start of an element where HTML parsers drop a newline
 * (HTML §13.2.6.4.7).
 */
export type LiteralPlace = "text" | "plain" | "pre" | "area" | FilteredPlace
type FilteredPlace = "url" | "link" | "image" | "media" | "cite" | "local" | "htmx" | "prose"

const knownPlaces = new WeakMap<readonly string[], readonly LiteralPlace[]>()
const rawElements = /^(?:script|style|iframe|noscript|noembed|noframes|xmp|plaintext|textarea|title)$/
const plainElements = /^(?:textarea|title)$/
const openTag = /<([A-Za-z][^\s/>]*)|<\/([A-Za-z][^\s/>]*)/y
const attributePattern = /[\s/]*([^\s"'<>/=]+)(\s*=\s*)?/y
const unquotedValue = /[^\s"'<>`=]+(?=[\s>])/y
/** Kinds of attributes that a value in a literal cannot have. Templates print them. */
const refusedKinds: ReadonlySet<AttributeKind> = new Set<AttributeKind>([
  "code",
  "style",
  "srcset",
  "json",
  "config",
  "flag",
  "paint",
])
const urlKinds: ReadonlySet<AttributeKind> = new Set<AttributeKind>(["url", "link", "image", "media", "cite", "local"])
/**
 * Text after which a value cannot change the scheme of a URL: an allowed scheme, or the beginning of a path. The text
 * contains no reference such as `&colon;`.
 */
const safePrefix = /^[\0- ]*(?:https?|mailto|tel|sms):|^[^:&]*[/?#]/i
/** Text after which a value cannot change the host of a URL: a host and its slash, or the beginning of a path. */
const localPrefix = /^(?:(?:https?:)?\/\/[\w.:-]+\/|\/[\w.~%@-]|[\w.-]+\/|[?#])/i

/** A character reference that may stand for a letter or a colon. The references that escaping produces do not. */
const hiddenReference = "&(?!(?:amp|apos|gt|lt|nbsp|quot|#39);)"
/** The beginning of a text that htmx evaluates: all or a part of `js:` or `javascript:`. */
const codePrefix = new RegExp(
  `^[\\s\\0- ]*(?:j(?:s|a|av|ava(?:s|sc|scr|scri|scrip|script)?)?\\s*)?(?::|$|${hiddenReference})`,
  "i",
)
const textAfterValue = new RegExp(`^(?!\\w|\\s*:|\\s*${hiddenReference})`)

/** Returns the pattern of a text that may follow a value which was filtered on its own. */
function getFollowPattern(place: LiteralPlace): RegExp {
  if (place === "htmx" || place === "prose") return textAfterValue
  return place === "local" ? /^[?#]/ : /^[/?#]/
}

/** Returns the places of the values between the `strings` of a literal. */
export function findPlaces(strings: readonly string[]): readonly LiteralPlace[] {
  let places = knownPlaces.get(strings)
  if (!places) {
    places = new LiteralReader(strings).read()
    knownPlaces.set(strings, places)
  }
  return places
}

/** Reads the strings of a literal as an HTML parser would, without the values between them. */
class LiteralReader {
  readonly #strings: readonly string[]
  readonly #places: LiteralPlace[] = []
  #index = 0
  #text: string
  #position = 0
  /** True directly after the start tag of a `<pre>`. */
  #isInPre = false

  constructor(strings: readonly string[]) {
    this.#strings = strings
    this.#text = strings[0] ?? ""
  }

  read(): readonly LiteralPlace[] {
    for (;;) {
      const tagStart = this.#text.indexOf("<", this.#position)
      if (tagStart >= 0) {
        this.#isInPre = false
        this.#position = tagStart
        this.#readAngle()
      } else {
        this.#isInPre &&= this.#position === this.#text.length
        if (!this.#skipToNextValue(this.#isInPre ? "pre" : "text")) return this.#places
      }
    }
  }

  /** Records the place of the next value and continues after it. Returns false at the end of the literal. */
  #skipToNextValue(place: LiteralPlace): boolean {
    if (this.#index + 1 >= this.#strings.length) return false
    this.#places.push(place)
    this.#text = this.#strings[++this.#index] ?? ""
    this.#position = 0
    return true
  }

  #fail(problem: string): never {
    const isEnd = this.#index + 1 >= this.#strings.length
    const precedingText = this.#text.slice(-30)
    throw new TypeError(
      isEnd
        ? `The html literal ends inside ${problem}, after "${precedingText}": write the whole element in one literal.`
        : `The html literal takes no value inside ${problem}, after "${precedingText}": use a template (.tpl) for it.`,
    )
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position
    const match = pattern.exec(this.#text)
    if (match) this.#position = pattern.lastIndex
    return match
  }

  #readAngle(): void {
    if (this.#text.startsWith("<!--", this.#position)) {
      const end = /--!?>/g
      end.lastIndex = this.#position + 2
      if (!end.test(this.#text)) this.#fail("a comment")
      this.#position = end.lastIndex
      return
    }
    const tag = this.#match(openTag)
    if (tag) this.#readTag((tag[1] ?? tag[2] ?? "").toLowerCase(), tag[1] !== undefined)
    else this.#readOtherAngle()
  }

  #readOtherAngle(): void {
    const { length } = this.#text
    if (/^<[!?/]?$/.test(this.#text.slice(this.#position)) && length - this.#position < 3) this.#fail("a tag")
    if (!/^<[!?/]/.test(this.#text.slice(this.#position, this.#position + 2))) {
      this.#position++
      return
    }
    const end = this.#text.indexOf(">", this.#position)
    if (end < 0) this.#fail("a declaration")
    this.#position = end + 1
  }

  #readTag(name: string, isStartTag: boolean): void {
    const attributes = new Map<string, string>()
    let hasDynamicContent = false
    let hasDynamicName = false
    for (;;) {
      if (this.#match(/[\s/]*>/y)) break
      const match = this.#match(attributePattern)
      const key = match?.[1]?.toLowerCase()
      if (key === undefined) this.#fail("a tag, outside of quotes")
      if (!attributes.has(key)) attributes.set(key, "")
      const placeCount = this.#places.length
      if (match?.[2] !== undefined) this.#readAttributeValue(name, key, attributes)
      else if (this.#position === this.#text.length) this.#fail("a tag, outside of quotes")
      const isDynamic = this.#places.length > placeCount
      hasDynamicContent ||= isDynamic && key === "content"
      hasDynamicName ||= isDynamic && key === "name"
    }
    // Attributes come in any order. `http-equiv` makes the element a header, and a `name` may make it htmx's
    // configuration.
    const isSpecial =
      attributes.has("http-equiv") || (name === "meta" && (hasDynamicName || configuresHTMX(attributes.get("name"))))
    if (hasDynamicContent && isSpecial) this.#fail("the attribute content")
    if (isStartTag && rawElements.test(name)) this.#readRawText(name)
    this.#isInPre = isStartTag && (name === "pre" || name === "listing")
  }

  #readAttributeValue(element: string, name: string, attributes: Map<string, string>): void {
    const quote = this.#text[this.#position]
    if (quote !== '"' && quote !== "'") {
      const value = this.#match(unquotedValue)
      if (!value) this.#fail("a tag, outside of quotes")
      if (attributes.get(name) === "") attributes.set(name, value[0])
      return
    }
    let start = this.#position + 1
    let literal = ""
    let lastPlace: LiteralPlace | undefined
    for (;;) {
      const end = this.#text.indexOf(quote, start)
      const piece = this.#text.slice(start, end < 0 ? undefined : end)
      // Text after a value that was filtered alone must not turn it into a scheme or a host.
      if (lastPlace && literal.trim() === "" && piece !== "" && !getFollowPattern(lastPlace).test(piece))
        this.#fail("the start of a URL")
      literal += piece
      this.#position = end + 1
      if (end >= 0) {
        if (attributes.get(name) === "") attributes.set(name, literal)
        return
      }
      const place = this.#findPlaceInValue(element, name, literal, attributes)
      if (lastPlace && literal.trim() === "") this.#fail("the start of a URL")
      if (!this.#skipToNextValue(place)) this.#fail("an attribute value")
      lastPlace = place === "plain" ? undefined : place
      start = 0
    }
  }

  #findPlaceInValue(element: string, name: string, literal: string, attributes: Map<string, string>): LiteralPlace {
    const kind = getAttributeKind(element, name, attributes.get("rel"))
    const isHeader = attributes.has("http-equiv") || !(attributes.has("name") || attributes.has("property"))
    const isRefresh = name === "content" && element === "meta" && isHeader
    if (refusedKinds.has(kind) || isRefresh) this.#fail(`the attribute ${name}`)
    if (kind === "htmx" || kind === "prose") {
      if (literal.trim() === "") return kind
      if (codePrefix.test(literal)) this.#fail("the start of a text that htmx may evaluate")
      return "plain"
    }
    if (!urlKinds.has(kind)) return "plain"
    if (literal === "") return kind as FilteredPlace
    if (!(kind === "local" ? localPrefix : safePrefix).test(literal)) this.#fail("the start of a URL")
    return "plain"
  }

  #readRawText(name: string): void {
    const end = new RegExp(`</${name}(?=[\\s/>])`, "gi")
    let isFirst = name === "textarea"
    for (;;) {
      isFirst &&= this.#position === this.#text.length
      end.lastIndex = this.#position
      const endTag = end.exec(this.#text)
      // Between "<!--" and "<script", browsers do not see the end tag.
      const content = this.#text.slice(this.#position, endTag?.index)
      if (name === "script" && content.includes("<!--")) this.#fail('a <script> with "<!--" in it')
      if (endTag) {
        this.#position = endTag.index
        return
      }
      if (!plainElements.test(name) || /<[/A-Za-z]*$/.test(this.#text)) this.#fail(`<${name}>`)
      if (!this.#skipToNextValue(isFirst ? "area" : "plain")) this.#fail(`<${name}>`)
    }
  }
}
