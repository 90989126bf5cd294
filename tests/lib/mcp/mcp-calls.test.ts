/** Tests of `mcp()`: the request that a call of a tool makes, and the result that its answer becomes. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type App, bearerAuth, forbidden, type HandlerFunc, unauthorized } from "../../../lib/index.ts"
import type { Tool } from "../../../lib/mcp/tool.ts"
import { createCall, message, post, type Reply, type ToolCase, toolsApp } from "../../support/lib/tools-app.ts"

process.env.FW_LOG_LEVEL = "off"

/** Answers with the parts of the request. */
const echo: HandlerFunc = async (c) =>
  c.json(200, {
    method: c.method,
    path: c.path,
    query: new URL(c.request.url).search,
    type: c.header("content-type"),
    body: await c.text(),
  })
const path = (name: string) => ({ argument: name, name, in: "path" }) as const
const query = (name: string) => ({ argument: name, name, in: "query" }) as const
const inputSchema = { type: "object", properties: { id: {}, title: {}, done: {} } }

const requests: ReadonlyArray<readonly [tool: Omit<ToolCase, "handler">, given: object, wanted: object]> = [
  [{ method: "GET", path: "/a", parameters: [query("q")] }, { q: "x y" }, { path: "/a", query: "?q=x+y" }],
  [{ method: "GET", path: "/a", parameters: [query("q")] }, {}, { query: "" }],
  [{ method: "GET", path: "/a", parameters: [query("q")] }, { q: ["a", 1, true] }, { query: "?q=a&q=1&q=true" }],
  [{ method: "GET", path: "/a", parameters: [query("q")] }, { q: null }, { query: "" }],
  [{ method: "GET", path: "/a/{id}", parameters: [path("id")] }, { id: "x/../y" }, { path: "/a/x%2F..%2Fy" }],
  [{ method: "DELETE", path: "/a/{id}", parameters: [path("id")] }, { id: 7 }, { path: "/a/7", method: "DELETE" }],
  [
    { method: "GET", path: "/a/*", rest: "slug", parameters: [path("slug")] },
    { slug: "x/y z" },
    { path: "/a/x/y%20z" },
  ],
  [
    { method: "PUT", path: "/a/{id}", parameters: [path("id")], body: { kind: "json" }, inputSchema },
    { id: 7, title: "t", done: null },
    { path: "/a/7", type: "application/json", body: '{"title":"t","done":null}' },
  ],
  [
    { method: "POST", path: "/a", body: { kind: "json", argument: "body" } },
    { body: [1, { a: 2 }] },
    { body: '[1,{"a":2}]' },
  ],
  [
    { method: "POST", path: "/a", body: { kind: "form" }, inputSchema },
    { title: "a&b", done: ["x", true] },
    { type: "application/x-www-form-urlencoded", body: "title=a%26b&done=x&done=true" },
  ],
  [
    { method: "POST", path: "/a", body: { kind: "text", argument: "body" } },
    { body: "hello" },
    { type: "text/plain", body: "hello" },
  ],
]

for (const [tool, given, wanted] of requests) {
  test(`a call of the tool for ${tool.method} ${tool.path} with ${JSON.stringify(given)} makes the right request`, async () => {
    const app = await toolsApp([{ ...tool, handler: echo, name: "echo" }])
    const { result } = await createCall(app, "echo", given)
    const made = JSON.parse(result?.content[0]?.text ?? "") as Record<string, unknown>
    for (const [name, value] of Object.entries(wanted)) assert.equal(made[name], value)
  })
}

for (const [given, pattern] of [
  [{}, /missing arguments: id/],
  [{ id: "" }, /not a part of a path: id/],
  [{ id: "." }, /not a part of a path: id/],
  [{ id: ".." }, /not a part of a path: id/],
  [{ id: "a\\b" }, /not a part of a path: id/],
  [{ id: { a: 1 } }, /not a text, a number or a boolean: id/],
  [{ id: 1, q: { a: 1 } }, /not a text, a number or a boolean: q/],
  [{ id: 1, x: 1 }, /unknown arguments: "x". This tool takes id, q\./],
  [{ id: 1, __proto__: null, constructor: 1 }, /unknown arguments: "constructor"/],
] as const) {
  test(`the arguments ${JSON.stringify(given)} are refused, and make no request`, async () => {
    let count = 0
    const handler: HandlerFunc = (c) => c.string(200, `${++count}`)
    const tool = { method: "GET", path: "/a/{id}", parameters: [path("id"), query("q")], handler, name: "a" }
    const { result } = await createCall(await toolsApp([tool]), "a", given)
    assert.is(result?.isError, true)
    assert.match(result?.content[0]?.text ?? "", pattern)
    assert.is(count, 0)
  })
}

const outputSchema = { type: "object" }
const answers: ReadonlyArray<
  readonly [title: string, handler: HandlerFunc, more: Partial<Tool["description"]>, wanted: RegExp, isError: boolean]
