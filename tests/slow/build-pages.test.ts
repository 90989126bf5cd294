/**
 * Tests of pages that `fw build` renders: which files it stores, how programs answer with them, and which pages
 * cannot be rendered. Slow: each test bundles a whole project twice.
 */
import { execFileSync, spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../support/bin/cli/command.ts"
import { ask, makeProject, startDev } from "../support/bin/dev/dev-project.ts"

/** A text that is long enough to be compressed. */
const text = "a line of the page, which is there often. ".repeat(60).trim()

const site = {
  "package.json": '{ "name": "site", "type": "module", "fw": { "site": "https://site.example" } }\n',
  "main.ts":
    'import { App, requestID } from "fw"\nconst app = new App({ logger: false })\napp.use(requestID())\napp.use((next) => (c) => {\n  c.setHeader("X-Cookie", c.cookie("theme") || "none")\n  return next(c)\n})\nexport default app\n',
  "app/layout.tpl":
    'template Layout(title: string) {\n  <!doctype html>\n  <html lang="en"><head><title>{title}</title></head><body>{children}</body></html>\n}\n',
  "app/page.tpl": `export const prerender = true\n\nlet made = 0\nconst load = () => Promise.resolve("late")\n\ntemplate Page() {\n  <h1>Home {++made}</h1>\n  <p>${text}</p>\n  {defer {\n    <b>{await load()}</b>\n  } pending {\n    <i>wait</i>\n  }}\n  <a href="/posts/first">first</a> <a href="/posts/missing">missing</a> <a href="/me">me</a>\n}\n`,
  "app/posts/[slug]/page.tpl":
    'import type { Context, PrerenderParams } from "fw"\n\nexport async function prerender(): Promise<PrerenderParams<"slug">> {\n  return [{ slug: "first" }, { slug: "ä b" }]\n}\n\ntemplate Page(c: Context<"slug">) {\n  <h1>{c.param("slug")}</h1>\n}\n',
  "app/docs/[[...path]]/page.tpl":
    'import type { Context } from "fw"\n\nexport const prerender = () => [{}, { path: "a/b" }]\n\ntemplate Page(c: Context) {\n  <h1>docs {c.param("path")}</h1>\n}\n',
  "app/feed.xml/route.ts":
    'import type { Context } from "fw"\n\nexport const prerender = true\n\nexport function Get(c: Context) {\n  c.setHeader("Content-Type", "application/rss+xml")\n  c.setHeader("Cache-Control", "public, max-age=60")\n  return c.xml(200, "<feed>" + c.origin + "</feed>")\n}\n',
  "app/old/route.ts":
    'import type { Context } from "fw"\n\nexport const prerender = true\n\nexport const Get = (c: Context) => c.redirect(301, "/posts/first")\nexport const Post = (c: Context) => c.noContent()\n',
  "app/members/middleware.ts":
    'import { basicAuth } from "fw"\n\nexport const Middleware = () => basicAuth({ users: { ada: "secret-secret" } })\n',
  "app/members/page.tpl": "export const prerender = true\n\ntemplate Page() {\n  <h1>Members</h1>\n}\n",
  "app/me/page.tpl":
    'import type { Context } from "fw"\n\ntemplate Page(c: Context) {\n  <h1>{c.cookie("me")}</h1>\n}\n',
  "app/not-found.tpl":
    'import type { Context } from "fw"\n\ntemplate NotFound(c: Context, message: string) {\n  <h1>Nothing here</h1>\n}\n',
  "static/a.txt": "static a",
} as const

/** Returns the files of a directory with their texts. */
function readAll(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = names.map((entry) => join(entry.parentPath, entry.name)).sort()
  return Object.fromEntries(paths.map((path) => [path.slice(directory.length + 1), readFileSync(path, "latin1")]))
}

const page = (title: string, body: string) =>
  `<!doctype html> <html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`

const home = page(
  "Home",
  `<h1>Home 1</h1> <p>${text}</p> <b>late</b> <a href="/posts/first">first</a> <a href="/posts/missing">missing</a> <a href="/me">me</a>`,
)

test("--target static writes a directory that any host serves, with the same bytes each time", async () => {
  const cwd = makeProject(site)
  const { code, stdout, stderr } = await fw(["build", "--target", "static", "--json"], { cwd, env: {} })
  assert.is(code, 0, stdout + stderr)
  const files = readAll(join(cwd, "dist/static"))
  assert.equal(Object.keys(files), [
    "404.html",
    "_redirects",
    "docs/a/b/index.html",
    "docs/index.html",
    "feed.xml",
    "fw-build.json",
    "index.html",
    "old/index.html",
    "posts/first/index.html",
    "posts/ä b/index.html",
    "sitemap.xml",
    "static/a-42461D9A.txt",
    "static/a.txt",
  ])
  assert.is(files["index.html"], home)
  assert.is(files["posts/first/index.html"], page("Posts", "<h1>first</h1>"))
  assert.is(files["docs/a/b/index.html"], page("Docs", "<h1>docs a/b</h1>"))
  assert.is(files["404.html"], page("Not found", "<h1>Nothing here</h1>"))
  assert.is(files["feed.xml"], "<feed>https://site.example</feed>")
  assert.is(files._redirects, "/old /posts/first 301\n")
  assert.match(files["old/index.html"] ?? "", '<meta http-equiv="refresh" content="0; url=/posts/first">')
  assert.match(
    files["sitemap.xml"] ?? "",
    "<url><loc>https://site.example/docs</loc></url>\n<url><loc>https://site.example/docs/a/b</loc></url>\n",
  )
  assert.not.match(files["sitemap.xml"] ?? "", /feed|old|members|404/)
  const { data } = JSON.parse(stdout)
  assert.equal(data.leftOut, [
    { method: "GET", pattern: "/me", file: "app/me/page.tpl" },
    { method: "GET", pattern: "/members", file: "app/members/page.tpl", status: 401 },
    { method: "POST", pattern: "/old", file: "app/old/route.ts" },
  ])
  assert.equal([data.pages, data.sitemap], [7, true])
  assert.match(stderr, "these routes need a server and are left out:")
  assert.match(stderr, "GET /members (app/members/page.tpl), to which a middleware or the proxy answers 401")
  assert.match(stderr, "/ links to /posts/missing, which app/posts/[slug]/page.tpl does not list")
  assert.is((await fw(["build", "--target", "static"], { cwd, env: {} })).code, 0)
  assert.equal(readAll(join(cwd, "dist/static")), files)
})

test("a rendered page loads files for the browser by their names with hashes, and the scripts of its elements", async () => {
  const cwd = makeProject({
    "package.json": '{ "name": "site", "type": "module" }\n',
    "app/page.tpl":
      'export const prerender = true\n\ntemplate Page() {\n  <link rel="stylesheet" href="/assets/part.css"><part-element></part-element>\n}\n',
    "app/part.element.ts": "export class PartElement extends HTMLElement {}\n",
    "assets/part.css": "b { color: red }\n",
  })
  const { code, stdout, stderr } = await fw(["build", "--target", "static"], { cwd, env: {} })
  assert.is(code, 0, stdout + stderr)
  const files = readAll(join(cwd, "dist/static"))
  const urls = [...(files["index.html"] ?? "").matchAll(/(?:href|src)="\/([^"]*)"/g)].map(([, path]) => path as string)
  assert.equal(
    urls.map((path) => path.replace(/-[A-Z\d]{8}\./, "-HASH.")),
    ["assets/part-HASH.css", "assets/elements/part-element-HASH.js"],
  )
  for (const path of urls) assert.ok(path in files, path)
})

type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** Compares the answers of a program with the rendered pages. */
async function checkAnswers(ask: Ask, compresses: boolean): Promise<void> {
  // The handler counts its calls, so an answer of the handler would differ from the stored one.
  for (const headers of [{}, { "HX-Request": "true" }, { cookie: "theme=dark" }, { range: "bytes=0-3" }] as const) {
    const answer = await ask("/", { headers: { "accept-encoding": "identity", ...headers } })
    assert.is(answer.status, 200)
    assert.is(await answer.text(), home)
    assert.is(answer.headers.get("content-type"), "text/html; charset=utf-8")
    assert.is(answer.headers.get("x-cookie"), "cookie" in headers ? "dark" : "none")
    assert.ok(answer.headers.get("x-request-id"))
  }
  const first = await ask("/", { headers: { "accept-encoding": "identity" } })
  const etag = first.headers.get("etag") ?? ""
  assert.match(etag, /^"[\da-f]{20}"$/)
  const same = await ask("/", { headers: { "accept-encoding": "identity", "if-none-match": etag } })
  assert.equal([same.status, same.headers.get("etag"), await same.text()], [304, etag, ""])
  const head = await ask("/", { method: "HEAD", headers: { "accept-encoding": "identity" } })
  assert.equal([head.status, head.headers.get("etag"), await head.text()], [200, etag, ""])
  const small = await ask("/", { headers: { "accept-encoding": "br" } })
  assert.is(small.headers.get("content-encoding"), compresses ? "br" : null)
  assert.is(await small.text(), home)
  const feed = await ask("/feed.xml")
  assert.equal(
    ["content-type", "cache-control"].map((name) => feed.headers.get(name)),
    ["application/rss+xml", "public, max-age=60"],
  )
  const old = await ask("/old", { redirect: "manual" })
  assert.equal([old.status, old.headers.get("location")], [301, "/posts/first"])
  assert.is((await ask("/members")).status, 401)
  const authorization = `Basic ${Buffer.from("ada:secret-secret").toString("base64")}`
  assert.match(await (await ask("/members", { headers: { authorization } })).text(), "<h1>Members</h1>")
  assert.match(
    await (await ask("/posts/missing")).text(),
    "<h1>missing</h1>",
    "the handler did not answer a path that is not rendered",
  )
  assert.match(await (await ask("/posts/%C3%A4%20b")).text(), "<h1>ä b</h1>")
  assert.is((await ask("/old", { method: "POST" })).status, 204)
}

/** Starts a program, and calls a function that can send requests to it. */
async function withProgram(program: string, args: readonly string[], use: (ask: Ask) => Promise<void>): Promise<void> {
  const env = { PORT: "0", HOST: "127.0.0.1", NODE_OPTIONS: "" }
  const child = spawn(program, args, { cwd: tmpdir(), env, stdio: ["ignore", "pipe", "inherit"] })
  try {
    const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
    const port = /:(\d+)$/.exec(value as string)?.[1]
    await use((path, init) => fetch(`http://127.0.0.1:${port}${path}`, init))
  } finally {
    child.kill("SIGKILL")
  }
}

test("the bundle for Node sends the rendered pages, through its middleware", async () => {
  const cwd = makeProject(site)
  const { code, stderr } = await fw(["build", "--target", "node"], { cwd, env: {} })
  assert.is(code, 0, stderr)
  await withProgram(process.execPath, [join(cwd, "dist/node/server.mjs")], (ask) => checkAnswers(ask, true))
})

test("the worker sends the rendered pages from its assets", async () => {
  const cwd = makeProject(site)
  const { code, stderr } = await fw(["build", "--target", "workers"], { cwd, env: {} })
  assert.is(code, 0, stderr)
  const worker = await import(pathToFileURL(join(cwd, "dist/workers/worker.mjs")).href)
  const ASSETS = {
    async fetch(request: Request) {
      const path = join(cwd, "dist/workers/assets", new URL(request.url).pathname)
      return existsSync(path) ? new Response(readFileSync(path)) : new Response(null, { status: 404 })
    },
  }
  await checkAnswers(
    (path, init) =>
      worker.default.fetch(new Request(`http://site.example${path}`, init), { ASSETS }, { waitUntil() {} }),
    false,
  )
})

const wrong: ReadonlyArray<readonly [what: string, files: Record<string, string>, ...messages: RegExp[]]> = [
  [
    "data of a request, each at its place",
    {
      "app/layout.tpl":
        'import type { Context } from "fw"\n\ntemplate Layout(title: string, c: Context) {\n  <html lang="en"><body>{title}\n  {c.get("user")}{children}</body></html>\n}\n',
      "app/page.tpl":
        'import type { Context } from "fw"\n\nexport const prerender = true\n\ntemplate Page(c: Context) {\n  <h1>{c.query("q")}</h1>\n}\n',
      "app/about/page.tpl": "export const prerender = true\n\ntemplate Page() {\n  <h1>About</h1>\n}\n",
      "app/caught/route.ts":
        'import type { Context } from "fw"\nimport { theme } from "../../theme.ts"\n\nexport const prerender = true\n\nexport const Get = (c: Context) => c.string(200, theme(c))\n',
      "theme.ts":
        'import type { Context } from "fw"\n\nexport function theme(c: Context): string {\n  try {\n    return c.cookie("theme")\n  } catch {\n    return "dark"\n  }\n}\n',
      "app/origin/route.ts":
        'import type { Context } from "fw"\n\nexport const prerender = true\n\nexport const Get = (c: Context) => c.string(200, c.origin)\n',
    },
    /app\/page\.tpl:6:\d+: \/ is made at build time, one answer for every client, and it reads the query/,
    /app\/layout\.tpl:5:\d+: \/about is made at build time, and it reads "user", which nothing has set/,
    /theme\.ts:5:\d+: \/caught is made at build time, one answer for every client, and it reads a cookie\n {2}Take prerender out/,
    /app\/origin\/route\.ts:5:\d+: \/origin is made at build time and reads c\.origin/,
  ],
  [
    "answers that are errors, and wrong lists",
    {
      "app/throws/page.tpl":
        'export const prerender = true\n\nfunction load(): string {\n  throw new Error("no data")\n}\n\ntemplate Page() {\n  <h1>{load()}</h1>\n}\n',
      "app/late/page.tpl":
        'export const prerender = true\n\nconst load = () => Promise.reject(new Error("no offers"))\n\ntemplate Page() {\n  <p>{defer {\n    {await load()}\n  }}</p>\n}\n',
      "app/posts/[slug]/page.tpl":
        'import { notFound, type Context } from "fw"\n\nexport function prerender() {\n  return [{ slug: "a" }, { slug: 7 }, { id: "b" }, {}, { slug: "new" }]\n}\n\nfunction find(slug: string): string {\n  throw notFound("no post " + slug)\n}\n\ntemplate Page(c: Context) {\n  <h1>{find(c.param("slug"))}</h1>\n}\n',
      "app/posts/new/page.tpl": "template Page() {\n  <h1>New</h1>\n}\n",
      "app/none/[id]/route.ts":
        'import type { Context } from "fw"\n\nexport const prerender = () => "a"\nexport const Get = (c: Context) => c.noContent()\n',
      "app/gone/route.ts":
        'import type { Context } from "fw"\n\nexport const prerender = true\nexport const Get = (c: Context) => c.string(410, "gone")\n',
    },
    /app\/throws\/page\.tpl:4:\d+: \/throws cannot be made at build time: no data/,
    /app\/late\/page\.tpl:3:\d+: a page cannot be made at build time: no offers/,
    /app\/posts\/\[slug\]\/page\.tpl:8:\d+: \/posts\/a cannot be made at build time: 404 no post a/,
    /app\/posts\/\[slug\]\/page\.tpl:3: prerender\(\) does not return a list .* has \{"slug":7\}/,
    /app\/posts\/\[slug\]\/page\.tpl:3: prerender\(\) does not return a list .* has \{"id":"b"\}/,
    /app\/none\/\[id\]\/route\.ts:3: prerender\(\) does not return a list .* has a string\n.*\{ id: "a" \}/,
    /app\/gone\/route\.ts:3: \/gone cannot be made at build time: it answers 410/,
  ],
  [
    "a program that does not start",
    {
      "main.ts":
        'import { App } from "fw"\n\nif (!process.env.DATABASE_URL) throw new Error("DATABASE_URL is not set")\nexport default new App()\n',
      "app/page.tpl": "export const prerender = true\n\ntemplate Page() {\n  <h1>Home</h1>\n}\n",
    },
    /main\.ts:3:\d+: the program does not start, so its pages cannot be made: DATABASE_URL is not set/,
  ],
]
for (const [what, files, ...messages] of wrong) {
  test(`a build refuses ${what}`, async () => {
    const cwd = makeProject(files)
    const { code, stderr } = await fw(["build", "--target", "node"], { cwd, env: {} })
    assert.is(code, 1)
    for (const message of messages) assert.match(stderr, message)
    assert.is(existsSync(join(cwd, "dist")), false)
  })
}

test("fw dev refuses what the build refuses, and renders the page for each request", async () => {
  const cwd = makeProject({
    ...site,
    "app/about/page.tpl":
      'import type { Context } from "fw"\n\nexport const prerender = true\n\ntemplate Page(c: Context) {\n  <h1>{c.cookie("theme")}</h1>\n}\n',
  })
  const dev = startDev(cwd)
  try {
    const port = await dev.port()
    const { status, body } = await ask(port, "/about", { headers: { accept: "text/html" } })
    assert.is(status, 500)
    assert.match(body, "/about is made at build time, one answer for every client, and it reads a cookie")
    await dev.says(/app\/about\/page\.tpl:6:/)
    assert.match((await ask(port, "/")).body, "<h1>Home 1</h1>")
    const second = await ask(port, "/", { headers: { "hx-request": "true" } })
    assert.match(second.body, /^<!doctype html>.*<h1>Home 2<\/h1>/)
  } finally {
    assert.is(await dev.stop(), 0)
  }
})

test("--target static refuses a project without a rendered page, flags without a meaning, and a --site that is not a URL", async () => {
  const cwd = makeProject({ "app/page.tpl": "template Page() {\n  <h1>Home</h1>\n}\n" })
  const { code, stderr } = await fw(["build", "--target", "static"], { cwd, env: {} })
  assert.is(code, 1)
  assert.match(stderr, /nothing is made at build time.*\n.*export const prerender = true/)
  for (const [flag, pattern] of [
    ["--sbom", "--sbom has no meaning"],
    ["--without=forms", "--without has no meaning"],
    ["--site=site.example", '--site cannot be "site.example"'],
  ] as const) {
    const refused = await fw(["build", "--target", "static", flag], { cwd, env: {} })
    assert.is(refused.code, 2)
    assert.match(refused.stderr, pattern)
  }
})

test("the executable sends the rendered pages", async () => {
  const cwd = makeProject(site)
  const { code, stdout, stderr } = await fw(["build", "-o", "program"], { cwd, env: { HOME: process.env.HOME } })
  assert.is(code, 0, stdout + stderr)
  await withProgram(join(cwd, "program"), [], (ask) => checkAnswers(ask, true))
  assert.ok(execFileSync(join(cwd, "program"), ["--version"]))
})

test.run()
