/**
 * Tests of the hooks of development: what each hook gets, that a program without them behaves as before, and that
 * bundles do not contain their code.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { extname, join } from "node:path"
import { build } from "esbuild"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../../lib/app.ts"
import type { Context } from "../../../lib/context.ts"
import { type DevHooks, type JSONResponse, setDevHooks } from "../../../lib/dev/hooks.ts"
import { badRequest } from "../../../lib/errors.ts"
import { $fwLink, $fwUrl } from "../../../lib/html/attribute-values.ts"
import { html } from "../../../lib/html.ts"
import { proxy } from "../../../lib/proxy.ts"
import type { MiddlewareFunc } from "../../../lib/types.ts"
import { root } from "../../support/tsc.ts"

process.env.FW_LOG_LEVEL = "off"
const test = suite("development hooks")

test.after.each(() => setDevHooks(undefined))

/** Sets hooks that write their names and arguments to a list. */
function record<Name extends keyof DevHooks>(...names: readonly Name[]): unknown[][] {
  const calls: unknown[][] = []
  setDevHooks(Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => void calls.push(args)])))
  return calls
}

function makeApp(): App {
  const app = new App({ logger: false })
  app.get("/users/{id}", (c) => c.json(200, { id: c.param("id"), none: undefined, at: new Date(0) }))
  app.get("/text", (c) => c.string(200, "{}"))
  app.get("/broken", (c) => c.json(200, { id: 1n }))
  app.get("/wrong/{id}", (c) => c.string(200, c.param("ID" as "id")))
  app.get("/away", (c) => c.redirect(302, "/a b"))
  app.get("/nothing", () => undefined as never)
  app.get("/bug", () => {
    throw new Error("a bug")
  })
  app.get("/refused", () => {
    throw badRequest("no")
  })
  return app
}

test("onAnswer gets the route, the status and the body that is sent", async () => {
  const calls = record("onAnswer")
  const answer = await makeApp().request("/users/7")
  const text = '{"id":"7","at":"1970-01-01T00:00:00.000Z"}'
  assert.is(await answer.text(), text)
  const [[first], ...others] = calls as [[JSONResponse]]
  assert.equal(others, [])
  const { data, ...sent } = first
  assert.equal(sent, { method: "GET", pattern: "/users/{id}", status: 200, text })
  assert.equal(data, { id: "7", none: undefined, at: new Date(0) })
})

test("onAnswer is not called for an answer that is not JSON, nor for an answer whose creation throws", async () => {
  const calls = record("onAnswer")
  const app = makeApp()
  const errors: unknown[] = []
  app.onError((c, error) => {
    errors.push(error)
    return c.string(500, "failed")
  })
  assert.is((await app.request("/text")).status, 200)
  assert.is((await app.request("/broken")).status, 500)
  assert.equal([errors.length, calls], [1, []])
})

test("onError gets every error of a request, and whether it is a bug", async () => {
  const errors: unknown[] = []
  setDevHooks({ onError: (c: Context, isBug) => errors.push([String(c.error), isBug]) })
  const app = makeApp()
  for (const path of ["/bug", "/refused", "/none"]) await app.request(path)
  assert.equal(errors, [
    ["Error: a bug", true],
    ["HttpError: no", false],
    ["HttpError: no route matches GET /none", false],
  ])
})

test("findCall names middleware that has no name of its own", async () => {
  const calls = ["main.ts:1 app.use(a())", "main.ts:2 app.use(b(), c)", "main.ts:3 group.use(d())"]
  setDevHooks({ findCall: () => calls.shift() })
  const app = new App({ logger: false })
  const make = (): MiddlewareFunc => (next) => (c) => next(c)
  const named: MiddlewareFunc = (next) => (c) => next(c)
  app.use(make())
  app.use(make(), named)
  app.group("/a", (group) => {
    group.use(make())
    group.get("/", (c) => c.string(200, "a"))
  })
  const names: string[] = []
  const listen = (message: unknown) => names.push((message as { name: string }).name)
  subscribe("fw:middleware:start", listen)
  await app.request("/a")
  unsubscribe("fw:middleware:start", listen)
  assert.equal(names, [
    "main.ts:1 app.use(a())",
    "main.ts:2 app.use(b(), c), number 1",
    "named",
    "main.ts:3 group.use(d())",
  ])
})

test("onResponse may replace any response", async () => {
  setDevHooks({ onResponse: (_, { status }) => new Response("explained", { status: status + 1 }) })
  const app = makeApp()
  assert.is((await app.request("/refused")).status, 401)
  assert.is((await app.request("/text")).status, 201)
})

test("onBug gets a bug that is reported, unless a hook has shown it", async () => {
  const bugs: unknown[] = []
  const onBug = (bug: unknown) => bugs.push(String(bug))
  setDevHooks({ onBug })
  const app = makeApp()
  app.onError((_, error) => {
    throw error === "again" ? error : new Error("another")
  })
  await app.request("/bug")
  assert.equal(bugs, ["Error: another", "Error: a bug"])
  setDevHooks({
    onBug,
    onError: (c: Context, isBug) => {
      if (isBug) c.reported = true
    },
    hasPrinted: () => true,
  })
  await app.request("/bug")
  assert.equal(bugs.slice(2), ["Error: another"])
})

