/** Tests of file names that resemble those of fw, as users of other frameworks write them. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { findProblems } from "../../support/lib/scan/scan-project.ts"

const misnamed: ReadonlyArray<[file: string, right: string]> = [
  ["routes.ts", "route.ts"],
  ["Route.ts", "route.ts"],
  ["ROUTE.mjs", "route.mjs"],
  ["route.tsx", "route.ts"],
  ["route.cjs", "route.ts"],
  ["route.go", "route.ts"],
  ["+server.ts", "route.ts"],
  ["middlewares.ts", "middleware.ts"],
  ["_middleware.ts", "middleware.ts"],
  ["Middleware.js", "middleware.js"],
  ["middleware.go", "middleware.ts"],
  ["Proxy.ts", "proxy.ts"],
  ["page.html", "page.tpl"],
  ["page.templ", "page.tpl"],
  ["Page.tpl", "page.tpl"],
  ["Page.tsx", "page.tsx"],
  ["pages.tpl", "page.tpl"],
  ["index.tpl", "page.tpl"],
  ["index.html", "page.tpl"],
  ["+page.svelte", "page.tpl"],
  ["layout.html", "layout.tpl"],
  ["Layout.tpl", "layout.tpl"],
  ["_layout.tpl", "layout.tpl"],
  ["404.tpl", "not-found.tpl"],
  ["not_found.tpl", "not-found.tpl"],
  ["not-found.tsx", "not-found.tpl"],
  ["NotFound.tpl", "not-found.tpl"],
  ["500.html", "error.tpl"],
  ["errors.tpl", "error.tpl"],
  ["error.tsx", "error.tpl"],
]

for (const [file, right] of misnamed) {
  test(`${file} is an error that proposes ${right}`, async () => {
    const [problem, ...others] = await findProblems({ [`app/x/${file}`]: "" })
    assert.is(others.length, 0)
    assert.is(
      String(problem),
      `app/x/${file}: this is not a file name that fw recognises. Did you mean ${right}?\n  Rename it to ${right}. A helper can have any other name.`,
    )
  })
}

for (const file of ["page.xml.tpl", "layout.xml.tpl", "not-found.xml.tpl", "error.xml.tpl", "Page.xml.tpl"]) {
  test(`${file} is refused, because XML is answered by a route`, async () => {
    const [problem, ...others] = await findProblems({ [`app/x/${file}`]: "" })
    assert.is(others.length, 0)
    assert.match(String(problem), /^app\/x\/\S+: pages and layouts are HTML\. A route answers with XML\n/)
    assert.match(String(problem), /Rename it, such as to feed\.xml\.tpl, .* c\.xml\(200, Feed\(\)\)/)
  })
}

test("an .xml.tpl file next to a route is not a page", async () => {
  const route = "export function Get(c) { return c.noContent() }"
  assert.equal(await findProblems({ "app/feed.xml.tpl": "", "app/route.ts": route }), [])
})

const flat: ReadonlyArray<[file: string, right: string]> = [
  ["[id].ts", "[id]/route.ts"],
  ["[...slug].tsx", "[...slug]/route.ts"],
  ["users.get.ts", "users/route.ts"],
  ["index.post.js", "route.ts"],
  ["[id].delete.ts", "[id]/route.ts"],
]

for (const [file, right] of flat) {
  test(`${file} is an error that proposes ${right}`, async () => {
    const found = await findProblems({ [`app/x/${file}`]: "" })
    const expected = `app/x/${file}: the name of a file is not part of a URL\n  Move it to ${right}, which exports a function per method.`
    assert.equal(found.map(String), [expected])
  })
}

test.run()
