/** Creates the index of the search. A browser loads it when the user searches. */
import MiniSearch from "minisearch"
import { pages } from "./docs.ts"
import { splitPage } from "./markdown.ts"
import { searchOptions } from "./search-options.ts"

/** Returns the index as JSON. Each entry is the part of a page below one heading. */
export function createIndex(): string {
  const index = new MiniSearch(searchOptions)
  for (const page of pages) {
    for (const { heading, id, text } of splitPage(page)) {
      const href = page.href + (id && `#${id}`)
      index.add({ href, title: page.title, heading: id === "" ? "" : heading, text })
    }
  }
  return JSON.stringify(index)
}
