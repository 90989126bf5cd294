/** Compares the replacement of a Response on Node with a real Response, member by member and over a socket. */
import { inspect } from "node:util"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type Context } from "../../../../lib/index.ts"
import { ask, request } from "../../../support/adapters/node/wire.ts"

process.env.FW_LOG_LEVEL = "off"
const app = new App({ logger: false })
let look: (response: Response, c: Context) => unknown = () => undefined
app.use((next) => async (c) => {
  const response = await next(c)
  const replaced = await look(response, c)
  return replaced instanceof Response ? replaced : response
})
app.get("/", (c) => c.json(201, { ok: true }))
app.get("/mark", (c) => c.string(200, "\ufeffab"))
app.get("/surrogate", (c) => c.string(200, "a\ud800b"))
app.get("/cookies", (c) => {
  c.appendHeader("X-List", "1")
  c.appendHeader("X-List", "2")
  c.setCookie({ name: "a", value: "1" })
  c.setCookie({ name: "b", value: "2" })
  return c.string(200, "not JSON")
})
app.get("/none", (c) => c.noContent())
app.get("/form", (c) => c.blob(200, "application/x-www-form-urlencoded", "a=1"))
app.get("/bytes", (c) => c.blob(200, "application/octet-stream", new Uint8Array([1, 2, 3])))
await app.listen("127.0.0.1:0")

/** Returns a real Response. */
const fetched = (path: string) => app.fetch(new Request(new URL(path, "http://localhost")))

/** Calls `see` with the replacement, and with the real Response of `app.fetch`. */
async function both<T>(path: string, see: (response: Response) => T | Promise<T>): Promise<[T, T]> {
  const results: T[] = []
  look = async (response) => {
    results.push(await see(response))
    // `see` may have used up the body, so another response is sent.
    return new Response("seen")
  }
  await ask(app.addr, request(`GET ${path}`))
  await fetched(path)
  look = () => undefined
  assert.is(results.length, 2)
  return results as [T, T]
}

const claims: [name: string, see: (response: Response) => unknown, path?: string][] = [
  ["instanceof Response", (r) => r instanceof Response],
  ["the constructor", (r) => r.constructor === Response],
  ["the result of Object.prototype.toString()", (r) => Object.prototype.toString.call(r)],
  ["status", (r) => r.status],
  ["ok", (r) => r.ok],
  ["statusText", (r) => r.statusText],
  ["type", (r) => r.type],
  ["url", (r) => r.url],
  ["redirected", (r) => r.redirected],
  ["bodyUsed before reading", (r) => r.bodyUsed],
  ["bodyUsed after reading", async (r) => [await r.text(), r.bodyUsed]],
  ["a second read", async (r) => [await r.text(), await r.text().catch((error: Error) => error.name)]],
  ["a second read by another method", async (r) => [await r.json(), await failure(r.text())]],
  ["a clone after reading", async (r) => [await r.text(), await failure(async () => r.clone())]],
  ["the stream after reading", async (r) => [await r.text(), r.body?.locked, r.bodyUsed]],
  ["reading while a reader has the stream", async (r) => [r.body?.getReader() && 0, await failure(r.text())]],
  ["a byte order mark", (r) => r.text(), "/mark"],
  ["a lone surrogate", (r) => r.text(), "/surrogate"],
  ["text that is not JSON", async (r) => [await failure(r.json()), r.bodyUsed], "/cookies"],
  ["text() without a body", async (r) => [await r.text(), r.bodyUsed, await r.text()], "/none"],
  ["headers", (r) => [...r.headers]],
  ["headers with several values", (r) => [...r.headers, r.headers.getSetCookie()], "/cookies"],
  [
    "headers that change before everything else",
    async (r) => {
      const { headers } = r
      headers.set("content-type", "a/b")
      headers.append("set-cookie", "c=3")
      headers.delete("x-list")
      const [copy, blob] = [r.clone(), await r.clone().blob()]
      headers.set("x-late", "1")
      return [[...copy.headers], blob.type, [...r.clone().headers], r.headers === headers, await r.text()]
    },
    "/cookies",
  ],
  [
    "headers that change after everything else",
    async (r) => {
      const { body, headers } = r
      headers.set("x-late", "1")
      return [body?.locked, r.headers === headers, [...r.clone().headers], [...r.headers]]
    },
  ],
  ["headers instanceof Headers", (r) => r.headers instanceof Headers],
  ["headers are the same object", (r) => Object.is(r.headers, r.headers)],
  ["json()", (r) => r.json()],
  ["text()", (r) => r.text()],
  ["arrayBuffer()", async (r) => [...new Uint8Array(await r.arrayBuffer())], "/bytes"],
  ["blob()", async (r) => [(await r.clone().blob()).type, (await r.blob()).size]],
  ["formData()", async (r) => [...(await r.formData())], "/form"],
  ["body is a stream", (r) => r.body instanceof ReadableStream],
  ["no body", (r) => [r.status, r.body], "/none"],
  ["clone()", async (r) => [await r.clone().json(), await r.json(), r.clone instanceof Function]],
  [
    "a copy",
    async (r) => {
      const copy = new Response(r.body, r)
      return [copy.status, [...copy.headers], await copy.text(), r.bodyUsed]
    },
  ],
  [
    "for in",
    (r) => {
      const keys: string[] = []
      for (const key in r) keys.push(key)
      return keys.sort()
    },
  ],
  ["in", (r) => ["status", "body", "json", "nothing"].map((key) => key in r)],
  ["Object.keys()", (r) => Object.keys(r)],
  ["JSON", (r) => JSON.stringify(r)],
  [
    "assignment",
    (r) => {
      try {
        Object.assign(r, { status: 200 })
        return "assigned"
      } catch (error) {
        return (error as Error).name
      }
    },
  ],
  ["what a program adds", (r) => Object.assign(r, { mine: 1 }).mine],
  [
    "every member of a Response",
    (r) => {
      const proto: object = Response.prototype
      return Object.getOwnPropertyNames(proto).filter((key) => typeof Reflect.get(r, key) === "undefined")
    },
  ],
]

