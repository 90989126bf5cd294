import { type Context, notFound } from "fw"
import { findPage } from "#lib/docs.ts"
import { renderPage } from "#lib/markdown.ts"
import { Document } from "../../_components/document.tpl.ts"

/** A page of the documentation; with `.md` at the end of its address, the Markdown of it. */
export async function Get(c: Context<"slug">) {
  const { path } = c
  const page = findPage(path.replace(/\.md$/, ""))
  if (!page) throw notFound("there is no such page")
  if (path.endsWith(".md")) {
    c.setHeader("content-type", "text/markdown; charset=utf-8")
    return c.string(200, page.markdown)
  }
  c.set("description", page.description)
  return c.page(200, page.title, Document(page, await renderPage(page)))
}
