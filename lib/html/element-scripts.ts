/**
 * Adds the scripts of the custom elements that an HTML answer contains, so that a page loads only the scripts that it
 * needs.
 */
import { type Asset, getAssets } from "../assets.ts"
import { formatFile, formatLinks } from "./asset-tags.ts"

/** The end tags of `body` and `html`, which are optional. */
export const shellEndPattern = /(?:<\/body\s*>\s*)?(?:<\/html\s*>\s*)?$/i

const headEndPattern = /<\/head\s*>/i
/** The start tag of a custom element. The name of the file `cart-element.ts` gives the tag its name. */
const elementPattern = /<([^\s<>/"'=]+-element)(?=[\s/>])/gi

/**
 * Returns HTML with the scripts of its custom elements at the end, where they run in a fragment too. The links to their
 * stylesheets are in the head of a whole page, so that it is not shown without styles, and again at the end, because
 * htmx takes only the body of a page. The result is the same for browsers and for htmx, so it can be made at build
 * time.
 *
 * @param nonce the nonce of the page's Content-Security-Policy; `""` for none.
 */
export function addElementScripts(html: string, nonce: string): string {
  const elements = getAssets()?.elements
  if (!elements) return html
  const tags = Array.from(html.matchAll(elementPattern), ([, tag]) => (tag as string).toLowerCase())
  const files = [...new Set(tags)].flatMap((tag) => (Object.hasOwn(elements, tag) ? (elements[tag] as Asset) : []))
  if (files.length === 0) return html
  const joinLinks = (isPreloaded: boolean) =>
    [...new Set(files.flatMap((file) => formatLinks(file, { isPreloaded, nonce })))].join("")
  const scripts = files.map((file) => `<script type="module"${formatFile("src", file, { nonce })}></script>`).join("")
  const head = headEndPattern.exec(html)?.index
  const end = (shellEndPattern.exec(html) as RegExpExecArray).index
  const endTags = joinLinks(head === undefined) + scripts
  if (head === undefined) return html.slice(0, end) + endTags + html.slice(end)
  return html.slice(0, head) + joinLinks(true) + html.slice(head, end) + endTags + html.slice(end)
}
