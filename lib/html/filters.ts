/** Filters values that browsers read as more than text: URLs, lists of images, style declarations. */

/** Replaces a URL that is not allowed. It loads nothing, and the developer sees why. */
export const blockedURL = "about:invalid#blocked"

const safeScheme = /^[\0- ]*(?:https?|mailto|tel|sms):/i

/** Further URLs that attributes of some kinds allow. */
const widerURLs = {
  image: /^[\0- ]*data:image\/[\w.+-]+[;,]/i,
  media: /^[\0- ]*data:(?:audio|video)\/[\w.+-]+[;,]/i,
  /** Names of books and papers, which browsers do not open. */
  cite: /^[\0- ]*(?:urn|doi):/i,
}
/** Schemes that the project allows in links. */
let linkSchemes: RegExp | undefined
/** Schemes that run code, or whose content may access the page that opens it. */
const unsafeScheme = /^(?:javascript|vbscript|livescript|mocha|data|blob|filesystem|file|about|view-source|jar|feed)$/
const schemeName = /^[a-z][a-z\d+.-]*$/
const allowedSchemes = new Set<string>()

/**
 * Allows further schemes in links, which are the `href` of `<a>` and `<area>`, for all templates of the
 * program. Call it once in `main.ts`, before the first page is rendered.
 *
 * By default links allow http, https, mailto, tel, sms and relative URLs (WHATWG URL §4.4 for their schemes).
 *
 * @param schemes names in lower case, without the colon.
 * @throws TypeError for an invalid name of a scheme, and for schemes that run code, such as `javascript` and
 * `data`.
 * @example
 * allowLinkSchemes("webcal", "xmpp")
 */
export function allowLinkSchemes(...schemes: readonly string[]): void {
  for (const name of schemes) {
    if (!schemeName.test(name))
      throw new TypeError(`"${name}" is not the name of a URL scheme: write "webcal", in lower case, without a colon.`)
    if (unsafeScheme.test(name)) throw new TypeError(`Links cannot allow "${name}:", because such URLs can run code.`)
  }
  for (const name of schemes) allowedSchemes.add(name)
  const names = [...allowedSchemes].map((name) => name.replace(/[.+]/g, "\\$&")).join("|")
  linkSchemes = allowedSchemes.size === 0 ? undefined : new RegExp(`^[\\0- ]*(?:${names}):`, "i")
}

/** Returns true for a URL whose first character shows that it has no scheme, as most links do. */
export function isRelative(url: string): boolean {
  const first = url.charCodeAt(0)
  return first === 47 || first === 35 || first === 63
}

/**
 * Filters a URL. Allows http, https, mailto, tel, sms and relative URLs, and URLs that match `extraPattern`. Browsers
 * ignore control characters inside a scheme, so a scheme must match exactly.
 */
export function filterURL(url: string, extraPattern?: RegExp): string {
  if (isRelative(url)) return url
  const colon = url.indexOf(":")
  if (colon < 0) return url
  const path = url.search(/[/?#]/)
  if (path >= 0 && path < colon) return url
  return safeScheme.test(url) || extraPattern?.test(url) ? url : blockedURL
}

/**
 * Filters a URL that must be of the page's own origin, without a scheme and without a host. It is checked as browsers
 * read it: tabs and line breaks are ignored, and a backslash is a slash (WHATWG URL §4.4).
 */
function filterLocal(url: string): string {
  const cleanedURL = url.replace(/[\t\n\r]/g, "").replace(/^[\0- ]+/, "")
  if (/^[/\\]{2}/.test(cleanedURL)) return blockedURL
  return /^[^/?#]*:/.test(cleanedURL) ? blockedURL : url
}

/** Blocks text that htmx would evaluate. Version 4 evaluates any value that begins with `js:` or `javascript:`. */
function filterHTMX(text: string): string {
  return /^[\s\0- ]*(?:js|javascript)\s*:/i.test(text) ? blockedWord : text
}

/**
 * Blocks the text of a confirmation question that htmx would evaluate. Only the exact prefix is blocked: "JavaScript:
 * the book" is a harmless question.
 */
function filterProse(text: string): string {
  return /^\s*(?:js|javascript):/.test(text) ? blockedWord : text
}

/** The filters of text, by the kind of attribute. */
export const filters = {
  url: (url: string) => filterURL(url),
  link: (url: string) => filterURL(url, linkSchemes),
  image: (url: string) => filterURL(url, widerURLs.image),
  media: (url: string) => filterURL(url, widerURLs.media),
  cite: (url: string) => filterURL(url, widerURLs.cite),
  srcset: filterSrcset,
  local: filterLocal,
  htmx: filterHTMX,
  prose: filterProse,
  flag: (text: string) => (text === "true" || text === "false" ? text : blockedWord),
  paint: filterPaint,
} as const

function trimCommas(url: string): string {
  let end = url.length
  while (url[end - 1] === ",") end--
  return url.slice(0, end)
}

/** Filters the URLs of a `srcset`. It is parsed as in HTML §4.8.4.2.2. */
function filterSrcset(value: string): string {
  const candidates: string[] = []
  const pattern = /[\s,]*([^\s,]\S*)/y
  let position = 0
  for (;;) {
    pattern.lastIndex = position
    const url = pattern.exec(value)?.[1]
    if (url === undefined) return candidates.join(", ")
    position = pattern.lastIndex
    let descriptor = ""
    if (!url.endsWith(",")) {
      const rest = /[^,(]*(?:\([^)]*(?:\)[^,(]*|$))*/y
      rest.lastIndex = position
      descriptor = rest.exec(value)?.[0].trim() ?? ""
      position += rest.lastIndex - position
    }
    const safe = filterURL(trimCommas(url), widerURLs.image)
    candidates.push(/^[\w.+-]+(?:\s+[\w.+-]+)*$/.test(descriptor) ? `${safe} ${descriptor}` : safe)
  }
}

const propertyPattern = /^(?:--[\w-]+|-?[a-z]+(?:-[a-z\d]+)*)$/
const refusedProperties = /^(?:behavior|-moz-binding)$/
/** Words, numbers, units, punctuation and brackets. Excludes `;{}<>\\@` and control characters. */
const cssWords = /^[\w\s.,#%+*/()[\]!\u00a0-\u{10ffff}-]*$/u
/**
 * A quoted string or `url(…)`. A string may contain only numeric escapes, because they cannot end it. One expression
 * matches both from left to right, so a match never begins inside another.
 */
const cssParts =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: strings have none.
  /"(?:[^"\\<>\x00-\x1f\x7f-\x9f]|\\[\da-f])*"|'(?:[^'\\<>\x00-\x1f\x7f-\x9f]|\\[\da-f])*'|(?<![\w-])url\(\s*(?:"([^"\\<>\x00-\x1f\x7f-\x9f]*)"|'([^'\\<>\x00-\x1f\x7f-\x9f]*)'|([^\s"'()\\<>;{}@\x00-\x1f\x7f-\x9f]+))\s*\)/giu
