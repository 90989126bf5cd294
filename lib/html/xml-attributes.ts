/**
 * The kinds of attributes in XML, and the rule for valid names. The compiler uses them for attributes that are written
 * in a template, and the runtime for spread attributes.
 */

import { getAttributeKind } from "./attributes.ts"

/** The kinds of URLs, which differ in what they allow. */
export type XmlURLKind = "url" | "link" | "image" | "media" | "cite" | "srcset"
/** The kind of an attribute in XML, which decides how its value is printed. No value of the kind `code` is safe. */
export type XmlAttributeKind = "plain" | "style" | "code" | XmlURLKind

const urlKinds: ReadonlySet<string> = new Set("url link image media cite srcset".split(" "))
const nameStart =
  "A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f" +
  "\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}"
const namePart = `[${nameStart}][${nameStart}\\d.\\u00b7\\u0300-\\u036f\\u203f\\u2040-]*`

/** A name with at most one prefix (XML 1.0 §2.3; Namespaces in XML 1.0 §3). */
export const xmlNamePattern = /* @__PURE__ */ new RegExp(`^(?:${namePart}:)?${namePart}$`, "u")

/** Returns a name without its prefix. */
export function getLocalName(name: string): string {
  return name.slice(name.indexOf(":") + 1)
}

/** Returns true if an attribute declares a namespace. */
export function declaresNamespace(name: string): boolean {
  return name === "xmlns" || name.startsWith("xmlns:")
}

/**
 * Returns the kind of an attribute by its name and that of its element. Prefixes are ignored: a template may be only a
 * part of a document, without the declarations of its namespaces. So every element is treated as if it were in XHTML or
 * SVG, except that no script runs.
 */
export function getXmlAttributeKind(element: string, name: string): XmlAttributeKind {
  const tag = getLocalName(element).toLowerCase()
  const local = getLocalName(name).toLowerCase()
  const kind = getAttributeKind(tag, local)
  if (kind === "code") {
    const isEvent = local.startsWith("on") && name === getLocalName(name)
    const isAnimation = getAttributeKind("", local) !== "code"
    if (isEvent || isAnimation || local === "srcdoc") return "code"
  }
  if (urlKinds.has(kind)) return kind as XmlURLKind
  if (kind === "style") return kind
  return kind === "local" || /^(?:href|src|url)$/.test(local) || name === "xml:base" ? "url" : "plain"
}
