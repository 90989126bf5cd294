/** `fw docs`: searches the documentation that comes with fw. */
import { join } from "node:path"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { readVersion } from "../cli/version.ts"
import { findDocsDirectory, readDocs } from "../docs/pages.ts"
import { type DocsHit, searchDocs } from "../docs/search.ts"
import type * as specs from "../specs/project.ts"
import { packageDirectory } from "../system/package.ts"

/** The sections that match. */
export interface DocsData {
  /** The words of the search, separated by spaces. */
  readonly query: string
  /** The directory of the documentation. */
  readonly directory: string
  readonly hits: readonly Omit<DocsHit, "title">[]
  readonly total: number
  readonly offset: number
}

/** Searches for the words. Without words, there are no hits. */
export async function run(
  { words, limit, offset }: OptionsOf<typeof specs.docs>,
  { cwd }: Pick<Io, "cwd">,
): Promise<DocsData> {
  const directory = findDocsDirectory(cwd, packageDirectory)
  const query = words.join(" ")
  const hits = searchDocs(await readDocs(directory), query)
  const pageHits = hits.slice(offset, offset + limit).map(({ title: _, ...hit }) => hit)
  return { query, directory, hits: pageHits, total: hits.length, offset }
}

/** The number of lines that are shown of a found section. */
const maxLines = 3

/** Returns each section with its position. Without words, says where the documentation is. */
export function print({ query, directory, hits, total }: DocsData, { style }: Pick<View, "style">): string {
  if (query === "") {
    return `The documentation of fw ${readVersion()} is in ${directory}. Begin with README.md, or add words to search for.
fw dev shows it too: http://localhost:3000/__fw/docs/
`
  }
  if (total === 0) return `No page has ${JSON.stringify(query)}. Try other words.\n`
  const texts = hits.map(({ page, line, heading, excerpt }) => {
    const lines = excerpt.split("\n").slice(0, maxLines)
    return [`${style.bold(heading)}  ${style.cyan(`${join(directory, page)}:${line}`)}`, ...lines].join("\n  ")
  })
  const more = total > hits.length ? [`${total - hits.length} more: add words, or --limit or --offset.`] : []
  return `${[...texts, ...more].join("\n\n")}\n`
}
