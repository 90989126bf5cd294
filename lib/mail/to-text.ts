/** Creates the text version of a mail from its markup. */
import { decodeReferences } from "../entities.ts"

/** Elements whose content is not shown. */
const hiddenElements = new Set(["head", "style", "script", "title"])
/** Elements that begin and end a line, and elements that also have an empty line around them. */
const lineElements = /^(?:address|article|aside|br|dd|div|dt|footer|form|header|li|main|nav|section|tr)$/
const paragraphElements = /^(?:blockquote|dl|h[1-6]|hr|ol|p|pre|table|ul)$/

function readAttribute(tag: string, name: string): string {
  const [, double, single] = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`, "i").exec(tag) ?? []
  return decodeReferences(double ?? single ?? "")
}

/**
 * Returns markup as text, with empty lines between paragraphs, `- ` before the items of lists, and addresses after
 * links.
 */
export function toText(html: string): string {
  let text = ""
  /** The end tag of a hidden element, such as a style, while its content is skipped. */
  let hiddenUntil = ""
  let link = { start: 0, address: "" }
  // Templates escape a `>` inside an attribute, so each `>` ends a tag.
  for (const part of html.split(/(<[^<>]*>)/)) {
    const [, slash, tagName = ""] = /^<(\/?)(!--|[a-z][a-z\d]*)/i.exec(part) ?? []
    const name = tagName.toLowerCase()
    if (hiddenUntil !== "") hiddenUntil = part.toLowerCase().includes(hiddenUntil) ? "" : hiddenUntil
    else if (name === "!--") hiddenUntil = part.endsWith("-->") ? "" : "-->"
    else if (hiddenElements.has(name)) hiddenUntil = slash ? "" : `</${name}`
    else if (name === "") text += part.startsWith("<!") ? "" : decodeReferences(part.replace(/\s+/g, " "))
    else if (name === "img") text += readAttribute(part, "alt")
    else if (name === "a") {
      const { start, address } = link
      if (slash && address !== "" && text.slice(start).trim() !== address) text += ` (${address})`
      const href = slash ? "" : readAttribute(part, "href").replace(/^mailto:/i, "")
      link = { start: text.length, address: href.startsWith("#") ? "" : href }
    } else if (paragraphElements.test(name)) text += "\n\n"
    else if (lineElements.test(name)) text += name === "li" && !slash ? "\n- " : "\n"
    else if (slash && /^t[dh]$/.test(name)) text += " "
  }
  const lines = text.split("\n").map((line) => line.replaceAll("  ", " ").trim())
  const paragraphs = lines.join("\n").replace(/\n{3,}/g, "\n\n")
  return `${paragraphs.trim()}\n`
}