> = [
  ["text", (c) => c.string(200, "hi"), {}, /^hi$/, false],
  ["JSON", (c) => c.json(200, { a: 1 }), {}, /^\{"a":1\}$/, false],
  ["JSON with a schema", (c) => c.json(201, { a: 1 }), { outputSchema }, /^\{"a":1\}$/, false],
  ["a list where a schema has an object", (c) => c.json(200, [1]), { outputSchema }, /not a JSON object:\n\[1\]/, true],
  ["text where a schema has an object", (c) => c.string(200, "hi"), { outputSchema }, /not a JSON object:\nhi/, true],
  ["no content", (c) => c.noContent(), {}, /^HTTP 204: done/, false],
  ["no content where a schema has an object", (c) => c.noContent(), { outputSchema }, /^HTTP 204/, true],
  ["a redirect", (c) => c.redirect(303, "/b"), {}, /^HTTP 303: see \/b/, false],
  ["a refusal", () => forbidden("not yours"), {}, /^HTTP 403\n.*not yours/, true],
  ["a refusal with a schema", () => forbidden("not yours"), { outputSchema }, /^HTTP 403\n/, true],
  ["bytes", (c) => c.blob(200, "image/png", new Uint8Array(3)), {}, /image\/png, which is not text/, true],
  ["events", (c) => c.sse(() => new Promise(() => {})), {}, /text\/event-stream, which is not text/, true],
  ["a bug", () => Promise.reject(new Error("secret")), {}, /^HTTP 500\n(?!.*secret)/, true],
]

for (const [title, handler, more, wanted, isError] of answers) {
  test(`${title} is ${isError ? "an error" : "a result"}`, async () => {
    const app = await toolsApp([{ method: "GET", path: "/a", handler, name: "a", ...more }])
    const { result, status } = await createCall(app, "a")
    assert.is(status, 200)
    assert.match(result?.content[0]?.text ?? "", wanted)
    assert.is(result?.isError ?? false, isError)
    assert.equal(result?.structuredContent, more.outputSchema && !isError ? { a: 1 } : undefined)
  })
}

test("a long answer is cut with a note, and is not read to its end", async () => {
  let pulled = 0
  let cancelled = false
  const handler: HandlerFunc = (c) => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        controller.enqueue(new TextEncoder().encode("ä".repeat(100)))
      },
      cancel() {
        cancelled = true
      },
    })
    return c.blob(200, "text/plain; charset=utf-8", body)
  }
  const app = await toolsApp([{ method: "GET", path: "/a", handler, name: "a" }], { answerLimit: 250 })
  const text = (await createCall(app, "a")).result?.content[0]?.text ?? ""
  assert.match(text, /^The request succeeded \(HTTP 200\), but the answer is too long\. These are its first 250/)
  assert.is(text.split("\n\n")[1]?.length, 250)
  assert.ok(pulled < 10)
  assert.ok(cancelled)
})

test("an answer that is exactly as long as the limit is not cut", async () => {
  const tool: ToolCase = {
    method: "GET",
    path: "/a",
    handler: (c) => c.string(200, "a".repeat(9)),
    name: "a",
  }
  const { result } = await createCall(await toolsApp([tool], { answerLimit: 9 }), "a")
  assert.equal(result, { content: [{ type: "text", text: "aaaaaaaaa" }] })
})

const own: HandlerFunc = (c) =>
  c.json(200, {
    authorization: c.header("authorization"),
    cookie: c.cookie("s"),
    tenant: c.header("x-tenant"),
    secret: c.header("x-secret"),
    origin: c.header("origin"),
    client: c.clientIP,
    env: (c.env as { REGION?: string }).REGION,
    host: c.origin,
  })

test("a call passes on authorization, cookies, listed headers, the address of the client and the bindings", async () => {
  const app = await toolsApp([{ method: "GET", path: "/a", handler: own, name: "a" }], {
    headers: ["X-Tenant"],
  })
  const headers = {
    "Content-Type": "application/json",
    Authorization: "Bearer t",
    Cookie: "s=1",
    "X-Tenant": "acme",
    "X-Secret": "no",
    Origin: "http://localhost",
  }
  const body = JSON.stringify(message("tools/call", { name: "a" }))
  const around = { clientIP: "203.0.113.7", env: { REGION: "eu" } }
  const response = await app.request("/mcp", { method: "POST", headers, body }, around)
  assert.equal(JSON.parse(((await response.json()) as Reply).result?.content[0]?.text ?? ""), {
    authorization: "Bearer t",
    cookie: "1",
    tenant: "acme",
    secret: "",
    origin: "",
    client: "203.0.113.7",
    env: "eu",
    host: "http://localhost",
  })
})

const guarded = (app: App) =>
  app.use((next) => (c) => (c.path === "/a" ? bearerAuth({ tokens: ["t"] })(next)(c) : next(c)))
