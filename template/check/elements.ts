/** What parsing and escaping must know about HTML elements. */

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(" "))

/** Elements without content or end tag (HTML §13.1.2). */
export const voidElements = toSet("area base br col embed hr img input link meta param source track wbr")

/** Elements that contain only text, without tags and comments (HTML §13.1.2, "escapable raw text"). */
export const textElements = toSet("textarea title")

/** Elements whose content browsers do not read as markup. Values in them cannot be escaped. */
export const opaqueElements = toSet("iframe noscript noembed noframes xmp plaintext")

/** Elements that keep their white space. HTML parsers drop a newline at their start (HTML §13.2.6.4.7). */
export const preformattedElements = toSet("pre textarea listing")

/** The language of a template file. */
export type Language = "html" | "xml"

/** The language of an element's content. SVG and MathML inside HTML have rules of their own. */
export type Namespace = Language | "svg" | "math"

const integrationPoints: Readonly<Record<Namespace, ReadonlySet<string>>> = {
  html: new Set(),
  xml: new Set(),
  svg: toSet("foreignobject desc title"),
  math: toSet("mi mo mn ms mtext annotation-xml"),
}

/** Returns the language of an element's content. The name of the element is in lower case. */
export function toInnerNamespace(name: string, outside: Namespace): Namespace {
  if (outside === "xml") return "xml"
  if (name === "svg" || name === "math") return name
  return integrationPoints[outside].has(name) ? "html" : outside
}

/** Returns what a script of this type contains. Values can be printed into JavaScript and JSON. */
export function findScriptLanguage(type: string): "javascript" | "json" | "importmap" | "other" {
  const name = type.trim().toLowerCase().split(";")[0]?.trim() ?? ""
  if (name === "" || name === "module") return "javascript"
  if (/^(?:text|application)\/(?:x-)?(?:java|ecma)script$/.test(name)) return "javascript"
  if (/^(?:text|application)\/(?:[\w.-]+\+)?json$|^speculationrules$/.test(name)) return "json"
  return name === "importmap" ? name : "other"
}
