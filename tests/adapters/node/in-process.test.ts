/** `app.request()` and `testClient()` on Node, compared with `app.fetch` and a Request. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type Around, type Context, peekResponse } from "../../../lib/index.ts"
import { testClient } from "../../../lib/testing.ts"

process.env.FW_LOG_LEVEL = "off"

/** Ways to read a request. The order of the parts counts, because some of them make a Request. */
const readings: Record<string, (c: Context) => unknown> = {
  "the parts": (c) => [c.method, c.path, c.originalPath, c.query("q"), c.header("content-type"), c.clientIP],
  "headers that are missing or invalid": (c) => [c.header("x-none"), c.header("not valid"), c.header("x-a")],
  "the text": (c) => c.text(),
  "the text twice": async (c) => [await c.text(), await c.text(), c.request.bodyUsed],
  "the bytes": async (c) => [...(await c.bytes())],
  "a form": async (c) => [...(await c.form())],
  "the Request": async ({ request }) => [
    request.method,
    request.url,
    [...request.headers],
    request.signal.aborted,
    request.bodyUsed,
    await request.text(),
  ],
  "the text, and then the Request": async (c) => [await c.text(), await c.request.text(), c.request.url],
  "the Request, and then the text": async (c) => [c.request.url, await c.text(), c.request.bodyUsed],
  "the Request's text, and then the text": async (c) => [await c.request.text(), await c.text()],
  "headers of the Request that change": (c) => [c.request.headers.set("x-a", "new"), c.header("x-a")],
  "the origin": (c) => c.origin,
  "the environment": (c) => (c.env as { REGION?: string }).REGION,
}

const targets: readonly (string | URL)[] = [
  "/",
  "/a/b?q=1",
  "/a//b/",
  "/a/../b/./c",
  "/%2e%2e/a",
  "/a b?q='\"<",
  "/ä?q=ö",
  "/a?",
  "/a?q=1?2#part",
  "/a#part",
  "//host.example/a",
  "/\\host.example/a",
  "a/b",
  "",
  "?q=1",
  "\t/a\n",
  "https://shop.example:444/a?q=1",
  new URL("http://[::1]/a?q=1"),
  "http://user:word@localhost/",
  "http://",
  "data:text/plain,a",
]

const inits: readonly (RequestInit | undefined | null)[] = [
  undefined,
  {},
  null,
  { method: "POST", body: "a=1" },
  { method: "POST", body: "" },
  { method: "POST", body: "ä\ud800", headers: { "X-A": " 1 " } },
  { method: "PUT", body: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } },
  { method: "POST", body: new URLSearchParams({ a: "ä&b" }) },
  { method: "POST", body: new Uint8Array([97, 255]), headers: [["X-A", "1"]] },
  { method: "POST", body: "0123456789".repeat(20) },
  { method: "POST", body: "a=1", headers: { "content-length": "0" } },
  { method: "POST", body: "a=1", headers: { "content-length": "900" } },
  { method: "POST", body: null, headers: new Headers({ "x-a": "1" }) },
  { method: "DELETE" },
  { method: "HEAD" },
  { method: "OPTIONS" },
  { method: "post", body: "a" },
  { method: "patch" },
  { method: "PURGE" },
  { method: "TRACE" },
  { method: "a b" },
  { method: "GET", body: "a" },
  { body: "a" },
  { headers: { "not valid": "1" } },
  { headers: { "x-a": "1\n2" } },
  { headers: null as unknown as Headers },
  {
    headers: [
      ["x-a", "1"],
      ["X-A", "2"],
      ["cookie", "a=1"],
      ["cookie", "b=2"],
    ],
  },
  { headers: { host: "shop.example", origin: "https://shop.example", cookie: "a=1" } },
  { signal: AbortSignal.abort() },
  { signal: {} as AbortSignal },
  { mode: "navigate" },
  { redirect: "manual", cache: "no-store" },
  Object.create({ method: "POST", body: "inherited" }),
]

const arounds: readonly (Around | undefined)[] = [
  { clientIP: "203.0.113.7", env: { REGION: "eu" } },
  { clientip: "203.0.113.7" } as Around,
  { env: 7 } as unknown as Around,
]

