/** Tests of the search in the documentation. */
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { readDocs } from "../../../bin/docs/pages.ts"
import { searchDocs } from "../../../bin/docs/search.ts"
import { root } from "../../support/tsc.ts"

const pages = await readDocs(join(root, "docs"))
const search = suite("docs search")

for (const [query, page, heading] of [
  ["fw test watch", "reference/testing.md", "fw test"],
  ["signed cookies secrets", undefined, undefined],
  ["trailing slash redirect", undefined, undefined],
] as const) {
  search(`the search for "${query}" finds ${page ? `${heading} in ${page}` : "a section"}`, () => {
    const hits = searchDocs(pages, query)
    assert.ok(hits.length > 0)
    if (page)
      assert.ok(
        hits.slice(0, 5).some((hit) => hit.page === page && hit.heading === heading),
        `the section is not among ${JSON.stringify(hits.slice(0, 5))}`,
      )
    for (const { excerpt } of hits) assert.ok(excerpt.length <= 410)
  })
}

search("a search for unknown words or for nothing finds nothing", () => {
  assert.equal(searchDocs(pages, "xyzzyplugh"), [])
  assert.equal(searchDocs(pages, " ,; "), [])
})

search.run()