async function failure(work: Promise<unknown> | (() => Promise<unknown>)): Promise<unknown> {
  try {
    return [await (typeof work === "function" ? work() : work)]
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`
  }
}

for (const [name, see, path = "/"] of claims) {
  test(`the result of app.request() is like a real Response: ${name}`, async () => {
    assert.equal(await see(await app.request(path)), await see(await fetched(path)))
  })

  test(`the replacement of a Response on Node is like a real Response: ${name}`, async () => {
    const [standIn, real] = await both(path, see)
    assert.equal(standIn, real)
  })
}

test("the replacement of a Response on Node is like a real Response: bytes(), if the runtime has bytes()", async () => {
  const [standIn, real] = await both("/bytes", async (r) =>
    "bytes" in r ? [...(await (r as unknown as { bytes(): Promise<Uint8Array> }).bytes())] : null,
  )
  assert.equal(standIn, real)
})

test("util.inspect() shows the replacement of a Response on Node as a Response", async () => {
  const [standIn] = await both("/", (r) => inspect(r))
  assert.match(standIn, "Response")
})

const mutations: [
  name: string,
  look: (response: Response, c: Context) => unknown,
  status: number,
  body: string,
  header: string | undefined,
][] = [
  ["the replacement is not changed", () => undefined, 201, '{"ok":true}', undefined],
  ["a header is set on the replacement", (r) => r.headers.set("x-a", "1"), 201, '{"ok":true}', "1"],
  ["a header is set on the context", (_, c) => c.setHeader("X-A", "2"), 201, '{"ok":true}', "2"],
  [
    "a header is set on the replacement and then on the context",
    (r, c) => [r.headers.set("x-a", "1"), c.setHeader("X-A", "2")],
    201,
    '{"ok":true}',
    "2",
  ],
  [
    "a header is appended on the context",
    (_, c) => [c.appendHeader("X-A", "1"), c.appendHeader("X-A", "2")],
    201,
    '{"ok":true}',
    "1, 2",
  ],
  ["a clone of the replacement is read", (r) => r.clone().text(), 201, '{"ok":true}', undefined],
  [
    "a new Response is made from the replacement",
    (r) => new Response(r.body, { status: 202, headers: { "x-a": "3" } }),
    202,
    '{"ok":true}',
    "3",
  ],
]

for (const [name, change, status, body, header] of mutations) {
  test(`the answer is right after a middleware has read the replacement of a Response: ${name}`, async () => {
    look = change
    const answer = await ask(app.addr, request("GET /"))
    look = () => undefined
    assert.equal([answer.status, answer.body, answer.headers["x-a"]], [status, body, header])
  })
}

test("a status that a Response cannot have is a 500, on the server and with app.request()", async () => {
  const odd = new App({ logger: false })
  odd.get("/status/{code}", (c) => c.json(c.paramInt("code"), {}))
  await odd.listen("127.0.0.1:0")
  for (const code of [0, 100, 101, 199, 204, 205, 304, 600, 1000]) {
    assert.is((await ask(odd.addr, request(`GET /status/${code}`))).status, 500, String(code))
    assert.is((await odd.request(`/status/${code}`)).status, 500, String(code))
  }
  await odd.shutdown()
})

test("the server stops", () => app.shutdown(AbortSignal.timeout(3000)))

test.run()
