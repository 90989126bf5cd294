/** Creates the text version of a mail from its markup. */

/** Elements whose content is not shown. */
const hiddenElements = new Set(["head", "style", "script", "title"])
/** Elements that begin and end a line, and elements that also have an empty line around them. */
const lineElements = /^(?:address|article|aside|br|dd|div|dt|footer|form|header|li|main|nav|section|tr)$/
const paragraphElements = /^(?:blockquote|dl|h[1-6]|hr|ol|p|pre|table|ul)$/
const entities: Readonly<Record<string, string>> = {
  ...{
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: " ",
    shy: "",
    zwnj: "",
    hellip: "…",
    euro: "€",
    copy: "©",
  },
  ...{ ndash: "–", mdash: "—", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", middot: "·", bull: "•" },
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name = "") => {
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : (entities[name] ?? whole)
  })
}

function readAttribute(tag: string, name: string): string {
  const [, double, single] = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`, "i").exec(tag) ?? []
  return decodeEntities(double ?? single ?? "")
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
    if (hiddenUntil !== "") {
      if (part.toLowerCase().includes(hiddenUntil)) hiddenUntil = ""
      continue
    }
    const [, slash, tagName = ""] = /^<(\/?)(!--|[a-z][a-z\d]*)/i.exec(part) ?? []
    const name = tagName.toLowerCase()
    if (name === "") {
      text += part.startsWith("<!") ? "" : decodeEntities(part.replace(/\s+/g, " "))
    } else if (name === "!--") {
      if (!part.endsWith("-->")) hiddenUntil = "-->"
    } else if (hiddenElements.has(name)) {
      if (!slash) hiddenUntil = `</${name}`
    } else if (name === "a") {
      const { start, address } = link
      if (slash && address !== "" && text.slice(start).trim() !== address) text += ` (${address})`
      const href = slash ? "" : readAttribute(part, "href").replace(/^mailto:/i, "")
      link = { start: text.length, address: href.startsWith("#") ? "" : href }
    } else if (name === "img") text += readAttribute(part, "alt")
    else if (name === "td" || name === "th") text += slash ? " " : ""
    else
      text += `${paragraphElements.test(name) ? "\n\n" : lineElements.test(name) ? "\n" : ""}${name === "li" && !slash ? "- " : ""}`
  }
  const lines = text.split("\n").map((line) => line.replaceAll("  ", " ").trim())
  return `${lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`
}
