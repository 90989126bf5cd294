import type { Context } from "fw"
import { sections } from "#lib/docs.ts"
import { version } from "#lib/site.ts"

export const prerender = true

/** Answers with a list of all pages for language models (llmstxt.org). Each links to the Markdown of the page. */
export function Get(c: Context) {
  const lists = sections.map(({ name, pages }) => {
    const items = pages.map(({ title, source, description }) => `- [${title}](${c.origin}${source}): ${description}`)
    return `## ${name}\n\n${items.join("\n")}\n`
  })
  const about =
    "A web framework for TypeScript: pages, APIs and live updates on the standard Request and Response, and one command."
  return c.string(
    200,
    `# fw ${version}\n\n> ${about}\n\nAll pages in one file: ${c.origin}/llms-full.txt\n\n${lists.join("\n")}`,
  )
}
