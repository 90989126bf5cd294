/** Converts the Markdown of the documentation to safe HTML: everything that is not Markdown is text. */

import { escapeText } from "../system/html.ts"
import { inlineHtml, type LinkTarget } from "./inline.ts"
import { anchorOf, plainText } from "./pages.ts"

/** The state of one page. */
interface Page {
  readonly link: LinkTarget
  /** Anchors so far. */
  readonly used: Map<string, number>
}

const fence = /^(`{3,}|~{3,})\s*([\w-]*)/
const heading = /^(#{1,6}) +(.+?)(?: +#+)?$/
const listItem = /^([-*+]|\d{1,3}[.)]) +/
const separator = /^\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/

/**
 * Returns the HTML of a page.
 *
 * @param link returns the target of a link as it is written, or null if it should only be text.
 */
export function markdownHtml(text: string, link: LinkTarget): string {
  return blocks(text.replace(/<!--[\s\S]*?-->/g, "").split("\n"), { link, used: new Map() }).join("\n")
}

/** A converted block, and the number of its lines. */
type Block = readonly [html: string, length: number]

function blocks(lines: readonly string[], page: Page): string[] {
  const done: string[] = []
  for (let i = 0; i < lines.length; ) {
    const rest = lines.slice(i)
    if ((rest[0] as string).trim() === "") {
      i += 1
      continue
    }
    const [html, length] = block(rest, page)
    done.push(html)
    i += length
  }
  return done
}

function block(lines: readonly string[], page: Page): Block {
  const [first = "", second = ""] = lines
  if (fence.test(first)) return codeBlock(lines)
  if (heading.test(first)) return [headingHtml(first, page), 1]
  if (first.startsWith("|") && separator.test(second.trim())) return table(lines, page)
  if (listItem.test(first)) return list(lines, page)
  if (first.startsWith(">")) return quote(lines, page)
  if (/^(?:-{3,}|\*{3,})$/.test(first)) return ["<hr>", 1]
  if (first.startsWith("<picture>")) return picture(lines, page)
  return paragraph(lines, page)
}

function headingHtml(line: string, { link, used }: Page): string {
  const [, marks = "", text = ""] = heading.exec(line) ?? []
  const id = anchorOf(plainText(text), used)
  const level = marks.length
  return `<h${level} id="${escapeText(id)}">${inlineHtml(text, link)}</h${level}>`
}

function codeBlock(lines: readonly string[]): Block {
  const [, mark = "", language = ""] = fence.exec(lines[0] as string) ?? []
  const end = lines.findIndex((line, i) => i > 0 && line.startsWith(mark) && line.trim() === mark)
  const inner = lines.slice(1, end < 0 ? lines.length : end)
  const name = language ? ` data-language="${escapeText(language)}"` : ""
  // A box that scrolls must be reachable with the keyboard.
  const html = `<pre tabindex="0"${name}><code>${escapeText(inner.join("\n"))}</code></pre>`
  return [html, end < 0 ? lines.length : end + 1]
}

function table(lines: readonly string[], { link }: Page): Block {
  const end = lines.findIndex((line) => !line.startsWith("|"))
  const rows = lines.slice(0, end < 0 ? lines.length : end)
  const row = (line: string, name: "th" | "td") => {
    const cells = cellsOf(line).map((cell) => {
      // A header without text names nothing.
      const own = cell === "" ? "td" : name
      return `<${own}>${inlineHtml(cell, link)}</${own}>`
    })
    return `<tr>${cells.join("")}</tr>`
  }
  const [head = "", , ...body] = rows
  const inner = body.map((line) => row(line, "td")).join("\n")
  const isNamed = cellsOf(head).some((cell) => cell !== "")
  const header = isNamed ? `<thead>${row(head, "th")}</thead>` : ""
  const html = `<div class="table" tabindex="0"><table>${header}<tbody>\n${inner}\n</tbody></table></div>`
  return [html, rows.length]
}

/** Returns the cells of a row. `\|` is a character, also in code. */
function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\||\|$/g, "")
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"))
}

function list(lines: readonly string[], page: Page): Block {
  const isOrdered = /^\d/.test(lines[0] as string)
  const items: string[] = []
  let i = 0
  for (let item = itemAt(lines, 0, isOrdered); item; item = itemAt(lines, i, isOrdered)) {
    i += item.length
    items.push(`<li>${tight(blocks(item, page))}</li>`)
    // Blank lines between two items.
    const next = lines.slice(i).findIndex((line) => line.trim() !== "")
    if (next > 0 && itemAt(lines, i + next, isOrdered)) i += next
  }
  const name = isOrdered ? "ol" : "ul"
  const start = Number.parseInt(lines[0] as string, 10)
  const from = isOrdered && start !== 1 ? ` start="${start}"` : ""
  return [`<${name}${from}>\n${items.join("\n")}\n</${name}>`, i]
}

/** Returns the lines of an item, without its mark and its indent; undefined if no item begins there. */
function itemAt(lines: readonly string[], at: number, isOrdered: boolean): string[] | undefined {
  const first = lines[at]
  const mark = first === undefined ? undefined : listItem.exec(first)?.[0]
  if (first === undefined || mark === undefined || /^\d/.test(mark) !== isOrdered) return undefined
  const item = [first.slice(mark.length)]
  for (const line of lines.slice(at + 1)) {
    const isIndented = /^ {2,}/.test(line)
    const isLazy = item.at(-1) !== "" && !startsBlock(line)
    if (line.trim() !== "" && !isIndented && !isLazy) break
    if (line.trim() !== "" && !isIndented && item.at(-1)?.trim() === "") break
    item.push(isIndented ? line.slice(Math.min(mark.length, /^ */.exec(line)?.[0].length ?? 0)) : line)
  }
  while (item.at(-1)?.trim() === "") item.pop()
  return item
}

/** Leaves out the paragraph of an item that begins with one. */
function tight([first = "", ...rest]: readonly string[]): string {
  return [first.replace(/^<p>([\s\S]*)<\/p>$/, "$1"), ...rest].join("\n")
}

function quote(lines: readonly string[], page: Page): Block {
  const end = lines.findIndex((line) => !line.startsWith(">"))
  const inner = lines.slice(0, end < 0 ? lines.length : end)
  const text = inner.map((line) => line.replace(/^> ?/, ""))
  return [`<blockquote>\n${blocks(text, page).join("\n")}\n</blockquote>`, inner.length]
}

/** A picture for light and dark: its sources and its text, and nothing else of the HTML. */
function picture(lines: readonly string[], { link }: Page): Block {
  const end = lines.findIndex((line) => line.includes("</picture>"))
  const length = end < 0 ? lines.length : end + 1
  const html = lines.slice(0, length).join("\n")
  const dark = link(/<source[^>]*\ssrcset="([^"]*)"/.exec(html)?.[1] ?? "")
  const light = link(/<img[^>]*\ssrc="([^"]*)"/.exec(html)?.[1] ?? "")
  const alt = /<img[^>]*\salt="([^"]*)"/.exec(html)?.[1] ?? ""
  if (light === null) return [`<p>${escapeText(alt)}</p>`, length]
  const source = dark ? `<source media="(prefers-color-scheme: dark)" srcset="${escapeText(dark)}">` : ""
  return [
    `<p><picture>${source}<img src="${escapeText(light)}" alt="${escapeText(alt)}"></picture></p>`,
    length,
  ]
}

function paragraph(lines: readonly string[], { link }: Page): Block {
  const end = lines.findIndex((line, i) => i > 0 && (line.trim() === "" || startsBlock(line)))
  const inner = lines.slice(0, end < 0 ? lines.length : end)
  return [`<p>${inlineHtml(inner.join("\n"), link)}</p>`, inner.length]
}

/** Returns true for a line that ends a paragraph. */
function startsBlock(line: string): boolean {
  return fence.test(line) || heading.test(line) || listItem.test(line) || /^[|>]|^<picture>/.test(line)
}
