/**
 * Tests of the steps of a build that creates pages: the paths that `prerender` lists, the files of answers, and
 * links to pages that were not created.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { findUnlistedLinks } from "../../../bin/build/pages/links.ts"
import type { PageAnswer } from "../../../bin/build/pages/page-answer.ts"
import { listPaths } from "../../../bin/build/pages/page-paths.ts"
import { listStoredAnswers, toStoredDirectory } from "../../../bin/build/pages/stored-files.ts"
import type { RouteTree, TreePage } from "../../../lib/tree.ts"

function page(pattern: string, file: string, rest?: string): TreePage {
  return { pattern, file, middleware: [], title: "", prerender: true, ...(rest !== undefined && { rest }) }
}

const tree = (...pages: readonly TreePage[]): RouteTree => ({
  appDir: "app",
  routes: [],
  middleware: [],
  pages,
  layouts: [],
})

const posts = page("/posts/{slug}", "app/posts/[slug]/page.tpl")
const docs = [page("/docs", "app/docs/page.tpl"), page("/docs/*", "app/docs/page.tpl", "path")]

/** Returns the paths that a list of `prerender` gives for these pages, and the facts of its failures. */
async function read(pages: readonly TreePage[], prerender: unknown) {
  const modules = Object.fromEntries(pages.map(({ file }) => [file, { prerender }]))
  const toFailure = (error: unknown, path: string, source: string) =>
    ({ name: "prerender.failed", facts: [path, String(error)], at: { file: source } }) as const
  const { paths, failures } = await listPaths({ tree: tree(...pages), modules }, toFailure)
  return { paths: paths.map(({ path }) => path), failures: failures.map(({ facts }) => facts) }
}

for (const [what, pages, prerender, ...paths] of [
  ["a path without parameters", [page("/about", "app/about/page.tpl")], true, "/about"],
  ["a list", [posts], () => [{ slug: "b" }, { slug: "a" }, { slug: "b" }], "/posts/a", "/posts/b"],
  ["a promise", [posts], async () => [{ slug: "ä b/c" }], "/posts/%C3%A4%20b%2Fc"],
  ["an empty list", [posts], () => []],
  ["an optional catch-all", docs, () => [{}, { path: "a/b" }, { path: "" }], "/docs", "/docs/a/b"],
] as const) {
  test(`prerender: ${what} gives ${paths.join(" and ") || "no path"}`, async () => {
    assert.equal(await read(pages, prerender), { paths, failures: [] })
  })
}

for (const [given, pages, prerender, ...facts] of [
  ["a function that returns a text", [posts], () => "a", ["slug"], "a string"],
  ["a number", [posts], 7, ["slug"], "a number"],
  ["a parameter that is a number", [posts], () => [{ slug: 7 }], ["slug"], '{"slug":7}'],
  ["a parameter that is an empty text", [posts], () => [{ slug: "" }], ["slug"], '{"slug":""}'],
  [
    "a parameter that the path does not have",
    [posts],
    () => [{ slug: "a", id: "b" }],
    ["slug"],
    '{"slug":"a","id":"b"}',
  ],
  ["an item that is not an object", [posts], () => [null], ["slug"], "null"],
  ["a parameter that is a list", docs, () => [{ path: ["a"] }], ["path"], '{"path":["a"]}'],
] as const) {
  test(`prerender refuses ${given}`, async () => {
    assert.equal(await read(pages, prerender), { paths: [], failures: [facts] })
  })
}

test("an error of prerender, and a parameter that no path can have, are failures", async () => {
  const thrown = await read([posts], () => {
    throw new Error("no posts")
  })
  assert.equal(thrown.failures, [["/posts/{slug}", "Error: no posts"]])
  assert.match((await read([posts], () => [{ slug: ".." }])).failures[0]?.[1] as string, /"\.\."|\.\./)
})

function answer(path: string, body: string, type = "text/html; charset=utf-8"): PageAnswer {
  return {
    path,
    source: posts.file,
    status: 200,
    headers: { "content-type": type },
    bytes: new TextEncoder().encode(body),
  }
}

test("equal bodies are stored once, and an answer without a body has no file", () => {
  const answers = [answer("/a", "the same"), answer("/b", "the same"), answer("/c", "short"), answer("/d", "")]
  const stored = listStoredAnswers(answers)
  assert.equal(stored["/d"], { status: 200, headers: { "content-type": "text/html; charset=utf-8" } })
  assert.is(stored["/a"]?.file, stored["/b"]?.file)
  const { name, files } = toStoredDirectory(answers)
  assert.is(name, "fw-pages")
  assert.equal(
    files.map(({ path }) => path),
    [stored["/a"]?.file as string, stored["/c"]?.file as string].sort(),
  )
})

test("a link to a path that its route does not list causes one warning", () => {
  const all = tree(posts, page("/about", "app/about/page.tpl"), {
    ...page("/me", "app/me/page.tpl"),
    prerender: undefined,
  } as never)
  const body =
    '<a href="/posts/a">a</a><a class=x href=\'../posts/b?q=1&amp;r=2#c\'>b</a><a href="/posts/b/">b</a><a href="/me">me</a><a href="/nothing">n</a><a href="https://other.example/posts/c">c</a><a href="mailto:a@b.example">m</a><a>none</a>'
  const made = [answer("/posts/a", body), answer("/about", body), answer("/text", body, "text/plain")]
  for (const isStatic of [true, false]) {
    const warnings = findUnlistedLinks(made, all, isStatic)
    assert.is(warnings.length, 1)
    assert.match(
      warnings[0]?.message ?? "",
      "/posts/a links to /posts/b, which app/posts/[slug]/page.tpl does not list",
    )
    assert.match(warnings[0]?.message ?? "", isStatic ? "404" : "for each request")
  }
})

test.run()
