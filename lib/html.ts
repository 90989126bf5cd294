/** The exports of `fw/html`: the helpers that compiled templates call, and `html` for safe markup in route files. */

import { $fwAssets } from "./html/asset-tags.ts"
import { isURL, reportBlocked, reportURL, type URLObject } from "./html/attribute-values.ts"
import { escapeHtml } from "./html/escape.ts"
import { filters, isBlocked } from "./html/filters.ts"
import { findPlaces } from "./html/literal-places.ts"
import { $fwNewline, $fwText, Html, type Printable, printScalar } from "./html/text.ts"

export { $fwAssets } from "./html/asset-tags.ts"
export {
  $fwBoolean,
  $fwCite,
  $fwClass,
  $fwConfig,
  $fwFlag,
  $fwHtmx,
  $fwImage,
  $fwJsonAttribute,
  $fwLink,
  $fwLocal,
  $fwMedia,
  $fwPaint,
  $fwProse,
  $fwSrcset,
  $fwStyle,
  $fwUrl,
  type AttributeValue,
  type ClassValue,
  type ConfigObject,
  type JSONObject,
  type StyleValue,
  type URLObject,
  type URLValue,
} from "./html/attribute-values.ts"
export { $fwCollect, $fwDefer } from "./html/deferred-blocks.ts"
export { escapeHtml } from "./html/escape.ts"
export { allowLinkSchemes } from "./html/filters.ts"
export { $fwTag } from "./html/named-elements.ts"
export { $fwAttribute, $fwSpread } from "./html/print-attributes.ts"
export {
  $fwJson,
  $fwNewline,
  $fwPlain,
  $fwRaw,
  $fwScript,
  $fwText,
  Html,
  type PlainText,
  type Printable,
  raw,
} from "./html/text.ts"
export {
  $fwXmlAttribute,
  $fwXmlSpread,
  $fwXmlStyle,
  $fwXmlText,
  $fwXmlUrl,
  rawXml,
  Xml,
  type XmlAttributeValue,
  type XmlPrintable,
} from "./html/xml.ts"

const plainContext = "in an attribute, a title or a text area"

/**
 * Safe HTML from a literal, for route files: `` html`<p class="${name}">${text}</p>` ``.
 *
 * Values are escaped in text, in titles and text areas, and in quoted attribute values. URL attributes are filtered as
 * in templates, and a `URL` object is printed as text. A value at any other place throws: in a tag outside quotes, in
 * comments, scripts and styles, and in attributes that are evaluated (`on…`, `style`, `srcset`, `srcdoc`, `hx-vals` and
 * so on). A literal must end in text, outside of tags. `class` arrays, conditional attributes and JSON only work in
 * templates.
 *
 * @example
 * const name = "Ada & Bob"
 * html`<p class="${"greeting"}">Hello ${name}</p>`.value // → '<p class="greeting">Hello Ada &amp; Bob</p>'
 */
export function html(strings: TemplateStringsArray, ...values: readonly (Printable | URLObject)[]): Html {
  const places = findPlaces(strings)
  let text = $fwAssets(strings[0] ?? "")
  let tagEnd = -1
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    const printable = isURL(value) ? value.href : value
    const place = places[index] ?? "url"
    if (place === "text" || place === "plain") text += printValue(place, printable)
    else if (place === "pre" || place === "area") {
      // A value that prints nothing does not count: the next value may still be at the start of its element.
      if (strings[index] !== "") tagEnd = text.length
      const markup = printValue(place === "pre" ? "text" : "plain", printable)
      text += text.length === tagEnd ? $fwNewline(markup) : markup
    } else
      text += filterValue(place, typeof printable === "string" ? printable : printScalar(printable, plainContext), text)
    text += $fwAssets(strings[index + 1] ?? "")
  }
  return Html.trust(text)
}

const printValue = (place: "text" | "plain", value: Printable): string =>
  place === "text" ? $fwText(value) : printScalar(value, plainContext)

/** Returns the filtered value for the attribute in which `precedingText` ends. */
function filterValue(place: keyof typeof filters, value: string, precedingText: string): string {
  const safe = filters[place](value)
  if (safe !== value && isBlocked(safe))
    reportBlocked(
      /(?<![^\s"'<>/=])([^\s"'<>/=]+)\s*=\s*["'][^"'<>]*$/.exec(precedingText.slice(-200))?.[1] ?? "",
      value,
    )
  reportURL(value)
  return escapeHtml(safe)
}
