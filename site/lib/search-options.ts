/** The options of the search. The index is written with them, and the browser reads it with the same options. */
import type { Options } from "minisearch"

export const searchOptions: Options = {
  idField: "href",
  fields: ["title", "heading", "text"],
  storeFields: ["title", "heading"],
  searchOptions: {
    boost: { title: 3, heading: 4 },
    prefix: true,
    fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    combineWith: "AND",
  },
}
