import { type Context, notFound } from "fw"
import { findPage, pages } from "#lib/docs.ts"
import { renderPage } from "#lib/markdown.ts"
import { Document } from "../../_components/document.tpl.ts"

/** Lists the addresses of all pages and of their Markdown, which `npm run build` writes as files. */
export function prerender() {
  const addresses = pages.flatMap(({ href, source }) => [href, source])
  return addresses.map((address) => ({ slug: address.replace(/^\/docs\/?/, "") }))
}

/** Answers with a page of the documentation or, if the address ends with `.md`, with the Markdown of the page. */
export async function Get(c: Context<"slug">) {
  const page = findPage(c.path)
  if (!page) throw notFound("there is no such page")
  if (c.path === page.source) {
    c.setHeader("content-type", "text/markdown; charset=utf-8")
    return c.string(200, page.markdown)
  }
  c.set("description", page.description)
  return c.page(200, page.title, Document(page, await renderPage(page)))
}
