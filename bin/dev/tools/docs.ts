/**
 * Under `fw dev`, shows the documentation of the fw that the project uses: its pages as HTML. `README.md` links to
 * all of them.
 */
import { readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { readVersion } from "../../cli/version.ts"
import { createAnchor, findDocsDirectory, readDocs, toPlainText } from "../../docs/pages.ts"
import { escapeText } from "../../system/html.ts"
import { packageDirectory } from "../../system/package.ts"
import { type OwnAnswer, toJSONAnswer } from "../page/problem-page.ts"

/** The path of the pages. Below it, they are arranged as in `docs/`. */
export const docsPath = "/__fw/docs/"

const imageTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".webp": "image/webp",
  ".svg": "image/svg+xml",
}
const headers = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
}
const style = `
:root { color-scheme: light dark; }
body { max-width: 50rem; margin: 0 auto; padding: 1rem; font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
code { font: .875em ui-monospace, monospace; } pre, table { display: block; overflow-x: auto; } img { max-width: 100%; height: auto; }
pre { padding: .8rem 1rem; border: 1px solid #8884; border-radius: 6px; line-height: 1.5; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid #8884; }
`

/** Returns true for a request for the documentation. */
export function isDocsPath(url: string | undefined): boolean {
  return url === docsPath.slice(0, -1) || (url ?? "").startsWith(docsPath)
}

/** Answers a request for a page or a picture. */
export async function answerDocs(root: string, url: string): Promise<OwnAnswer> {
  const { pathname } = new URL(url, "http://localhost")
  if (!pathname.startsWith(docsPath)) return { ...toJSONAnswer(302, {}), headers: { location: docsPath } }
  const directory = findDocsDirectory(root, packageDirectory)
  const path = pathname.slice(docsPath.length).replace(/(^|\/)$/, "$1README.md")
  const page = (await readDocs(directory)).find((one) => one.path === path)
  if (page) return toHTMLAnswer(200, page.title, await pageHtml(page.text, pathname))
  return (
    (await readPicture(directory, path)) ?? toHTMLAnswer(404, "There is no such page", "<h1>There is no such page</h1>")
  )
}

/** Returns a page as HTML. It is fw's own text, so it is trusted. A link to a file that is not below `docs/` becomes text. */
async function pageHtml(text: string, pathname: string): Promise<string> {
  const { Marked } = await import("#vendor/markdown")
  const used = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, text, depth }) {
        const id = createAnchor(toPlainText(text), used)
        return `<h${depth} id="${escapeText(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens)
        const { host, pathname: target } = new URL(href, `http://localhost${pathname}`)
        const isThere = host !== "localhost" || target.startsWith(docsPath)
        return isThere ? `<a href="${escapeText(href)}">${label}</a>` : label
      },
    },
  })
  return marked.parse(text, { async: false })
}

/**
 * Returns a picture of a page. The only dot in its name is the one before its ending, so the name cannot lead to
 * another directory.
 */
async function readPicture(directory: string, path: string): Promise<OwnAnswer | null> {
  const type = imageTypes[extname(path)]
  if (!type || !/^[\w-]+(?:\/[\w-]+)*\.[a-z]+$/.test(path)) return null
  const body = await readFile(join(directory, path)).catch(() => null)
  return body && { status: 200, type, body, headers }
}

function toHTMLAnswer(status: number, title: string, main: string): OwnAnswer {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} - fw ${escapeText(readVersion())}</title>
<style>${style}</style>
</head>
<body>
<nav><a href="${docsPath}">fw ${escapeText(readVersion())}</a> · <a href="/">Your application</a></nav>
<main>
${main}
</main>
</body>
</html>
`
  return { status, type: "text/html; charset=utf-8", body, headers }
}