function appOf(read: (c: Context) => unknown): App {
  const app = new App({ logger: false, bodyLimit: 100 })
  app.use((next) => async (c) => {
    const response = await next(c)
    c.setHeader("X-Type", peekResponse(c, response).header("Content-Type"))
    c.setHeader("X-Size", String(peekResponse(c, response).size))
    return response
  })
  app.notFound(async (c) => c.json(200, [await read(c)]))
  return app
}

type Send = (
  app: App,
  target: string | URL,
  init: RequestInit | undefined,
  around?: Around,
) => Promise<Response>

const requested: Send = (app, target, init, around) => app.request(target, init, around)
const fetched: Send = async (app, target, init, around) =>
  app.fetch(new Request(new URL(target, "http://localhost"), init), { clientIP: "127.0.0.1", ...around })

async function outcome(send: Send, ...given: Parameters<Send>): Promise<unknown> {
  try {
    const answer = await send(...given)
    return [answer.status, [...answer.headers], await answer.text()]
  } catch (error) {
    return String(error)
  }
}

for (const [name, read] of Object.entries(readings)) {
  test(`app.request() shows a handler what app.fetch shows: ${name}`, async () => {
    const same = async (target: string | URL, init?: RequestInit | null, around?: Around) => {
      const given = [appOf(read), target, init as RequestInit, around] as const
      assert.equal(
        await outcome(requested, ...given),
        await outcome(fetched, ...given),
        `${target} ${JSON.stringify(init)}`,
      )
    }
    for (const target of targets) await same(target)
    for (const target of targets) await same(target, { method: "POST", body: "a=1" })
    for (const init of inits) await same("/a?q=1", init)
    for (const around of arounds) await same("/a", undefined, around)
  })
}

/** Counts the objects of a global class that are made meanwhile. */
async function made(name: "Request" | "Response", run: () => Promise<unknown>): Promise<number> {
  const own = globalThis[name]
  let count = 0
  const construct = (target: object, args: unknown[], as: object) => {
    count += 1
    return Reflect.construct(target as typeof Request, args, as as typeof Request)
  }
  Object.assign(globalThis, { [name]: new Proxy(own, { construct } as ProxyHandler<typeof own>) })
  try {
    await run()
  } finally {
    Object.assign(globalThis, { [name]: own })
  }
  return count
}

test("a test that reads parts and texts makes neither a Request nor a Response", async () => {
  const app = new App({ logger: false })
  app.post("/", async (c) => {
    c.setCookie({ name: "a", value: "1" })
    return c.json(201, { text: await c.text(), type: c.header("content-type"), from: c.clientIP })
  })
  const client = testClient(app)
  const run = async () => {
    const answer = await app.request("/?a=1", { method: "POST", body: "x", headers: { a: "1" } })
    assert.equal(await answer.json(), { text: "x", type: "text/plain;charset=UTF-8", from: "127.0.0.1" })
    const next = await client.request("/", { json: {} })
    assert.is(next.headers.get("content-type"), "application/json")
    assert.is(await next.text(), '{"text":"{}","type":"application/json","from":"127.0.0.1"}')
  }
  assert.is(await made("Request", run), 0)
  assert.is(await made("Response", run), 0)
  assert.is(client.cookie("a"), "1")
  // The counter itself works.
  assert.is(await made("Request", () => app.fetch(new Request("http://localhost/"))), 1)
})

test("a fetch that the program replaced gets the request", async () => {
  const app = new App({ logger: false })
  const seen: unknown[] = []
  const own = app.fetch
  Object.assign(app, {
    fetch: (request: Request, around: Around) => {
      seen.push([request.method, request.url, around.clientIP])
      return own(request, around)
    },
  })
  assert.is((await app.request("/a")).status, 404)
  assert.is((await testClient(app).request("/b", { method: "PUT" })).status, 404)
  assert.equal(seen, [
    ["GET", "http://localhost/a", "127.0.0.1"],
    ["PUT", "http://localhost/b", "127.0.0.1"],
  ])
})

test("app.fetch returns a real Response", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => c.string(200, "hello"))
  const real = await app.fetch(new Request("http://localhost/"))
  assert.is(await Response.prototype.text.call(real), "hello")
})

test.run()
