import type { Context } from "fw"
import { sections } from "#lib/docs.ts"

export const prerender = true

/**
 * Answers with all pages for users of fw as one text. The section "Decisions" is left out, because it is for people who
 * change fw.
 */
export function Get(c: Context) {
  const pages = sections.filter(({ name }) => name !== "Decisions").flatMap((section) => section.pages)
  return c.string(200, pages.map(({ file, markdown }) => `<!-- ${file} -->\n\n${markdown}`).join("\n"))
}
