// Filters for values that are read as more than text: URLs, lists of images, style declarations. The
// runtime of compiled templates and of the html literal calls them.

/** What a refused URL becomes: it loads nothing, and tells the developer why. */
export const blockedUrl = "about:invalid#blocked"

const scheme = /^[\0- ]*(?:https?|mailto|tel|sms):/i
const imageData = /^[\0- ]*data:image\/(?:png|gif|jpeg|webp|avif)[;,]/i

/**
 * Lets through http, https, mailto, tel, sms and relative URLs, and image data where `image` says so.
 * A browser drops control characters inside a scheme, so a scheme must match to the letter.
 */
export function filterUrl(url: string, image: boolean): string {
  const first = url.charCodeAt(0)
  if (first === 47 || first === 35 || first === 63) return url
  const colon = url.indexOf(":")
  if (colon < 0) return url
  const path = url.search(/[/?#]/)
  if (path >= 0 && path < colon) return url
  return scheme.test(url) || (image && imageData.test(url)) ? url : blockedUrl
}

/**
 * Lets through URLs of the page's own origin, which have neither a scheme nor a host. They are looked at
 * as a browser reads them: without tabs and line breaks, and with backslashes for slashes (WHATWG URL §4.4).
 */
export function filterLocal(url: string): string {
  const read = url.replace(/[\t\n\r]/g, "").replace(/^[\0- ]+/, "")
  if (/^[/\\]{2}/.test(read)) return blockedUrl
  return /^[^/?#]*:/.test(read) ? blockedUrl : url
}

/** Refuses what htmx would evaluate: its version 4 does so in any attribute that begins like this. */
export function filterHtmx(text: string): string {
  return /^[\s\0- ]*(?:js|javascript)\s*:/i.test(text) ? blockedStyle : text
}

/** The filters of values in an `html` literal, by their place. */
export const literalFilters = {
  url: (url: string) => filterUrl(url, false),
  image: (url: string) => filterUrl(url, true),
  local: filterLocal,
  htmx: filterHtmx,
}

/** Filters the URLs of a `srcset`, which is read as HTML §4.8.4.2.2 parses it. */
export function filterSrcset(value: string): string {
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
      const rest = /[^,(]*(?:\([^)]*\)?[^,(]*)*/y
      rest.lastIndex = position
      descriptor = rest.exec(value)?.[0].trim() ?? ""
      position += rest.lastIndex - position
    }
    const safe = filterUrl(url.replace(/,+$/, ""), true)
    candidates.push(/^[\w.+-]+(?:\s+[\w.+-]+)*$/.test(descriptor) ? `${safe} ${descriptor}` : safe)
  }
}

const property = /^(?:--[\w-]+|-?[a-z]+(?:-[a-z\d]+)*)$/
const refusedProperties = /^(?:behavior|-moz-binding)$/
/** Words, numbers, units and marks; quoted strings without escapes. No `;{}<>\@` and no control characters. */
const cssValue = /^(?:[\w\s.,#%+*/()!\u00a0-\u{10ffff}-]|"[^"\\<>\p{Cc}]*"|'[^'\\<>\p{Cc}]*')*$/u
const refusedValue =
  /\/\*|\*\/|\/\/|(?:url|src|image|image-set|cross-fade|element|paint|expression|attr)\s*\(|javascript/i

/** What a refused value of a style, or of an attribute of htmx, becomes: a word without meaning. */
export const blockedStyle = "fw-blocked"

function filterStyleValue(value: string): string {
  if (!cssValue.test(value) || refusedValue.test(value)) return blockedStyle
  let depth = 0
  for (const mark of value.replace(/"[^"]*"|'[^']*'/g, "")) {
    if (mark === "(") depth++
    if (mark === ")" && --depth < 0) return blockedStyle
  }
  return depth === 0 ? value.trim() : blockedStyle
}

const localPaint = /^\s*url\(\s*(?:#[\w.:-]+|"#[\w.:-]+"|'#[\w.:-]+')\s*\)/

/** Filters what SVG takes for paint, or a list of it: colours, numbers and `url(#id)`, but nothing that is loaded. */
export function filterPaint(text: string): string {
  const safe = text.split(";").every((one) => filterStyleValue(one.replace(localPaint, "")) !== blockedStyle)
  return safe ? text : blockedStyle
}

/** `backgroundColor` as CSS writes it; names with a dash are CSS already. */
function propertyName(name: string): string {
  if (name.includes("-")) return name
  return name.replace(/^ms(?=[A-Z])/, "Ms").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The declarations of a style object, with its values filtered. */
export function filterStyle(style: object): string {
  let text = ""
  for (const [key, value] of Object.entries(style) as [string, unknown][]) {
    if (value === null || value === undefined || value === false || value === "") continue
    const name = propertyName(key)
    if (!property.test(name) || refusedProperties.test(name)) {
      throw new TypeError(`"${key}" is no style property that can be printed.`)
    }
    if (typeof value !== "string" && typeof value !== "number") {
      throw new TypeError(`The style "${key}" takes a string or a number, not a ${typeof value}.`)
    }
    text += `${text === "" ? "" : ";"}${name}:${filterStyleValue(String(value))}`
  }
  return text
}
