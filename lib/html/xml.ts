/**
 * Safe XML, and the functions that compiled `.xml.tpl` templates import from `fw/html`.
 */

import { isURL, reportBlocked, type StyleValue, type URLObject } from "./attribute-values.ts"
import { filterStyle, filters, isBlocked } from "./filters.ts"
import { checkMetaName } from "./meta.ts"
import { createUnprintableError } from "./text.ts"
import {
  declaresNamespace,
  getLocalName,
  getXmlAttributeKind,
  type XmlURLKind,
  xmlNamePattern,
} from "./xml-attributes.ts"

/**
 * XML that is safe to print unchanged. Made by `.xml.tpl` templates and `rawXml`; it never changes.
 *
 * @example
 * const feed: Xml = rawXml("<feed/>")
 * feed.value // → "<feed/>"
 */
export class Xml {
  readonly #value: string

  private constructor(value: string) {
    this.#value = value
  }

  /** Marks a string as safe XML. Programs call `rawXml`. */
  static trust(value: string): Xml {
    return new Xml(value)
  }

  /** The XML as text. */
  get value(): string {
    return this.#value
  }

  toString(): string {
    return this.#value
  }
}

/**
 * A value that can be printed as text in XML. Arrays print their items; null, undefined and false print nothing.
 *
 * @example const items: XmlPrintable = [rawXml("<item/>"), "text & more"]
 */
export type XmlPrintable = Xml | string | number | bigint | null | undefined | false | readonly XmlPrintable[]
/**
 * The value of an attribute in XML. True and false are printed as text. Null and undefined leave the attribute out.
 *
 * @example const version: XmlAttributeValue = "2.0"
 */
export type XmlAttributeValue = string | number | bigint | boolean | null | undefined
/**
 * Marks a string as safe XML. Never pass text that a user could have written.
 *
 * @example rawXml("<license/>").value // → "<license/>"
 */
export function rawXml(xml: string): Xml {
  return Xml.trust(xml)
}

/** Characters that XML 1.0 forbids (§2.2): control characters, lone surrogates, U+FFFE and U+FFFF. */
const forbiddenCharacter = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
}

const removeForbidden = (text: string): string => text.replace(forbiddenCharacter, "")

/** Escapes text. Parsers would turn a carriage return into a line feed (XML 1.0 §2.11) and refuse `]]>` (§2.4). */
function escapeText(text: string): string {
  return removeForbidden(text).replace(/[&<>\r]/g, (mark) => entities[mark] as string)
}

/** Escapes the value of an attribute. Parsers would turn other white space in it into spaces (XML 1.0 §3.3.3). */
function escapeValue(text: string): string {
  return removeForbidden(text).replace(/[&<>"\t\n\r]/g, (mark) => entities[mark] as string)
}

/** Prints text in a compiled XML template. */
export function $fwXmlText(value: XmlPrintable): string {
  if (typeof value === "string") return escapeText(value)
  if (value instanceof Xml) return getInnerXml(value)
  if (Array.isArray(value)) return (value as readonly XmlPrintable[]).map($fwXmlText).join("")
  if (value === null || value === undefined || value === false) return ""
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  throw createUnprintableError(value, "in XML")
}

/** Returns XML without its declaration, which is allowed only at the start of a document (XML 1.0 §2.8). */
function getInnerXml({ value }: Xml): string {
  if (!value.startsWith("<?xml ")) return value
  throw new TypeError('A document with "<?xml …?>" cannot be printed inside other XML: move it to c.xml().')
}

/**
 * Prints an attribute. Here and in the functions below, `open` is the name with a space before it and `="` after it.
 */
export function $fwXmlAttribute(open: string, value: XmlAttributeValue): string {
  if (value === null || value === undefined) return ""
  if (typeof value === "object" || typeof value === "function" || typeof value === "symbol")
    throw createUnprintableError(value, `in the attribute${open.slice(0, -2)}`)
  return `${open}${escapeValue(String(value))}"`
}

/** Prints an attribute that is a URL. */
export function $fwXmlUrl(open: string, value: XmlAttributeValue | URLObject, kind: XmlURLKind = "url"): string {
  const urlOrValue = isURL(value) ? value.href : value
  if (typeof urlOrValue !== "string") return $fwXmlAttribute(open, urlOrValue)
  // Forbidden characters are removed before the filter runs. Otherwise `java\u0000script:` would pass the filter.
  const text = removeForbidden(urlOrValue)
  const safe = filters[kind](text)
  if (safe !== text && isBlocked(safe)) reportBlocked(open.slice(1, -2), urlOrValue)
  return $fwXmlAttribute(open, safe)
}

/** Prints `style`, or nothing if there are no declarations. */
export function $fwXmlStyle(open: string, value: StyleValue): string {
  if (value === false || value === null || value === undefined) return ""
  if (typeof value !== "object") throw createUnprintableError(value, "in the attribute style, which takes an object")
  const style = filterStyle(value, (name, given) => reportBlocked(`style ${name}`, given))
  return style === "" ? "" : $fwXmlAttribute(open, style)
}

/**
 * Prints the attributes of objects with the escaping that written attributes have. Later objects override earlier ones,
 * and written attributes override all of them.
 */
export function $fwXmlSpread(
  element: string,
  objects: readonly (object | false | null | undefined)[],
  writtenNames: readonly string[],
): string {
  const values = new Map<string, unknown>()
  for (const object of objects) {
    for (const [name, value] of Object.entries(object || {})) values.set(name, value)
  }
  const localNames = [...values.keys(), ...writtenNames].map((name) => getLocalName(name).toLowerCase())
  const isRefresh = localNames.includes("content") && localNames.includes("http-equiv")
  const isMeta = getLocalName(element).toLowerCase() === "meta"
  let text = ""
  for (const [name, value] of values) {
    if (isMeta && getLocalName(name).toLowerCase() === "name") checkMetaName(value)
    const kind = getXmlAttributeKind(element, name)
    const isHeader = isRefresh && /^(?:content|http-equiv)$/i.test(getLocalName(name))
    if (!xmlNamePattern.test(name) || declaresNamespace(name) || kind === "code" || isHeader) {
      throw new TypeError(
        `The attribute ${JSON.stringify(name.slice(0, 40))} cannot be spread: it is not a valid name, declares a namespace, or is evaluated as code.`,
      )
    }
    if (writtenNames.includes(name)) continue
    const open = ` ${name}="`
    // Spread values may have any type, so each function checks its value at run time too.
    if (kind === "plain") text += $fwXmlAttribute(open, value as XmlAttributeValue)
    else if (kind === "style") text += $fwXmlStyle(open, value as StyleValue)
    else text += $fwXmlUrl(open, value as XmlAttributeValue, kind)
  }
  return text
}
