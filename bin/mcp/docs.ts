/** The tool `fw_docs`: searches the documentation as `fw docs` does. */
import type { OptionsOf } from "../cli/spec.ts"
import type { Io } from "../cli/terminal.ts"
import * as docs from "../commands/docs.ts"
import type * as specs from "../specs/mcp.ts"
import { formatPart } from "./list-routes.ts"

/** Searches the documentation. */
export function run({ query, ...part }: OptionsOf<typeof specs.docs>, io: Pick<Io, "cwd">): Promise<docs.DocsData> {
  return docs.run({ ...part, words: [query] }, io)
}

/** Returns each result with its position. */
export function print({ directory, hits, total, offset }: docs.DocsData): string {
  const texts = hits.map(({ page, line, heading, excerpt }) => `## ${heading} (${page}:${line})\n${excerpt}\n`)
  return [`Pages are in ${directory}.`, ...texts, formatPart("sections", { total, offset, shown: hits.length })].join(
    "\n",
  )
}
