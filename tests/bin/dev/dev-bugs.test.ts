/** Tests of a bug in the program that `fw dev` runs: how the browser, an API client and the terminal show it. */
import { execFileSync } from "node:child_process"
import { open as openFile } from "node:fs/promises"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { ask, oneDev } from "../../support/bin/dev/dev-project.ts"

const test = suite("fw dev: bugs")

const failing = `import type { Context } from "fw"
import { price } from "../../lib/price.ts"

export function Get(c: Context): Response {
  return c.json(200, { price: price(undefined as never) })
}

export const Post = (() => ({ price: 1 })) as never

export function Put(): void {}

export function Delete(): Promise<Response> {
  return Promise.reject(new Error("the shop is closed", { cause: new Error("no key") }))
}
`

const main = `import { App, type HandlerFunc, type MiddlewareFunc } from "fw"
import { nothing } from "./lib/nothing.ts"

const app = new App()
const guard = (() => () => ({ ok: true })) as never as MiddlewareFunc
app.get("/inline", (() => ({ ok: true })) as never as HandlerFunc)
app.get("/named", nothing)
app.get("/express", ((req, res) => res.json({ ok: true })) as never as HandlerFunc)
app.get("/express/next", (async function handle(_req, res, next) { next(); }) as never as HandlerFunc)
app.get("/express/nothing", ((req, res) => {}) as never as HandlerFunc)
app.get("/optional", ((c, options) => options.name) as never as HandlerFunc)
app.get("/bound", nothing.bind(null))
app.get("/through", () => through(nothing))
app.get("/guarded", guard, (c) => c.noContent())
app.get("/passed", (next) => async (c) => {
  const answer = await next(c)
  return answer
}, nothing)
export default app

function through(handler: HandlerFunc) {
  return handler(undefined as never)
}
`

const one = oneDev(test, {
  "main.ts": main,
  "lib/nothing.ts": `import type { HandlerFunc } from "fw"

// Earlier lines and types, which the running code does not contain, must not change the reported position.
interface Unused {
  readonly id: number
}

export const nothing = (async (_c: unknown, unused?: Unused) => {
  void unused
}) as never as HandlerFunc
`,
  "app/api/route.ts": failing,
  "app/calls/route.ts": `import type { Context } from "fw"
import { html } from "fw/html"

export function Get(c: Context) {
  const markup = html\`<p>x</p>\`
  if (c.query("how") === "text") throw "no such user"
  if (c.query("how") === "object") throw { status: 404 }
  if (c.query("how") === "title")
    return c.page(200, markup as never, "Calls" as never)
  if (c.query("how") === "status")
    return c.page("Calls" as never, "200", markup)
  return c.page(200, "Calls", "<p>x</p>" as never)
}
`,
  "lib/price.ts": "export function price(item: { price: number }): number {\n  return item.price\n}\n",
  "app/page.tpl": "template Page() {\n  <p>{(undefined as never as string).length}</p>\n}\n",
  "app/error.tpl":
    'import type { Context } from "fw"\n\ntemplate Failure(_c: Context, status: number) {\n  <p>Sorry! {status}</p>\n}\n',
  "app/teams/[team]/users/[user]/route.ts": `import type { Context } from "fw"
import { shared } from "../../../../../lib/shared.ts"

export function Get(c: Context) {
  if (c.query("shared")) return c.string(200, shared(c, c.query("shared")))
  return c.string(200, c.param(c.query("name") || "user"))
}
export const Post = (c: Context) => c.json(200, c.paramInt("userId"))
`,
  "app/others/[other]/route.ts":
    'import type { Context } from "fw"\n\nexport const Get = (c: Context) => c.string(200, c.param("other"))\n',
  "lib/shared.ts":
    'import type { Context } from "fw"\n\nexport const shared = (c: Context, name: string) => c.param(name)\n',
  "lib/load.ts": 'export async function load() {\n  return await import("right-padd" as never)\n}\n',
  "node_modules/deep/package.json": '{ "name": "deep", "version": "1.0.0", "main": "index.cjs" }\n',
  "node_modules/deep/index.cjs": 'require("left-padd")\n',
  "app/packages/[how]/route.ts": `import { createRequire } from "node:module"
import type { Context } from "fw"
import { load } from "../../../lib/load.ts"

const require = createRequire(import.meta.url)
const ways: Record<string, () => unknown> = {
  imported: () => import("left-padd" as never),
  scoped: () => import("@pads/left/sub" as never),
  required: () => require("left-padd"),
  file: () => require("./left-padd.cjs"),
  within: () => require("deep"),
  elsewhere: load,
}

export async function Get(c: Context<"how">) {
  await ways[c.param("how")]?.()
  return c.noContent()
}
`,
  "app/wrapped/route.ts":
    'import type { Context } from "fw"\n\nexport const Get = (c: Context) => c.string(200, "in")\n',
  "app/wrapped/middleware.ts":
    'import type { MiddlewareFunc } from "fw"\n\nexport const Middleware = (): MiddlewareFunc => (next) => async (c) => {\n  await next(c)\n  throw new RangeError("outside " + c.path)\n}\n',
  "app/proxy.ts":
    'import type { Context } from "fw"\n\nexport const ProxyConfig = { matcher: ["/behind", "/undecided"] }\n\nexport function Proxy(c: Context): void {\n  if (c.path === "/behind")\n    throw new Error("in the proxy")\n}\n',
})

