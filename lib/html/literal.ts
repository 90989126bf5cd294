/**
 * Finds out, once per `html` literal, the place of each of its values, and refuses places that escaping
 * cannot make safe.
 */

import { configuresHTMX } from "../template/meta.ts"
import { type AttributeKind, attributeKind } from "./attributes.ts"

/**
 * The place of a value, which decides how it is printed: as text or markup, only as text, or filtered for a
 * kind of attribute. `pre` is text and `area` is plain where a parser would drop a first newline (HTML
 * §13.2.6.4.7).
 */
export type LiteralPlace = "text" | "plain" | "pre" | "area" | FilteredPlace
type FilteredPlace = "url" | "link" | "image" | "media" | "cite" | "local" | "htmx" | "prose"

const known = new WeakMap<readonly string[], readonly LiteralPlace[]>()
const rawElements = /^(?:script|style|iframe|noscript|noembed|noframes|xmp|plaintext|textarea|title)$/
const plainElements = /^(?:textarea|title)$/
const openTag = /<([A-Za-z][^\s/>]*)|<\/([A-Za-z][^\s/>]*)/y
const attribute = /[\s/]*([^\s"'<>/=]+)(\s*=\s*)?/y
const unquoted = /[^\s"'<>`=]+(?=[\s>])/y
/** Kinds whose values are not text. */
const refusedKinds: ReadonlySet<AttributeKind> = new Set<AttributeKind>([
  "code",
  "style",
  "srcset",
  "json",
  "config",
  "flag",
  "paint",
])
const urlKinds: ReadonlySet<AttributeKind> = new Set<AttributeKind>([
  "url",
  "link",
  "image",
  "media",
  "cite",
  "local",
])
/** An allowed scheme, or the beginning of a path. No reference such as `&colon;` may hide another scheme. */
const safePrefix = /^[\0- ]*(?:https?|mailto|tel|sms):|^[^:&]*[/?#]/i
/** A host and its slash, or the beginning of a path: no value after it can name another host. */
const localPrefix = /^(?:(?:https?:)?\/\/[\w.:-]+\/|\/[\w.~%@-]|[\w.-]+\/|[?#])/i

/** A character reference that may be a letter or a colon, unlike those that texts are escaped with. */
const hidden = "&(?!(?:amp|apos|gt|lt|nbsp|quot|#39);)"
/** The beginning of a text that htmx evaluates, whole or unfinished: `js:` or `javascript:`. */
const codePrefix = new RegExp(
  `^[\\s\\0- ]*(?:j(?:s|a|av|ava(?:s|sc|scr|scri|scrip|script)?)?\\s*)?(?::|$|${hidden})`,
  "i",
)
const afterText = new RegExp(`^(?!\\w|\\s*:|\\s*${hidden})`)

/** Returns the pattern of text that may follow a value that was filtered separately. */
function follows(place: LiteralPlace): RegExp {
  if (place === "htmx" || place === "prose") return afterText
  return place === "local" ? /^[?#]/ : /^[/?#]/
}

/** Returns the places of the values between the `strings` of a literal. */
export function placesOf(strings: readonly string[]): readonly LiteralPlace[] {
  let places = known.get(strings)
  if (!places) {
    places = new Reader(strings).read()
    known.set(strings, places)
  }
  return places
}

/** Reads the strings of a literal as an HTML parser would, with the values between them left out. */
class Reader {
  readonly #strings: readonly string[]
  readonly #places: LiteralPlace[] = []
  #index = 0
  #text: string
  #at = 0
  /** True if a `<pre>` has just begun. */
  #inPre = false

  constructor(strings: readonly string[]) {
    this.#strings = strings
    this.#text = strings[0] ?? ""
  }

  read(): readonly LiteralPlace[] {
    for (;;) {
      const next = this.#text.indexOf("<", this.#at)
      if (next >= 0) {
        this.#inPre = false
        this.#at = next
        this.#angle()
      } else {
        this.#inPre &&= this.#at === this.#text.length
        if (!this.#value(this.#inPre ? "pre" : "text")) return this.#places
      }
    }
  }

  /** Continues after the next value; returns false at the end of the literal. */
  #value(place: LiteralPlace): boolean {
    if (this.#index + 1 >= this.#strings.length) return false
    this.#places.push(place)
    this.#text = this.#strings[++this.#index] ?? ""
    this.#at = 0
    return true
  }

  #fail(what: string): never {
    const isEnd = this.#index + 1 >= this.#strings.length
    const before = this.#text.slice(-30)
    throw new TypeError(
      isEnd
        ? `The html literal ends inside ${what}, after "${before}": write the whole element in one literal.`
        : `The html literal takes no value inside ${what}, after "${before}": use a template (.tpl) for it.`,
    )
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at = pattern.lastIndex
    return found
  }

  #angle(): void {
    if (this.#text.startsWith("<!--", this.#at)) {
      const end = /--!?>/g
      end.lastIndex = this.#at + 2
      if (!end.test(this.#text)) this.#fail("a comment")
      this.#at = end.lastIndex
      return
    }
    const found = this.#match(openTag)
    if (found) this.#tag((found[1] ?? found[2] ?? "").toLowerCase(), found[1] !== undefined)
    else this.#otherAngle()
  }

  #otherAngle(): void {
    const { length } = this.#text
    if (/^<[!?/]?$/.test(this.#text.slice(this.#at)) && length - this.#at < 3) this.#fail("a tag")
    if (!/^<[!?/]/.test(this.#text.slice(this.#at, this.#at + 2))) {
      this.#at++
      return
    }
    const end = this.#text.indexOf(">", this.#at)
    if (end < 0) this.#fail("a declaration")
    this.#at = end + 1
  }

  #tag(name: string, opens: boolean): void {
    const names = new Map<string, string>()
    let content = false
    let named = false
    for (;;) {
      if (this.#match(/[\s/]*>/y)) break
      const found = this.#match(attribute)
      const key = found?.[1]?.toLowerCase()
      if (key === undefined) this.#fail("a tag, outside of quotes")
      if (!names.has(key)) names.set(key, "")
      const before = this.#places.length
      if (found?.[2] !== undefined) this.#attributeValue(name, key, names)
      else if (this.#at === this.#text.length) this.#fail("a tag, outside of quotes")
      const isDynamic = this.#places.length > before
      content ||= isDynamic && key === "content"
      named ||= isDynamic && key === "name"
    }
    // In any order: http-equiv makes it a header, and a name makes it htmx's configuration.
    const isSpecial =
      names.has("http-equiv") || (name === "meta" && (named || configuresHTMX(names.get("name"))))
    if (content && isSpecial) this.#fail("the attribute content")
    if (opens && rawElements.test(name)) this.#rawText(name)
    this.#inPre = opens && (name === "pre" || name === "listing")
  }

  #attributeValue(element: string, name: string, names: Map<string, string>): void {
    const quote = this.#text[this.#at]
    if (quote !== '"' && quote !== "'") {
      const found = this.#match(unquoted)
      if (!found) this.#fail("a tag, outside of quotes")
      if (names.get(name) === "") names.set(name, found[0])
      return
    }
    let from = this.#at + 1
    let literal = ""
    let filtered: LiteralPlace | undefined
    for (;;) {
      const end = this.#text.indexOf(quote, from)
      const piece = this.#text.slice(from, end < 0 ? undefined : end)
      // Text after a filtered value must not turn it into a scheme or a host.
      if (filtered && literal.trim() === "" && piece !== "" && !follows(filtered).test(piece))
        this.#fail("the start of a URL")
      literal += piece
      this.#at = end + 1
      if (end >= 0) {
        if (names.get(name) === "") names.set(name, literal)
        return
      }
      const place = this.#placeInValue(element, name, literal, names)
      if (filtered && literal.trim() === "") this.#fail("the start of a URL")
      if (!this.#value(place)) this.#fail("an attribute value")
      filtered = place === "plain" ? undefined : place
      from = 0
    }
  }

  #placeInValue(element: string, name: string, literal: string, names: Map<string, string>): LiteralPlace {
    const kind = attributeKind(element, name, names.get("rel"))
    const isHeader = names.has("http-equiv") || !(names.has("name") || names.has("property"))
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

  #rawText(name: string): void {
    const end = new RegExp(`</${name}(?=[\\s/>])`, "gi")
    let isFirst = name === "textarea"
    for (;;) {
      isFirst &&= this.#at === this.#text.length
      end.lastIndex = this.#at
      const found = end.exec(this.#text)
      // After "<!--" and "<script", browsers skip the end tag.
      const content = this.#text.slice(this.#at, found?.index)
      if (name === "script" && content.includes("<!--")) this.#fail('a <script> with "<!--" in it')
      if (found) {
        this.#at = found.index
        return
      }
      if (!plainElements.test(name) || /<[/A-Za-z]*$/.test(this.#text)) this.#fail(`<${name}>`)
      if (!this.#value(isFirst ? "area" : "plain")) this.#fail(`<${name}>`)
    }
  }
}