test("onWrongResult and onThrow get the program's function", async () => {
  const [results, throws]: [unknown[], unknown[]] = [[], []]
  setDevHooks({
    onWrongResult: (error, culprit) => results.push([error.name, culprit]),
    onThrow: (error, handler) => throws.push([String(error), handler]),
  })
  const app = new App({ logger: false })
  const nothing = () => undefined as never
  const failing = () => Promise.reject(new Error("late"))
  const decide = () => (wrong ? ("no decision" as never) : proxy.continue())
  let wrong = false
  app.get("/nothing", nothing)
  app.get("/failing", failing)
  app.setProxy(decide)
  await app.request("/nothing")
  await app.request("/failing")
  wrong = true
  await app.request("/failing")
  assert.equal(results, [
    ["TypeError", nothing],
    ["TypeError", decide],
  ])
  assert.equal(throws.slice(1), [["Error: late", failing]])
})

test("onUnknownParam gets a name that the route does not have, and may throw", async () => {
  const app = makeApp()
  const calls = record("onUnknownParam")
  await app.request("/users/7")
  assert.equal(calls, [])
  assert.is((await app.request("/wrong/7")).status, 200)
  const [[name, pattern]] = calls as [[string, { text: string }]]
  assert.equal([name, pattern.text], ["ID", "/wrong/{id}"])
  setDevHooks({
    onUnknownParam() {
      throw new Error("a wrong name")
    },
  })
  assert.is((await app.request("/wrong/7")).status, 500)
})

test("onPromise gets the promise of a body, and onInvalid the data that a schema refused", async () => {
  const promises: unknown[] = []
  const invalid: unknown[] = []
  setDevHooks({
    onPromise: (promise) => promises.push(promise),
    onInvalid: (error, data) => invalid.push([error.status, data]),
  })
  const app = new App({ logger: false })
  const validate = () => ({ issues: [{ message: "not a name" }] })
  const schema = { "~standard": { version: 1 as const, vendor: "test", validate } }
  const made: unknown[] = []
  app.post("/", async (c) => {
    const promise = c.bind(schema)
    made.push(promise)
    return c.json(200, await promise)
  })
  const headers = { "content-type": "application/json" }
  assert.is((await app.request("/", { method: "POST", headers, body: '{"a":1}' })).status, 400)
  assert.ok(promises.includes(made[0]))
  assert.equal(invalid, [[400, { a: 1 }]])
})

test("onRedirect gets the URL of a redirect", async () => {
  const calls = record("onRedirect", "onURL")
  await makeApp().request("/away")
  assert.equal(calls, [["/a%20b"]])
})

test("onURL gets each printed URL, with or without a filter, and onBlocked gets values that a filter changes", () => {
  const urls: string[] = []
  const blocked: unknown[] = []
  setDevHooks({ onURL: (url) => urls.push(url), onBlocked: (name, value) => blocked.push([name, value]) })
  const given = ["/a", "#b", "?c", "d/e", "https://shop.example/", "javascript:alert(1)"]
  for (const filter of [$fwUrl, $fwLink]) for (const url of given) filter(url, "href")
  String(html`<a href="${"/html"}">x</a><a href="${"javascript:alert(2)"}">x</a>`)
  assert.equal(urls, [...given, ...given, "/html", "javascript:alert(2)"])
  assert.equal(blocked, [
    ["href", "javascript:alert(1)"],
    ["href", "javascript:alert(1)"],
    ["href", "javascript:alert(2)"],
  ])
})

test("a program without hooks, or without some of them, answers the same", async () => {
  const statuses = async () => {
    const app = makeApp()
    const paths = ["/users/7", "/text", "/wrong/7", "/away", "/refused", "/none"]
    return Promise.all(paths.map(async (path) => (await app.request(path)).status))
  }
  const expected = [200, 200, 200, 302, 400, 404]
  assert.equal(await statuses(), expected)
  setDevHooks({})
  assert.equal(await statuses(), expected)
})

test("copies of fw in one process share the hooks, also one that is loaded after they are set", async () => {
  const { url: own } = import.meta
  const { href: url } = new URL(`../../../lib/dev/hooks${extname(own)}`, own)
  const copy = async (name: string): Promise<typeof import("../../../lib/dev/hooks.ts")> => import(`${url}?${name}`)
  const early = await copy("early")
  const hooks: DevHooks = { onURL: () => {} }
  setDevHooks(hooks)
  const late = await copy("late")
  assert.is(early.getDevHooks(), hooks)
  assert.is(late.getDevHooks(), hooks)
  late.setDevHooks(undefined)
  assert.is(early.getDevHooks(), undefined)
})

test("in production, an app contains only the interface of the hooks, and sets none", async () => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: 'export * from "./lib/index.ts"; export * from "./adapters/node.ts"; export * from "./lib/html.ts"',
      resolveDir: root,
    },
    conditions: ["fw-source"],
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["ws"],
    metafile: true,
    write: false,
  })
  const files = Object.keys(metafile.inputs)
  assert.equal(
    files.filter((file) => /(?:^|\/)(?:bin|dev)\//.test(file)),
    [join("lib", "dev", "hooks.ts")],
  )
  const text = outputFiles[0]?.text ?? ""
  assert.match(text, "getDevHooks")
  assert.not.match(text, /setDevHooks|x-fw-/)
})

test.run()
