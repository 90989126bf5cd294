/** How words are found. The index is made with these options, and read with them in the browser. */
import type { Options } from "minisearch"

/** The options of the index. */
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
