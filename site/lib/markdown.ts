/** Renders Markdown as HTML. The text is fw's own documentation, so its HTML is trusted. */
import { Marked, type Token, type Tokens } from "marked"
import { findPage, type Page, readText, toHref, toText } from "./docs.ts"
import { escapeHtml } from "./escape.ts"
import { highlight } from "./highlight.ts"

/** A heading below the title of a page. */
export interface Heading {
  readonly id: string
  readonly text: string
  readonly depth: number
}

/** A page as HTML, with its headings. */
export interface RenderedPage {
  readonly html: string
  readonly headings: readonly Heading[]
}

export async function renderPage(page: Page): Promise<RenderedPage> {
  const headings: Heading[] = []
  const used = new Map<string, number>()
  const highlighted = new Map<Token, string>()
  const marked = new Marked({
    async: true,
    // The grammars are loaded when they are needed, so code is highlighted before the page is rendered, which is
    // synchronous.
    walkTokens: async (token) => {
      if (token.type === "code") highlighted.set(token, await highlight(token.text, findLanguage(token)))
    },
    renderer: {
      code: (token) =>
        `<pre tabindex="0" data-language="${findLanguage(token)}"><code>${highlighted.get(token)}\n</code></pre>\n`,
      heading({ tokens, depth }) {
        const text = toText(tokens)
        const id = createAnchor(text, used)
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${inner}</h1>\n`
        headings.push({ id, text, depth })
        const link = `<a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to “${escapeHtml(text)}”">#</a>`
        return `<h${depth} id="${escapeHtml(id)}">${inner} ${link}</h${depth}>\n`
      },
      html: ({ text }) => text.replace(/src="(?:\.\.\/)*pictures\//g, 'loading="lazy" src="/static/pictures/'),
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens)
        const target = resolveLink(href, page)
        return target === undefined ? label : `<a href="${escapeHtml(target)}">${label}</a>`
      },
    },
  })
  const html = await marked.parse(page.markdown)
  // A wide table scrolls, so it must be reachable with the keyboard. An empty heading cell becomes a usual cell.
  const tables = html
    .replace(/<table>/g, '<div class="wide" tabindex="0"><table>')
    .replace(/<\/table>/g, "</table></div>")
    .replace(/<th><\/th>/g, "<td></td>")
  return { html: tables, headings }
}

/** Returns the language of a block of code: the first word after the fence. */
function findLanguage({ lang }: Token & { lang?: string }): string {
  return /^\w+/.exec(lang ?? "")?.[0] ?? "text"
}

/** Returns the address for a link in a page; undefined if it leads to a file that is not on the site. */
function resolveLink(href: string, { file }: Page): string | undefined {
  const { host, protocol, pathname, hash } = new URL(href, `https://docs/${file}`)
  if (host !== "docs" || !/^https?:$/.test(protocol)) return href
  if (href.startsWith("#")) return href
  if (pathname === "/decisions/") return "/docs/decisions"
  const page = findPage(toHref(pathname.slice(1)))
  return page && page.href + hash
}

/** Returns the id of a heading. It is the same as on GitHub, so that links to it work on both. */
function createAnchor(text: string, used: Map<string, number>): string {
  const base = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-")
  const count = used.get(base) ?? 0
  used.set(base, count + 1)
  return count === 0 ? base : `${base}-${count}`
}

/** The text of a page from one heading to the next, as plain text. */
export interface Part {
  readonly heading: string
  readonly id: string
  readonly text: string
}

/** Splits a page at its headings, for the index of the search. */
export function splitPage(page: Page): Part[] {
  const used = new Map<string, number>()
  const parts: { heading: string; id: string; text: string }[] = []
  for (const token of new Marked().lexer(page.markdown)) {
    if (token.type !== "heading") {
      const part = parts.at(-1)
      if (part) part.text += `${readText(token)}\n`
      continue
    }
    const heading = toText((token as Tokens.Heading).tokens)
    const id = createAnchor(heading, used)
    parts.push({ heading, id: token.depth === 1 ? "" : id, text: "" })
  }
  return parts
}
