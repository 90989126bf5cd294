import { type Context, notFound } from "fw"
import { findPage, pages } from "#lib/docs.ts"
import { renderPage } from "#lib/markdown.ts"
import { Document } from "../../_components/document.tpl.ts"

/** Every page, and the Markdown of it. */
export function prerender() {
  const addresses = pages.flatMap(({ href, source }) => [href, source])
  return addresses.map((address) => ({ slug: address.replace(/^\/docs\/?/, "") }))
}

/** A page of the documentation; with `.md` at the end of its address, the file that it is made of. */
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
