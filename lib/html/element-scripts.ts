/** The scripts of the custom elements that an HTML answer prints. Answers are searched, so a page loads only what it shows. */
import { type Asset, getAssets } from "../assets.ts"
import type { Context } from "../context.ts"
import { formatFile, formatLinks } from "./asset-tags.ts"

/** The end tags of a page, before which everything else is. */
export const shellEndPattern = /(?:<\/body\s*>\s*)?(?:<\/html\s*>\s*)?$/i

const headEndPattern = /<\/head\s*>/i
/** The start tag of a custom element, as the command names it. */
const elementPattern = /<([^\s<>/"'=]+-element)(?=[\s/>])/gi

/**
 * Returns HTML with the scripts of the custom elements in it: at the end of its head, otherwise at its end, where a script of a
 * fragment is run, too. Of a whole page, htmx swaps only the body.
 *
 * @param isAnswer false for a part of a page, after the headers of the answer.
 */
export function addElementScripts(c: Context, html: string, isAnswer = true): string {
  const elements = getAssets()?.elements
  if (!elements) return html
  const tags = Array.from(html.matchAll(elementPattern), ([, tag]) => (tag as string).toLowerCase())
  const files = [...new Set(tags)].flatMap((tag) => (Object.hasOwn(elements, tag) ? (elements[tag] as Asset) : []))
  if (files.length === 0) return html
  const head = isAnswer ? headEndPattern.exec(html) : null
  if (head) c.appendHeader("Vary", "HX-Request")
  const place = (c.isHTMX ? null : head) ?? (shellEndPattern.exec(html) as RegExpExecArray)
  const nonce = c.getString("csp_nonce")
  const links = files.flatMap((file) => formatLinks(file, { isPreloaded: true, nonce }))
  const scripts = files.map((file) => `<script type="module"${formatFile("src", file, { nonce })}></script>`)
  return html.slice(0, place.index) + [...new Set([...links, ...scripts])].join("") + html.slice(place.index)
}
