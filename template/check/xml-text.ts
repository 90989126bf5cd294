/** Checks literal text and names in XML templates, so that the output is well-formed. */

import { declaresNamespace, getLocalName, xmlNamePattern } from "../../lib/html/xml-attributes.ts"
import { Problem } from "../diagnostic.ts"

const entityReference = /&(?:(?:amp|lt|gt|quot|apos);|#(?:(\d{1,7})|x([\da-fA-F]{1,6}));)?/g
const invalidCharacter = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/** Throws for a character that XML 1.0 does not allow. @param start the offset of the text. */
export function checkXmlCharacters(text: string, start: number): void {
  const at = text.search(invalidCharacter)
  if (at < 0) return
  throw new Problem(start + at, "XML 1.0 cannot hold this character", "Remove it (XML 1.0, section 2.2).")
}

/** Throws for a character or an entity that XML does not have. @param start the offset of the text or the value. */
export function checkXmlText(text: string, start: number): void {
  checkXmlCharacters(text, start)
  for (const match of text.matchAll(entityReference)) {
    const [reference, decimal, hex] = match
    if (reference === "&") throw new Problem(start + match.index, "XML does not have this entity", entityFix)
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined
    if (code === undefined || (code <= 0x10ffff && !invalidCharacter.test(String.fromCodePoint(code)))) continue
    throw new Problem(start + match.index, "XML 1.0 cannot hold this character", "Remove it.")
  }
}

const entityFix =
  "XML has &amp; &lt; &gt; &quot; and &apos;. Write other characters themselves, or by number: &#160; for &nbsp;."

/** Throws for a name that XML does not allow, and for `script`, because browsers would run it. */
export function checkXmlElement(name: string, start: number): void {
  if (!xmlNamePattern.test(name)) throw new Problem(start, `"${name}" is not a valid name in XML`, "Rename it.")
  if (getLocalName(name).toLowerCase() !== "script") return
  const fix = "Load the script from an HTML page: browsers would run it in XHTML and SVG."
  throw new Problem(start, `<${name}> is refused in XML`, fix)
}

/** The value of an attribute as it is written: an expression, or a literal with its quotes. */
interface WrittenValue {
  readonly code: unknown
  readonly value: string | undefined
}

/** Checks the name and the value of an attribute. @param at the offset of the value. */
export function checkXmlAttribute(name: string, start: number, { code, value }: WrittenValue, at: number): void {
  if (!xmlNamePattern.test(name)) throw new Problem(start, `"${name}" is not a valid name in XML`, "Rename it.")
  if (code !== undefined) {
    if (!declaresNamespace(name)) return
    throw new Problem(start, "a namespace must be literal", `Write ${name}="…".`)
  }
  if (value === undefined || !/^["']/.test(value)) {
    throw new Problem(start, `the attribute "${name}" has no value in quotes`, `Write ${name}="…".`)
  }
  const angle = value.indexOf("<")
  if (angle >= 0) throw new Problem(at + angle, 'a value in XML cannot hold "<"', "Write &lt;.")
  checkXmlText(value, at)
}

const xmlDeclaration =
  /^<\?xml\s+version\s*=\s*(["'])1\.0\1(?:\s+encoding\s*=\s*(["'])utf-8\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\3)?\s*\?>$/i

/** Throws for a `<?…?>` without a valid name, and for an XML declaration that is wrong or not first. */
export function checkInstruction(text: string, start: number, isFirst: boolean): void {
  const name = /^<\?([^\s?]*)/.exec(text)?.[1] ?? ""
  if (name.toLowerCase() !== "xml") {
    if (!xmlNamePattern.test(name) || name.includes(":"))
      throw new Problem(start, '"<?" is not followed by a valid name', "Write &lt;? for the text.")
    return
  }
  if (!isFirst)
    throw new Problem(
      start,
      "the XML declaration must be the first text of a document",
      "Put it first in its template.",
    )
  if (xmlDeclaration.test(text)) return
  const fix = 'Write <?xml version="1.0" encoding="UTF-8"?>: answers are sent in UTF-8.'
  throw new Problem(start, "this is not a declaration of XML 1.0 in UTF-8", fix)
}

/** Throws for `<?` in a template that is not XML. */
export function refuseInstruction(offset: number): never {
  const fix = "Remove it. Code is written in braces: {expression}. XML is written in a file that ends in .xml.tpl."
  throw new Problem(offset, '"<?" is not HTML', fix)
}
