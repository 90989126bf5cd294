/** Inline Markdown as HTML: code, links, images, strong and emphasized text. */
import { escapeText } from "../system/html.ts"

/** Returns the target of a link as it is written in a page; null if the link should only be text. */
export type LinkTarget = (target: string) => string | null

const inner = "(?:[^\\[\\]`]|`[^`]*`|\\[[^\\[\\]]*\\])*"
/** The kinds of inline Markdown, in the order in which they are tried at a position. */
const inline = new RegExp(
  [
    "\\\\(?<escaped>[!-/:-@[-`{-~])",
    "(?<mark>`+)(?<code>[\\s\\S]*?[^`])\\k<mark>(?!`)",
    `(?<image>!?)\\[(?<text>${inner})\\]\\((?<target>[^()\\s]*(?:\\([^()\\s]*\\)[^()\\s]*)*)\\)`,
    "<(?<url>https?://[^\\s<>]+)>",
    "\\*\\*(?<strong>\\S(?:[\\s\\S]*?\\S)?)\\*\\*",
    "(?<![\\w*])\\*(?<em>[^\\s*](?:[^*]*[^\\s*])?)\\*(?![\\w*])",
    "(?<!\\w)_(?<em2>[^\\s_](?:[^_]*[^\\s_])?)_(?!\\w)",
  ].join("|"),
  "g",
)

/** Returns the HTML of inline Markdown. */
export function inlineHtml(markdown: string, link: LinkTarget): string {
  let html = ""
  let end = 0
  for (const found of markdown.matchAll(inline)) {
    html += escapeText(markdown.slice(end, found.index)) + partHtml(found.groups ?? {}, link)
    end = found.index + found[0].length
  }
  return html + escapeText(markdown.slice(end))
}

type Groups = Readonly<Record<string, string | undefined>>

function partHtml(
  { escaped, code, image, text, target, url, strong, em, em2 }: Groups,
  link: LinkTarget,
): string {
  if (escaped !== undefined) return escapeText(escaped)
  // One space at both ends only keeps backquotes apart.
  if (code !== undefined) return `<code>${escapeText(code.replace(/^ (.*) $/s, "$1"))}</code>`
  if (text !== undefined) return linkHtml(text, link(target ?? ""), image === "!", link)
  if (url !== undefined) return linkHtml(url, link(url), false, link)
  if (strong !== undefined) return `<strong>${inlineHtml(strong, link)}</strong>`
  return `<em>${inlineHtml(em ?? em2 ?? "", link)}</em>`
}

function linkHtml(text: string, target: string | null, isImage: boolean, link: LinkTarget): string {
  if (isImage)
    return target === null ? escapeText(text) : `<img src="${escapeText(target)}" alt="${escapeText(text)}">`
  const label = inlineHtml(text, link)
  return target === null ? label : `<a href="${escapeText(target)}">${label}</a>`
}
