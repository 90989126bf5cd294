/** Tests of the documentation of the installed version in `fw dev`: it is served as text with links. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { answerDocs } from "../../../bin/dev/tools/docs.ts"
import { readDocs } from "../../../bin/docs/pages.ts"
import { ask, makeProject, route, startDev } from "../../support/bin/dev/dev-project.ts"
import { root as checkout } from "../../support/tsc.ts"

const test = suite("fw dev: documentation")
const project = makeProject({ "app/api/route.ts": route("one") })
const start = "/__fw/docs/"

async function page(path: string) {
  const { status, body, type, headers } = await answerDocs(project, start + path)
  return { status, type, headers, html: String(body) }
}

test("fw dev serves the documentation only to this origin, with a policy that allows no scripts", async () => {
  const dev = startDev(project)
  const port = await dev.port()
  const { status, headers, body } = await ask(port, `${start}reference/testing.md`)
  assert.is(status, 200)
  assert.match(body, '<b id="fw-test">## fw test</b>')
  assert.match(String(headers["content-security-policy"]), /^default-src 'none';/)
  assert.is((await ask(port, "/__fw/docs")).headers.location, start)
  const { status: refused } = await ask(port, start, {
    headers: { "sec-fetch-site": "cross-site", "sec-fetch-dest": "script" },
  })
  assert.is(refused, 403)
  assert.is((await ask(port, start, { method: "POST" })).status, 405)
  await dev.stop()
})

test("each page of the documentation is served, and each link in a page leads to a page, a heading or another site", async () => {
  const pages = await readDocs(join(checkout, "docs"))
  const ids = new Map<string, Set<string>>()
  const links: [from: string, to: string][] = []
  for (const { path } of pages) {
    const { status, html } = await page(path)
    assert.is(status, 200, path)
    ids.set(start + path, new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id as string)))
    for (const [, target = ""] of html.matchAll(/<a href="([^"]*)"/g)) links.push([start + path, target])
  }
  for (const [from, to] of links) {
    if (/^https?:/.test(to) || to === "/" || to === start) continue
    const { pathname, hash } = new URL(to, `http://localhost${from}`)
    if (!ids.has(pathname)) {
      const answer = await answerDocs(project, pathname)
      assert.is(answer.status, 200, `${from} links to ${to}, which is not a page`)
      continue
    }
    if (hash)
      assert.ok(
        ids.get(pathname)?.has(decodeURIComponent(hash.slice(1))),
        `${from} links to ${to}, which is not a heading`,
      )
  }
  assert.ok(links.length > 500)
})

test("the start page of a new project links to pages that exist", async () => {
  const template = readFileSync(join(checkout, "scaffold/full-stack/app/page.tpl"), "utf8")
  const targets = [...template.matchAll(/ path: "([^"]*)"/g)].map(([, path]) => path as string)
  assert.ok(targets.length > 3)
  for (const path of targets) assert.is((await page(path)).status, 200, path)
})

test("an unknown page is a 404, and a path that leads outside of the documentation gets no file", async () => {
  for (const path of ["none.md", "../package.json", "%2e%2e/package.json", "reference/..%2f..%2fpackage.json", "<b>"]) {
    const { status, html } = await page(path)
    assert.is(status, path.startsWith("../") || path.startsWith("%2e") ? 302 : 404, path)
    assert.not.match(html, /<b>|"version"/)
  }
})

test.run()
