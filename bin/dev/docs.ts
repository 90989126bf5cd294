/** The documentation of the project's fw under `fw dev`: its pages as HTML, and a search. */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { readVersion } from "../cli/version.ts"
import { markdownHtml } from "../docs/markdown.ts"
import { type DocsPage, docsDirectory, readDocs } from "../docs/pages.ts"
import { searchDocs } from "../docs/search.ts"
import { escapeText } from "../system/html.ts"
import { packageDirectory } from "../system/package.ts"
import { docsStyle } from "./docs-style.ts"
import { json, type OwnAnswer } from "./page.ts"

/** The path below which the pages are, as they are below `docs/`. */
export const docsPath = "/__fw/docs/"

const index = "README.md"
const images: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".webp": "image/webp",
  ".svg": "image/svg+xml",
}
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(docsStyle).digest("base64")}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")
/** Most results of a search. */
const mostHits = 30

/** Returns true for a request for the documentation. */
export function isDocsPath(url: string | undefined): boolean {
  return url === docsPath.slice(0, -1) || (url ?? "").startsWith(docsPath)
}

/** Answers a request for a page, a picture, or with `?q=` for a search. */
export async function docsAnswer(root: string, url: string): Promise<OwnAnswer> {
  const { pathname, searchParams } = new URL(url, "http://localhost")
  if (!pathname.startsWith(docsPath)) return redirect(docsPath)
  const directory = docsDirectory(root, packageDirectory)
  const pages = await readDocs(directory)
  const path = pathname.slice(docsPath.length) || index
  const query = searchParams.get("q")?.trim().slice(0, 200)
  if (query) return searchAnswer(pages, query)
  const page = pages.find((one) => one.path === path)
  if (page) return html(200, page.title, pages, await markdownHtml(page.text, linksOf(path)), path)
  return folderAnswer(pages, path) ?? (await picture(directory, path)) ?? missing(pages, path)
}

function searchAnswer(pages: readonly DocsPage[], query: string): OwnAnswer {
  const hits = searchDocs(pages, query).slice(0, mostHits)
  const items = hits.map(({ page, title, heading, anchor, excerpt }) => {
    const name = heading === title ? title : `${title}: ${heading}`
    const target = `${docsPath}${page}${anchor ? `#${encodeURIComponent(anchor)}` : ""}`
    return `<li><a href="${escapeText(target)}">${escapeText(name)}</a><p>${escapeText(excerpt.slice(0, 200))}</p></li>`
  })
  const found = items.length > 0 ? `<ul>${items.join("\n")}</ul>` : "<p>No page was found.</p>"
  return html(200, "Search", pages, `<h1>Search: ${escapeText(query)}</h1>\n${found}`, "", query)
}

/** Returns the list of the pages in a folder; null if there is no such folder. */
function folderAnswer(pages: readonly DocsPage[], path: string): OwnAnswer | null {
  const folder = `${path.replace(/\/$/, "")}/`
  const inside = pages.filter((page) => page.path.startsWith(folder))
  if (inside.length === 0) return null
  return html(200, path, pages, groupHtml(escapeText(path), inside, path).replaceAll("h2", "h1"), path)
}

function missing(pages: readonly DocsPage[], path: string): OwnAnswer {
  const main = `<h1>There is no such page</h1><p><code>${escapeText(path)}</code> is not a page of this version.</p>`
  return html(404, "There is no such page", pages, main, "")
}

/** Returns a picture of a page. Its name has no dots but that of its ending, so it leads nowhere else. */
async function picture(directory: string, path: string): Promise<OwnAnswer | null> {
  const type = images[extname(path)]
  if (!type || !/^[\w-]+(?:\/[\w-]+)*\.[a-z]+$/.test(path)) return null
  const body = await readFile(join(directory, path)).catch(() => null)
  return body && { status: 200, type, body, headers: { "content-security-policy": policy } }
}

function redirect(location: string): OwnAnswer {
  return { ...json(302, { location }), headers: { location } }
}

/** Returns the links of a page that lead to pages, to other sites, and to places in it. */
function linksOf(path: string): (target: string) => string | null {
  return (target) => {
    if (/^https?:\/\//.test(target) || target.startsWith("#")) return target
    if (target === "" || /^[a-z][a-z\d+.-]*:/i.test(target)) return null
    const { origin, pathname, hash } = new URL(target, `http://localhost${docsPath}${path}`)
    return origin === "http://localhost" && pathname.startsWith(docsPath) ? pathname + hash : null
  }
}

function html(
  status: number,
  title: string,
  pages: readonly DocsPage[],
  main: string,
  path: string,
  query = "",
): OwnAnswer {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} - fw ${escapeText(readVersion())}</title>
<style>${docsStyle}</style>
</head>
<body>
<header>
<a class="skip" href="#main">Skip to the text</a>
<a href="${docsPath}">fw ${escapeText(readVersion())}</a>
<a href="/">Your application</a>
<form action="${docsPath}" role="search"><input name="q" type="search" value="${escapeText(query)}" aria-label="Search the documentation" placeholder="Search"><button>Search</button></form>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<nav aria-label="Pages">
${navigation(pages, path)}
</nav>
</body>
</html>
`
  return {
    status,
    type: "text/html; charset=utf-8",
    body,
    headers: { "content-security-policy": policy, "referrer-policy": "no-referrer" },
  }
}

/** Folders in the order of a reader's way, and their titles. Others follow. */
const folders: Readonly<Record<string, string>> = {
  start: "Start",
  guides: "Guides",
  reference: "Reference",
  operations: "Operations",
}

/** Returns the list of the pages, by folder. The errors are behind their list. */
function navigation(pages: readonly DocsPage[], path: string): string {
  const groups = Object.entries(folders).map(([folder, title]) => {
    const inside = pages.filter(
      (page) => page.path.startsWith(`${folder}/`) && !page.path.includes("/errors/"),
    )
    return groupHtml(title, inside, path)
  })
  const rest = pages.filter((page) => !page.path.includes("/") && page.path !== index)
  const errors = pages.filter((page) => page.path.endsWith("errors/README.md"))
  return [...groups, groupHtml("More", [...errors, ...rest], path)].join("\n")
}

function groupHtml(title: string, pages: readonly DocsPage[], path: string): string {
  if (pages.length === 0) return ""
  const items = pages.map((page) => {
    const current = page.path === path ? ' aria-current="page"' : ""
    return `<li><a href="${docsPath}${escapeText(page.path)}"${current}>${escapeText(page.title)}</a></li>`
  })
  return `<h2>${title}</h2>\n<ul>\n${items.join("\n")}\n</ul>`
}
