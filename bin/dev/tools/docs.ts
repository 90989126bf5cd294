/**
 * Serves the documentation of the project's fw under `fw dev`, so that it can be read without a network. Markdown
 * is shown as text in which links work.
 */
import { readVersion } from "../../cli/version.ts"
import { findDocsDirectory, readDocs, splitSections } from "../../docs/pages.ts"
import { escapeText } from "../../system/html.ts"
import { packageDirectory } from "../../system/package.ts"
import { type OwnAnswer, toJSONAnswer } from "../page/problem-page.ts"

/** The path of the documentation. Paths below it are those below `docs/`. */
export const docsPath = "/__fw/docs/"

const headers = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
}
const style =
  ":root { color-scheme: light dark; } pre { max-width: 55rem; margin: 0 auto; padding: 1rem; font: 15px/1.6 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }"

/** Returns true for a request for the documentation. */
export function isDocsPath(url: string | undefined): boolean {
  return url === docsPath.slice(0, -1) || (url ?? "").startsWith(docsPath)
}

/** Answers a request for a page of the documentation. */
export async function answerDocs(root: string, url: string): Promise<OwnAnswer> {
  const { pathname } = new URL(url, "http://localhost")
  if (!pathname.startsWith(docsPath)) return { ...toJSONAnswer(302, {}), headers: { location: docsPath } }
  const path = pathname.slice(docsPath.length).replace(/(^|\/)$/, "$1README.md")
  const page = (await readDocs(findDocsDirectory(root, packageDirectory))).find((one) => one.path === path)
  if (!page) return toAnswer(404, "There is no such page", "There is no such page.")
  return toAnswer(200, page.title, addLinks(page.text, pathname))
}

/**
 * Returns Markdown as HTML that shows the same text. Only headings and links become elements. Links to files
 * outside `docs/` stay text.
 */
function addLinks(text: string, pathname: string): string {
  const anchors = new Map(splitSections(text).map(({ line, anchor }) => [line - 1, anchor]))
  const lines = text.split("\n").map((line, index) => {
    const html = escapeText(line).replace(/(?<=\]\()[^()\s]+(?=\))/g, (href) => {
      const { host, pathname: target } = new URL(href, `http://localhost${pathname}`)
      return host !== "localhost" || target.startsWith(docsPath) ? `<a href="${href}">${href}</a>` : href
    })
    const anchor = anchors.get(index)
    return anchor ? `<b id="${escapeText(anchor)}">${html}</b>` : html
  })
  return lines.join("\n")
}

function toAnswer(status: number, title: string, text: string): OwnAnswer {
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} - fw ${escapeText(readVersion())}</title>
<style>${style}</style>
<pre><a href="${docsPath}">fw ${escapeText(readVersion())}: all pages</a>

${text}</pre>
</html>
`
  return { status, type: "text/html; charset=utf-8", body, headers }
}
