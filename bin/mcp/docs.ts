/** The tool `fw_docs`: a search in the documentation of the installed fw. */
import type { OptionsOf } from "../cli/spec.ts"
import type { Io } from "../cli/terminal.ts"
import { findDocsDirectory, readDocs } from "../docs/pages.ts"
import { type DocsHit, searchDocs } from "../docs/search.ts"
import type * as specs from "../specs/mcp.ts"
import { packageDirectory } from "../system/package.ts"
import { formatPart } from "./list-routes.ts"

/** A part of the results. */
export interface DocsData {
  /** The directory of the pages. */
  readonly directory: string
  readonly hits: readonly Omit<DocsHit, "title">[]
  readonly total: number
  readonly offset: number
}

/** Searches. */
export async function run(
  { query, limit, offset }: OptionsOf<typeof specs.docs>,
  { cwd }: Pick<Io, "cwd">,
): Promise<DocsData> {
  const directory = findDocsDirectory(cwd, packageDirectory)
  const hits = searchDocs(await readDocs(directory), query)
  const pageHits = hits.slice(offset, offset + limit).map(({ title: _, ...hit }) => hit)
  return { directory, hits: pageHits, total: hits.length, offset }
}

/** Returns each result with its place. */
export function print({ directory, hits, total, offset }: DocsData): string {
  const texts = hits.map(({ page, line, heading, excerpt }) => `## ${heading} (${page}:${line})\n${excerpt}\n`)
  return [`Pages are in ${directory}.`, ...texts, formatPart("sections", { total, offset, shown: hits.length })].join(
    "\n",
  )
}
