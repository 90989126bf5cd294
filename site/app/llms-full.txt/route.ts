import type { Context } from "fw"
import { sections } from "#lib/docs.ts"

export const prerender = true

/** All pages for users of fw as one text. Decisions are for those who change fw. */
export function Get(c: Context) {
  const pages = sections.filter(({ name }) => name !== "Decisions").flatMap((section) => section.pages)
  return c.string(200, pages.map(({ file, markdown }) => `<!-- ${file} -->\n\n${markdown}`).join("\n"))
}
