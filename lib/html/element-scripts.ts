/** The scripts of the custom elements that an HTML answer prints. Answers are searched, so a page loads only what it shows. */
import { type Asset, getAssets } from "../assets.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { formatFile, formatLinks } from "./asset-tags.ts"

/** The end tags of a page, before which everything else is. */
export const shellEndPattern = /(?:<\/body\s*>\s*)?(?:<\/html\s*>\s*)?$/i

const headEndPattern = /<\/head\s*>/i
/** The start tag of a custom element, as the command names it. */
const elementPattern = /<([^\s<>/"'=]+-element)(?=[\s/>])/gi

/**
 * Returns HTML with the scripts of the custom elements in it, at its end, where a script of a fragment runs, too. A whole page has the
 * links to what they need also in its head, so that it is not shown without their styles. They are at its end, too, because htmx
 * takes only the body of a page. The same answer is right for both, so it can be made at build time.
 */
export function addElementScripts(c: Context, html: string): string {
  const elements = getAssets()?.elements
  if (!elements) return html
  const tags = Array.from(html.matchAll(elementPattern), ([, tag]) => (tag as string).toLowerCase())
  const files = [...new Set(tags)].flatMap((tag) => (Object.hasOwn(elements, tag) ? (elements[tag] as Asset) : []))
  if (files.length === 0) return html
  const nonce = access.hasValue(c, "csp_nonce") ? c.getString("csp_nonce") : ""
  const joinLinks = (isPreloaded: boolean) =>
    [...new Set(files.flatMap((file) => formatLinks(file, { isPreloaded, nonce })))].join("")
  const scripts = files.map((file) => `<script type="module"${formatFile("src", file, { nonce })}></script>`).join("")
  const head = headEndPattern.exec(html)?.index
  const end = (shellEndPattern.exec(html) as RegExpExecArray).index
  const last = joinLinks(head === undefined) + scripts
  if (head === undefined) return html.slice(0, end) + last + html.slice(end)
  return html.slice(0, head) + joinLinks(true) + html.slice(head, end) + last + html.slice(end)
}