const json = async (path: string, method = "GET", headers: Record<string, string> = {}) => {
  const { status, body, headers: got } = await ask(one.port, path, { method, headers })
  return { status, type: got["content-type"], ...JSON.parse(body) }
}

test("an API client gets the message, position, code frame, stack and request, and the terminal gets one code frame", async () => {
  const headers = { authorization: "Bearer hush-1", cookie: "id=hush-2" }
  const { status, error, message, dev } = await json("/api?token=hush-3", "GET", headers)
  assert.equal([status, error], [500, "internal_server_error"])
  assert.match(message, /^TypeError: Cannot read properties of undefined/)
  assert.equal([dev.file, dev.line, dev.column], ["lib/price.ts", 2, 15])
  assert.match(dev.frame, "> 2 |   return item.price")
  assert.match(dev.stack, /^ {4}at price \(lib\/price\.ts:2:\d+\)\n {4}at Get \(app\/api\/route\.ts:5:\d+\)$/)
  assert.equal(dev.request, { method: "GET", path: "/api", pattern: "/api" })
  const [text] = await one.dev.says(/error: TypeError: Cannot read[\s\S]*?at Get \(.*\n/)
  assert.match(text, /\n +lib\/price\.ts:2:15\n +1 \|[\s\S]*GET \/api\n/)
  assert.not.match(text, /node:|chain\.|pipeline\./)
  assert.not.match(one.dev.output + JSON.stringify(dev), "hush")
})

const page = { accept: "text/html,*/*", "sec-fetch-dest": "document" }

test("a browser gets a page with the source of the template, and not the app's error page", async () => {
  const { status, headers, body } = await ask(one.port, "/", { headers: page })
  assert.equal([status, headers["content-type"]], [500, "text/html; charset=utf-8"])
  assert.match(body, "Cannot read properties of undefined")
  assert.match(body, "<code>app/page.tpl:2:")
  assert.match(body, "template Page()")
  assert.match(body, "<p>GET /</p>")
  assert.not.match(body, "Sorry")
  const missing = await ask(one.port, "/missing", { headers: page })
  assert.match(missing.body, "Sorry! 404", "the program's own 404 page was replaced")
})

test("htmx gets the app's own error answer, because htmx inserts the answer into the page", async () => {
  const { status, body } = await ask(one.port, "/", { headers: { ...page, "hx-request": "true" } })
  assert.is(status, 500)
  assert.match(body, "Sorry! 500")
  assert.not.match(body, "Cannot read")
})

test("bugs in middleware, in the proxy and in the cause of an error are shown", async () => {
  const { message, dev } = await json("/wrapped")
  assert.is(message, "RangeError: outside /wrapped")
  assert.equal([dev.file, dev.line], ["app/wrapped/middleware.ts", 5])
  const behind = await json("/behind")
  assert.equal([behind.message, behind.dev.file, behind.dev.line], ["in the proxy", "app/proxy.ts", 7])
  assert.match((await json("/api", "DELETE")).dev.stack, /\ncaused by no key\n {4}at Delete/)
  await one.dev.says(/\n {2}at Delete .*\n {2}caused by no key\n {2}at Delete /)
})

test("the error of a wrong result names the file and the line of its handler", async () => {
  for (const [method, line, what] of [
    ["POST", 8, /returned an object/],
    ["PUT", 10, /returned nothing.*Is a return missing/],
  ] as const) {
    const { message, dev } = await json("/api", method)
    assert.match(message, what)
    assert.equal([dev.file, dev.line], ["app/api/route.ts", line])
  }
})

const results: ReadonlyArray<readonly [path: string, place: string | undefined]> = [
  ["/inline", "main.ts:6:"],
  ["/named", "lib/nothing.ts:8:"],
  // A bound function has no position in a file.
  ["/bound", undefined],
  ["/through", "main.ts:13:"],
  ["/guarded", "main.ts:5:"],
  ["/passed", "lib/nothing.ts:8:"],
  ["/undecided", "app/proxy.ts:5:"],
]
for (const [path, place] of results) {
  test(`a wrong result of code that main.ts registers is reported at its position: ${path}`, async () => {
    const { status, dev } = await json(path)
    assert.is(status, 500)
    const { file, line, frame } = dev
    assert.is(file && `${file}:${line}:`, place)
    if (place) assert.match(frame, new RegExp(`^> *${line} \\|`, "m"))
  })
}

const advice: ReadonlyArray<readonly [path: string, fix: RegExp | undefined]> = [
  ["/express", /one argument, the context, and "res" is undefined\. It returns the response/],
  ["/express/next", /"res" is undefined/],
  ["/express/nothing", /"res" is undefined/],
  ["/optional", undefined],
]
for (const [path, fix] of advice) {
  test(`a bug in a handler with several parameters ${fix ? "has a fix" : "has no fix"}: ${path}`, async () => {
    const { dev } = await json(path)
    assert.is(dev.file, "main.ts")
    if (fix) assert.match(dev.fix, fix)
    else assert.is(dev.fix, undefined)
  })
}

const route = "app/packages/[how]/route.ts"
const packages: ReadonlyArray<readonly [how: string, message: RegExp, fix: RegExp | undefined, place: string]> = [
  [
    "imported",
    /^the package left-padd is not installed$/,
    /^Install it: npm install left-padd\. Or correct its name\.$/,
    `${route}:7`,
  ],
  [
    "scoped",
    /^the package @pads\/left is not installed$/,
    /^Install it: npm install @pads\/left\. Or correct its name\.$/,
    `${route}:8`,
  ],
  ["required", /^the package left-padd is not installed$/, /^Install it: npm install left-padd\. /, `${route}:9`],
  ["file", /^Cannot find module '\.\/left-padd\.cjs'/, undefined, `${route}:10`],
  ["within", /^Cannot find module 'left-padd'\nRequire stack:\n- .*deep/, undefined, route],
  ["elsewhere", /^the package right-padd is not installed$/, /^Install it: npm install right-padd\. /, "lib/load.ts:2"],
]
for (const [how, message, fix, place] of packages) {
  test(`if a package is missing when a request needs it, the message says how to install it: ${how}`, async () => {
    const answer = await json(`/packages/${how}`)
    assert.match(answer.message, message)
    const [file, line] = place.split(":")
    assert.is(answer.dev.file, file)
    // The stack of an error in a package may end before it reaches a line of the project.
    if (line) assert.is(answer.dev.line, Number(line))
    if (fix) assert.match(answer.dev.fix, fix)
    else assert.is(answer.dev.fix, undefined)
  })
}

const calls = [
  ["text", 4, /thrown: no such user/],
  ["object", 4, /thrown: \{ status: 404 \}/],
  ["title", 9, /takes a text as its title, not an object: write c\.page\(status, title, html\)/],
  ["status", 11, /a string is not a status.*The status comes first/],
  ["html", 12, /takes Html, not a string/],
] as const
for (const [how, line, what] of calls) {
  test(`the code frame marks the call, or the function of a value without a stack: ${how}`, async () => {
    const { message, dev } = await json(`/calls?how=${how}`)
    assert.match(message, what)
    assert.equal([dev.file, dev.line], ["app/calls/route.ts", line])
    assert.match(dev.frame, new RegExp(`^> *${line} \\|`, "m"))
  })
}

const names = [
  ["GET", "?name=userId", /\/teams\/\{team\}\/users\/\{user\} has no parameter "userId"\. It has user, team$/, 6],
  ["POST", "", /has no parameter "userId"\. It has user, team$/, 8],
  ["GET", "?name=id", /has no parameter "id"\. It has team, user$/, 6],
  ["GET", "?name=other", /has no parameter "other"/, 6],
  ["GET", "?shared=missing", /has no parameter "missing"/, 3],
] as const
for (const [method, query, what, line] of names) {
  test(`a parameter that the route does not have is a bug: ${method} ${query}`, async () => {
    const { message, dev } = await json(`/teams/a/users/b${query}`, method)
    assert.match(message, what)
    assert.equal([dev.file.endsWith(query.includes("shared") ? "shared.ts" : "route.ts"), dev.line], [true, line])
    assert.match(dev.fix, /^Write "(?:user|team)", or rename the directory to \[\w+\]\. With the type Context<"/)
  })
}

test("code that several routes share may read a parameter that only some of them have", async () => {
  for (const [path, text] of [
    ["/teams/a/users/b?shared=user", "b"],
    ["/teams/a/users/b?shared=other", ""],
    ["/others/c", "c"],
  ] as const)
    assert.equal((await ask(one.port, path)).body, text)
})

test("a bug in a long request shows the source that ran, not the one that was saved meanwhile", async () => {
  const queue = join(one.root, "queue")
  execFileSync("mkfifo", [queue])
  const source = (name: string) => `import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import type { Context } from "fw"

export async function Get(c: Context) {
  if (c.query("wait")) await readFile("queue")
  return c.json(200, readFileSync("${name}"))
}
`
  await one.save({ "app/slow/route.ts": source("first") }, "/slow")
  const slow = json("/slow?wait=1")
  // The pipe opens when the handler reads from it.
  const open = await openFile(queue, "w")
  await one.save({ "app/slow/route.ts": `// one more line\n${source("second")}` }, "/slow")
  await open.close()
  const { dev } = await slow
  assert.equal([dev.file, dev.line], ["app/slow/route.ts", 7])

  assert.match(dev.frame, '> 7 |   return c.json(200, readFileSync("first"))')
})

test.run()
