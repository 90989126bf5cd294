/** Facts about HTML elements that parsing and escaping need. */

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "))

/** Elements without content or end tag (HTML §13.1.2). */
export const voidElements = set("area base br col embed hr img input link meta param source track wbr")

/** Elements whose content is only text: no tags, no comments (HTML §13.1.2, escapable raw text). */
export const textElements = set("textarea title")

/** Elements whose content browsers do not read as markup, and where escaping is impossible. */
export const opaqueElements = set("iframe noscript noembed noframes xmp plaintext")

/** Elements that keep their white space, and lose a first newline to the HTML parser (HTML §13.2.6.4.7). */
export const preformatted = set("pre textarea listing")

/** Language of a template file. */
export type Language = "html" | "xml"

/** The kind of an element's content: HTML, SVG or MathML in it, which have other rules, or XML. */
export type Space = Language | "svg" | "math"

const htmlAgain: Readonly<Record<Space, ReadonlySet<string>>> = {
  html: new Set(),
  xml: new Set(),
  svg: set("foreignobject desc title"),
  math: set("mi mo mn ms mtext annotation-xml"),
}

/** Returns the space of an element's content, by its name in lower case and the space around it. */
export function spaceInside(name: string, outside: Space): Space {
  if (outside === "xml") return "xml"
  if (name === "svg" || name === "math") return name
  return htmlAgain[outside].has(name) ? "html" : outside
}

/** Returns what a script of this type contains. `{{expression}}` may print into JavaScript and JSON. */
export function scriptLanguage(type: string): "javascript" | "json" | "importmap" | "other" {
  const name = type.trim().toLowerCase().split(";")[0]?.trim() ?? ""
  if (name === "" || name === "module") return "javascript"
  if (/^(?:text|application)\/(?:x-)?(?:java|ecma)script$/.test(name)) return "javascript"
  if (/^(?:text|application)\/(?:[\w.-]+\+)?json$|^speculationrules$/.test(name)) return "json"
  return name === "importmap" ? name : "other"
}
