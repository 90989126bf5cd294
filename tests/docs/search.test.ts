/** Tests of the search in the documentation: for words that people use, the wanted page is the first result. */
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { readDocs } from "../../bin/docs/pages.ts"
import { searchDocs } from "../../bin/docs/search.ts"
import { root } from "../support/tsc.ts"

const pages = await readDocs(join(root, "docs"))

for (const [query, page] of [
  ["csv", "guides/recipes/csv.md"],
  ["s3", "reference/files.md"],
  ["csv download", "guides/recipes/lists.md"],
  ["pagination", "guides/recipes/lists.md"],
  ["cursor", "guides/recipes/lists.md"],
  ["thumbnails", "guides/uploads.md"],
  ["sharp", "guides/uploads.md"],
  ["playwright", "guides/testing.md"],
  ["browser tests", "guides/testing.md"],
  ["vitest", "guides/testing.md"],
  ["jest", "guides/testing.md"],
  ["mocha", "guides/testing.md"],
  ["node:test", "guides/testing.md"],
  ["app factory", "guides/testing.md"],
  ["several apps different settings", "guides/testing.md"],
  ["several roles", "guides/recipes/permissions.md"],
  ["permissions per record", "guides/recipes/permissions.md"],
  ["base path", "guides/recipes/base-path.md"],
  ["single-page application fallback", "reference/static-files.md"],
  ["spa fallback", "reference/static-files.md"],
  ["index.html", "reference/static-files.md"],
  ["passport", "guides/recipes/passport.md"],
  ["saml", "guides/recipes/passport.md"],
  ["ldap", "guides/recipes/passport.md"],
  ["page redirect to another page", "reference/routing.md"],
  ["redirect after sign in", "guides/sessions.md"],
  ["return to the wanted page after signing in", "guides/sessions.md"],
  ["session store of my own", "reference/store.md"],
  ["read embedded file", "operations/build.md"],
] as const) {
  test(`the search for "${query}" finds ${page} first`, () => {
    assert.is(searchDocs(pages, query)[0]?.page, page)
  })
}

test.run()
