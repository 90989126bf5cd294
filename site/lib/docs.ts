/** The pages in `docs/`, with the order and descriptions of `docs/README.md`. */
import { readdirSync, readFileSync } from "node:fs"
import { join, posix, resolve } from "node:path"
import { lexer, type Token, type Tokens } from "marked"

/** A page of the documentation. */
export interface Page {
  /** The address of the page, such as `/docs/guides/tutorial` for `guides/tutorial.md`. */
  readonly href: string
  /** The address of the Markdown, such as `/docs/guides/tutorial.md`. */
  readonly source: string
  /** The path of the file, relative to `docs/`. */
  readonly file: string
  /** The heading as plain text. */
  readonly title: string
  /** A shorter name for lists of pages. */
  readonly name: string
  /** A sentence about the page, as plain text. */
  readonly description: string
  readonly markdown: string
}

/** A group of pages, as in the navigation. */
export interface Section {
  readonly name: string
  readonly pages: readonly Page[]
  /** True for pages that most readers do not need. In the navigation, their list is closed at first. */
  readonly isFolded: boolean
}

const directory = resolve("../docs")

/** Sections that have another name here than in `docs/README.md`. */
const names: Readonly<Record<string, string>> = { "Coming from another framework": "Coming from …" }

/**
 * Returns the address of a file in `docs/`. A README.md gets the address of its folder, except where that is the
 * address of another page.
 */
export function toHref(file: string): string {
  if (file === "README.md") return "/docs"
  return `/docs/${file.replace(/README\.md$/, "all.md").replace(/\.md$/, "")}`
}

/** Returns inline Markdown as plain text. */
export function toText(tokens: readonly Token[]): string {
  return tokens.map(readText).join("")
}

/** Returns the words of a block, or of part of it. */
export function readText(token: Token): string {
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].map((row) => row.map((cell) => toText(cell.tokens)).join(" ")).join("\n")
  }
  if (token.type === "list") return (token as Tokens.List).items.map((item) => toText(item.tokens)).join("\n")
  if (token.type === "html") return ""
  if ("tokens" in token && token.tokens) return toText(token.tokens)
  return "text" in token ? token.text : ""
}

function readPage(file: string, name?: string, description?: string): Page {
  const markdown = readFileSync(join(directory, file), "utf8")
  const tokens = lexer(markdown)
  const find = <T extends Token>(type: string) => tokens.find((token) => token.type === type) as T | undefined
  const title = toText(find<Tokens.Heading>("heading")?.tokens ?? [])
  const first = toText(find<Tokens.Paragraph>("paragraph")?.tokens ?? [])
  return {
    href: toHref(file),
    source: `/docs/${file}`,
    file,
    title,
    name: name ?? title,
    description: description ?? shorten(first),
    markdown,
  }
}

/** Returns the first sentences of a text, for the results of search engines. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ")
  return line.length <= 160 ? line : `${line.slice(0, 160).replace(/\s+\S*$/, "")} …`
}

/**
 * Reads the sections and pages from the tables of `docs/README.md`: each table is a section, and each link in it a
 * page.
 */
function readContents(): Section[] {
  const sections: { name: string; pages: Page[]; isFolded: boolean }[] = []
  let heading = ""
  for (const token of lexer(readFileSync(join(directory, "README.md"), "utf8"))) {
    if (token.type === "heading") heading = toText((token as Tokens.Heading).tokens)
    if (token.type !== "table") continue
    const pages = (token as Tokens.Table).rows.flatMap(([links, description]) =>
      (links?.tokens ?? [])
        .filter((part): part is Tokens.Link => part.type === "link")
        .map((link) => readPage(link.href, toText(link.tokens), toText(description?.tokens ?? []))),
    )
    sections.push({ name: names[heading] ?? heading, pages, isFolded: heading in names })
  }
  return sections
}

function readFolder(folder: string): Page[] {
  const files = readdirSync(join(directory, folder)).filter((file) => file.endsWith(".md") && file !== "README.md")
  return files.sort().map((file) => readPage(posix.join(folder, file)))
}

/** The page that lists all pages. */
export const contents: Page = readPage(
  "README.md",
  "All pages",
  "Every page of the documentation, with a sentence about it.",
)

/** The sections in the order in which they are read. */
export const sections: readonly Section[] = [
  ...readContents(),
  { name: "Errors by code", pages: readFolder("reference/errors"), isFolded: true },
  {
    name: "Inside fw",
    pages: ["performance.md", "vocabulary.md", "architecture.md"].map((file) => readPage(file)),
    isFolded: true,
  },
  { name: "Decisions", pages: readFolder("decisions"), isFolded: true },
]

/** Every page in the order in which they are read. */
export const pages: readonly Page[] = [contents, ...sections.flatMap((section) => section.pages)]

const byAddress = new Map(pages.flatMap((page) => [page.href, page.source].map((address) => [address, page])))

/** Returns the page for an address or for the address of its Markdown; undefined if there is none. */
export function findPage(address: string): Page | undefined {
  return byAddress.get(address)
}

/** Returns the page before and the page after a page. */
export function findNeighbours(page: Page): { previous: Page | undefined; next: Page | undefined } {
  const index = pages.indexOf(page)
  return { previous: pages[index - 1], next: pages[index + 1] }
}