const refusedValue =
  /\/\*|\*\/|\/\/|(?:url|src|image|image-set|cross-fade|element|paint|expression|attr)\s*\(|javascript/i

/** Replaces a blocked value of a style or of an htmx attribute. The word has no meaning there. */
export const blockedWord = "fw-blocked"

/** Returns true if a filter has blocked a value, or a part of it. */
export function isBlocked(text: string): boolean {
  return text.includes(blockedURL) || text === blockedWord
}

/** Returns true if all brackets are closed in the right order. `text` contains no strings. */
function isBalanced(text: string): boolean {
  const closingMarks: string[] = []
  for (const mark of text) {
    if (mark === "(" || mark === "[") closingMarks.push(mark === "(" ? ")" : "]")
    else if ((mark === ")" || mark === "]") && closingMarks.pop() !== mark) return false
  }
  return closingMarks.length === 0
}

/**
 * Filters a CSS value. The value of a custom property may contain colons. `url(…)` must be of the page's own origin.
 */
function filterStyleValue(value: string, isCustom = false, allowsURLs = true): string {
  if (/javascript/i.test(value)) return blockedWord
  let isLocal = true
  const words = value.replace(cssParts, (_part, double?: string, single?: string, bare?: string) => {
    const url = double ?? single ?? bare
    if (url === undefined) return ""
    isLocal &&= allowsURLs && filterLocal(url) !== blockedURL
    return "none"
  })
  const isSafe = cssWords.test(isCustom ? words.replaceAll(":", "") : words) && !refusedValue.test(words)
  return isLocal && isSafe && isBalanced(words) ? value.trim() : blockedWord
}

const localPaint = /^\s*url\(\s*(?:#[\w.:-]+|"#[\w.:-]+"|'#[\w.:-]+')\s*\)/

/**
 * Filters a paint value of SVG, or a list of them. Allows colours, numbers and `url(#id)`, but no URL that browsers
 * would load.
 */
function filterPaint(text: string): string {
  const isSafe = text
    .split(";")
    .every((one) => filterStyleValue(one.replace(localPaint, ""), false, false) !== blockedWord)
  return isSafe ? text : blockedWord
}

/** Converts `backgroundColor` to the name that CSS has for it. A name with a dash is a CSS name already. */
function toPropertyName(name: string): string {
  if (name.includes("-")) return name
  return name.replace(/^ms(?=[A-Z])/, "Ms").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/**
 * Returns the declarations of a style object, with filtered values.
 *
 * @param onBlocked is called for each blocked value, with its key.
 */
export function filterStyle(style: object, onBlocked: (key: string, value: string) => void): string {
  let text = ""
  for (const [key, value] of Object.entries(style) as [string, unknown][]) {
    if (value === null || value === undefined || value === false || value === "") continue
    const name = toPropertyName(key)
    if (!propertyPattern.test(name) || refusedProperties.test(name)) {
      throw new TypeError(`"${key}" is not a style property that can be printed.`)
    }
    if (typeof value !== "string" && typeof value !== "number") {
      throw new TypeError(`The style "${key}" takes a string or a number, not a ${typeof value}.`)
    }
    const valueText = String(value)
    const safe = filterStyleValue(valueText, name.startsWith("--"))
    if (safe === blockedWord && valueText !== safe) onBlocked(key, valueText)
    text += `${text === "" ? "" : ";"}${name}:${safe}`
  }
  return text
}
