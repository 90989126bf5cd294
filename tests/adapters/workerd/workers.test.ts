/**
 * Tests of an app as a Worker, without workerd: the values that it gets with a request, and the files of the asset
 * binding.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { answerAsset } from "../../../adapters/workerd/assets.ts"
import { serve } from "../../../adapters/workers.ts"
import { App, type Context } from "../../../lib/index.ts"

// The tests cause errors on purpose, whose reports would hide the results.
process.env.FW_LOG_LEVEL ??= "off"

const background: Promise<unknown>[] = []
const context = { waitUntil: (promise: Promise<unknown>) => void background.push(promise) }

function worker(handler: (c: Context) => Response) {
  const app = new App({ logger: false })
  app.get("/*", handler)
  return serve(app)
}

async function ask(handler: (c: Context) => Response, env: object, headers: Record<string, string> = {}) {
  const request = new Request("http://localhost/x", { headers })
  return (await worker(handler).fetch(request, env, context)).json()
}

test("c.env is the environment of the worker", async () => {
  assert.equal(await ask((c) => c.json(200, c.env), { KEY: "value" }), { KEY: "value" })
})

test("c.waitUntil() passes promises on to the execution context, but no rejections", async () => {
  await ask((c) => {
    c.waitUntil(Promise.resolve(1))
    c.waitUntil(Promise.reject(new Error("later, on purpose")))
    return c.json(200, 1)
  }, {})
  assert.equal(await Promise.all(background.splice(0)), [1, undefined])
})

const claims = { "cf-connecting-ip": "203.0.113.7", "x-forwarded-for": "203.0.113.8" }
test("c.clientIP comes only from the header of the platform", async () => {
  const ip = (c: Context) => c.json(200, c.clientIP)
  assert.is(await ask(ip, {}, claims), "", "a header that the client itself may have sent was trusted")
  const request = Object.assign(new Request("http://localhost/x", { headers: claims }), { cf: {} })
  const response = await worker(ip).fetch(request, {}, context)
  assert.is(await response.json(), "203.0.113.7")
})

const refused: ReadonlyArray<readonly [method: string, headers: Record<string, string>, status: number]> = [
  ["GET", { host: "a b" }, 400],
  ["GET", { host: "x/../y?q#" }, 400],
  ["GET", { host: "a, b" }, 400],
  ["GET", { host: "user@host" }, 400],
  ["GET", { host: "example.com:80" }, 200],
  ["GET", { host: "" }, 200],
  ["GET", {}, 200],
]
for (const [method, headers, status] of refused) {
  test(`${method} with ${JSON.stringify(headers)} is answered with ${status}`, async () => {
    const request = new Request("http://localhost/x", { method, headers })
    const response = await worker((c) => c.string(200, c.path)).fetch(request, {}, context)
    assert.is(response.status, status)
    if (status === 200) return
    assert.is(((await response.json()) as { error: string }).error, "bad_request")
  })
}

const asked: Request[] = []
const ASSETS = {
  async fetch(request: Request) {
    asked.push(request)
    const { pathname } = new URL(request.url)
    if (pathname !== "/static/a.css") return new Response("no", { status: 404 })
    if (request.headers.has("if-none-match")) return new Response(null, { status: 304, headers: { etag: '"1"' } })
    return new Response("a{}", { headers: { "content-type": "text/css", etag: '"1"' } })
  },
}
const file = (path: string, headers: Record<string, string> = {}, env: object | undefined = { ASSETS }) =>
  answerAsset(path.split("/").slice(2), {
    method: "GET",
    path,
    search: "",
    header: (name) => headers[name] ?? "",
    env,
  })

test("env.ASSETS gets the URL and the range of a request for a static file, but no cookie", async () => {
  const found = await file("/static/a.css", { range: "bytes=0-1", cookie: "secret" })
  assert.is(found?.status, 200)
  assert.equal(found?.headers, { "content-type": "text/css", etag: '"1"' })
  assert.is(await new Response(found?.body ?? null).text(), "a{}")
  const [request] = asked.splice(0) as [Request]
  assert.equal([...request.headers], [["range", "bytes=0-1"]], "the binding did not get exactly the header range")
})
test("a file with the same ETag is answered with 304", async () =>
  assert.is((await file("/static/a.css", { "if-none-match": '"1"' }))?.status, 304))
for (const [what, path, env] of [
  ["a path at which the binding has no file", "/static/none", { ASSETS }],
  ["a dotfile", "/static/.env", { ASSETS }],
  ["a file if the binding is missing", "/static/a.css", {}],
  ["a file if the environment is missing", "/static/a.css", null],
] as const) {
  test(`no file is sent for ${what}`, async () => assert.is(await file(path, {}, env as never), null))
}

test.run()
