/** Converts the Markdown of the documentation to safe HTML: everything that is not Markdown is text. */
import type { Marked } from "#vendor/markdown"
import { escapeText } from "../system/html.ts"
import { anchorOf, plainText } from "./pages.ts"

/** Returns the target of a link as it is written in a page; null if the link should only be text. */
export type LinkTarget = (target: string) => string | null

type Renderer = NonNullable<NonNullable<Parameters<Marked["use"]>[0]>["renderer"]>

/**
 * Returns the HTML of a page.
 *
 * @param link returns the target of a link as it is written, or null if it should only be text.
 */
export async function markdownHtml(text: string, link: LinkTarget): Promise<string> {
  const { Marked } = await import("#vendor/markdown")
  const page = text.replace(/<!--[\s\S]*?-->/g, "")
  return new Marked({ renderer: rendererFor(link) }).parse(page, { async: false })
}

/** Returns the functions for what differs from the library: links, anchors, tables, and HTML, which is text. */
function rendererFor(link: LinkTarget): Renderer {
  const used = new Map<string, number>()
  return {
    text(token) {
      return "tokens" in token && token.tokens
        ? this.parser.parseInline(token.tokens)
        : escapeText(token.text)
    },
    html: ({ text }) => (text.startsWith("<picture>") ? pictureHtml(text, link) : escapeText(text)),
    codespan: ({ text }) => `<code>${escapeText(text)}</code>`,
    code({ text, lang = "" }) {
      const [language = ""] = lang.split(/\s/)
      const name = language ? ` data-language="${escapeText(language)}"` : ""
      // A box that scrolls must be reachable with the keyboard.
      return `<pre tabindex="0"${name}><code>${escapeText(text)}</code></pre>\n`
    },
    heading({ tokens, text, depth }) {
      const id = anchorOf(plainText(text), used)
      return `<h${depth} id="${escapeText(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const target = link(href)
      const label = this.parser.parseInline(tokens)
      return target === null ? label : `<a href="${escapeText(target)}">${label}</a>`
    },
    image({ href, text }) {
      const target = link(href)
      return target === null
        ? escapeText(text)
        : `<img src="${escapeText(target)}" alt="${escapeText(text)}">`
    },
    table({ header, rows }) {
      const cell = ({ tokens, header, text }: (typeof rows)[number][number]) => {
        // A header without text names nothing.
        const name = header && text !== "" ? "th" : "td"
        return `<${name}>${this.parser.parseInline(tokens)}</${name}>`
      }
      const row = (cells: typeof header) => `<tr>${cells.map(cell).join("")}</tr>`
      const head = header.some(({ text }) => text !== "") ? `<thead>${row(header)}</thead>` : ""
      const body = rows.map(row).join("\n")
      return `<div class="table" tabindex="0"><table>${head}<tbody>\n${body}\n</tbody></table></div>\n`
    },
  }
}

/** A picture for light and dark: its sources and its text, and nothing else of the HTML. */
function pictureHtml(html: string, link: LinkTarget): string {
  const dark = link(/<source[^>]*\ssrcset="([^"]*)"/.exec(html)?.[1] ?? "")
  const light = link(/<img[^>]*\ssrc="([^"]*)"/.exec(html)?.[1] ?? "")
  const alt = escapeText(/<img[^>]*\salt="([^"]*)"/.exec(html)?.[1] ?? "")
  if (light === null) return `<p>${alt}</p>\n`
  const source = dark ? `<source media="(prefers-color-scheme: dark)" srcset="${escapeText(dark)}">` : ""
  return `<p><picture>${source}<img src="${escapeText(light)}" alt="${alt}"></picture></p>\n`
}