const secret: ToolCase = { method: "GET", path: "/a", handler: (c) => c.string(200, "secret"), name: "a" }

test("a guard that refuses a request also refuses the call of the tool", async () => {
  const app = await toolsApp([secret], {}, guarded)
  const refused = await createCall(app, "a")
  assert.is(refused.status, 200)
  assert.is(refused.result?.isError, true)
  assert.match(refused.result?.content[0]?.text ?? "", /^HTTP 401\n/)
  assert.not.match(JSON.stringify(refused.result), /secret/)
  const { result } = await createCall(app, "a", {}, { Authorization: "Bearer t" })
  assert.is(result?.content[0]?.text, "secret")
})

const authorization = { servers: ["https://login.example"], scopes: ["tasks"] }
const metadata = 'resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"'

test("with an authorization server, a 401 names the metadata of the resource, which can be requested", async () => {
  const app = await toolsApp([secret], { authorization }, guarded)
  const { status, headers } = await createCall(app, "a")
  assert.is(status, 401)
  const challenge = headers.get("www-authenticate") ?? ""
  assert.match(challenge, /^Bearer /)
  assert.ok(challenge.endsWith(metadata), challenge)
  const found = await app.request("/.well-known/oauth-protected-resource/mcp")
  assert.equal(await found.json(), {
    resource: "http://localhost/mcp",
    authorization_servers: ["https://login.example"],
    scopes_supported: ["tasks"],
    bearer_methods_supported: ["header"],
  })
  assert.is((await createCall(app, "a", {}, { Authorization: "Bearer t" })).status, 200)
})

for (const [title, answer, status] of [
  ["a 401 without a challenge", () => unauthorized("log in"), 401],
  [
    "a 403 for too few scopes",
    () => forbidden("scope", { headers: { "WWW-Authenticate": 'Bearer error="insufficient_scope"' } }),
    403,
  ],
  ["another 403", () => forbidden("not yours"), 200],
] as const) {
  test(`with an authorization server, ${title} is ${status}`, async () => {
    const app = await toolsApp([{ ...secret, handler: answer }], { authorization })
    const reply = await createCall(app, "a")
    assert.is(reply.status, status)
    assert.is(reply.headers.get("www-authenticate")?.endsWith(metadata) ?? false, status !== 200)
  })
}

test("a 401 in a list of messages is the answer to the whole list", async () => {
  const app = await toolsApp([secret], { authorization }, guarded)
  const response = await post(app, [message("ping"), message("tools/call", { name: "a" })])
  assert.is(response.status, 401)
})

test("a route that no longer declares a tool is none, even if the file of tools contains the route", async () => {
  const app = await toolsApp([
    { ...secret, offered: false },
    { ...secret, path: "/b", name: "b" },
  ])
  const list = (await (await post(app, message("tools/list"))).json()) as Reply
  assert.equal(
    list.result?.tools?.map(({ name }) => name),
    ["b"],
  )
  assert.is((await createCall(app, "a")).error?.code, -32602)
})

const many = (count: number) =>
  Array.from({ length: count }, (_, i): ToolCase => {
    const words = i === 3 ? { title: "Buys tea", description: "Buys tea of a kind." } : {}
    return { method: "GET", path: `/t${i}`, handler: (c) => c.string(200, `t${i}`), name: `t${i}`, ...words }
  })
const readText = (reply: Reply) => reply.result?.content[0]?.text ?? ""

test("15 tools are listed one by one, and 16 are searched, described and called through three tools", async () => {
  const names = async (count: number) =>
    ((await (await post(await toolsApp(many(count)), message("tools/list"))).json()) as Reply).result?.tools?.map(
      ({ name }) => name,
    )
  assert.is((await names(15))?.length, 15)
  assert.equal(await names(16), ["search", "describe", "call"])
})

test("the tools search, describe and call find, explain and call one of 40 tools", async () => {
  const app = await toolsApp(many(40))
  assert.is(readText(await createCall(app, "search", { words: "TEA" })), "t3: Buys tea")
  assert.match(readText(await createCall(app, "search")), /^t0: \n(?:t\d+: .*\n){19}20 more match/)
  assert.is(readText(await createCall(app, "search", { words: "coffee" })), "no tool matches")
  assert.match(
    readText(await createCall(app, "search", { query: "TEA" })),
    /^unknown arguments: "query"\. This tool takes words\./,
  )
  assert.is(JSON.parse(readText(await createCall(app, "describe", { name: "t3" }))).title, "Buys tea")
  assert.is(readText(await createCall(app, "call", { name: "t3" })), "t3")
  assert.match(readText(await createCall(app, "call", { name: "t3", arguments: { x: 1 } })), /unknown arguments/)
  assert.match(readText(await createCall(app, "call", { name: "t3", arguments: [] })), /not an object/)
  assert.match(readText(await createCall(app, "call", { name: "x" })), /there is no tool "x"/)
  assert.is((await createCall(app, "t3")).error?.code, -32602)
})

test.run()
