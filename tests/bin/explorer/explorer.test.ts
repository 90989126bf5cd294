/**
 * Tests of the explorer's server: its page and document, which clients it answers, and how it passes requests on.
 */
import { once } from "node:events"
import { createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { parse } from "yaml"
import { findRefusalReason, isLoopback } from "../../../bin/explorer/relay.ts"
import { ExplorerServer } from "../../../bin/explorer/server.ts"
import { documentFor, type Echo, startEcho } from "../../support/bin/explorer/explored.ts"

interface World {
  explorer: ExplorerServer
  /** The application, which answers with the request that it got. */
  app: Echo
  base: string
}

const test = suite<World>("explorer")

test.before(async (world) => {
  const headers = { "content-type": "text/html", "set-cookie": ["a=1", "b=2"] }
  world.app = await startEcho(headers, (method) => (method === "DELETE" ? 418 : 200))
  world.base = `http://127.0.0.1:${world.app.port}/base`
  world.explorer = new ExplorerServer({ document: documentFor(world.base), problem: null })
  await world.explorer.listen(0)
})
test.after(async ({ explorer, app }) => {
  await explorer.close()
  app.close()
})

interface Heard {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly text: string
}

/** Sends a request with the headers that a browser sends, or with others. */
function ask(
  { explorer }: World,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  return new Promise<Heard>((resolve, reject) => {
    const { method = "GET", headers = {}, body } = init
    const outgoing = request({ host: "127.0.0.1", port: explorer.port, path, method, headers }, (incoming) => {
      let text = ""
      incoming.setEncoding("utf8").on("data", (part) => {
        text += part
      })
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }))
    })
    outgoing.on("error", reject)
    outgoing.end(body)
  })
}

function send(world: World, order: object, init: { headers?: Record<string, string>; body?: string } = {}) {
  const headers = { "fw-request": encodeURIComponent(JSON.stringify(order)), ...init.headers }
  return ask(world, "/docs/send", { ...init, method: "POST", headers })
}

test("the page of the explorer and its parts load nothing from other hosts, and the page cannot be framed", async (world) => {
  const page = await ask(world, "/docs")
  assert.is(page.status, 200)
  const policy = String(page.headers["content-security-policy"])
  for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
    assert.ok(policy.includes(part), `the policy does not contain ${part}`)
  assert.not.match(page.text, /https?:\/\//)
  for (const [, path] of page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
    const part = await ask(world, path as string)
    assert.is(part.status, 200, path)
    assert.not.match(part.text, /https?:\/\/(?!example\.com)/, path)
  }
})

test("the explorer serves the document as JSON and YAML, redirects / to its page, and answers other paths with 404", async (world) => {
  assert.equal(JSON.parse((await ask(world, "/openapi.json")).text), documentFor(world.base))
  const yaml = await ask(world, "/openapi.yaml")
  assert.is(yaml.headers["content-type"], "application/yaml")
  assert.equal(parse(yaml.text), documentFor(world.base))
  assert.is((await ask(world, "/")).headers.location, "/docs")
  for (const path of ["/docs/../../package.json", "/docs/main.ts", "/docs/%2e%2e/package.json", "/x"])
    assert.is((await ask(world, path)).status, 404, path)
  assert.is((await ask(world, "/docs", { method: "POST" })).status, 405)
})

test("only requests for host names of this machine are answered", async (world) => {
  for (const host of ["localhost:8080", "127.0.0.1", "[::1]:1", "docs.localhost"])
    assert.is((await ask(world, "/openapi.json", { headers: { host } })).status, 200, host)
  for (const host of ["evil.example", "localhost.evil.example"])
    assert.is((await ask(world, "/openapi.json", { headers: { host } })).status, 403, host)
})

test("the explorer sends a request as it was entered to the first server of the document", async (world) => {
  const order = {
    method: "PUT",
    target: "/a%2Fb?q=1",
    headers: [
      ["x-one", "1"],
      ["cookie", "s=t"],
      ["host", "evil.example"],
    ],
  }
  const { status, headers, text } = await send(world, order, {
    body: "hello",
    headers: { "content-length": "5" },
  })
  assert.is(status, 200)
  assert.is(headers["content-type"], "application/octet-stream")
  const told = JSON.parse(text)
  assert.is(`${told.method} ${told.url} ${told.body}`, "PUT /base/a%2Fb?q=1 hello")
  assert.is(told.headers["x-one"], "1")
  assert.is(told.headers.cookie, "s=t")
  assert.is(told.headers.host, new URL(world.base).host)
  assert.is(told.headers["fw-request"], undefined)
  const head = JSON.parse(decodeURIComponent(String(headers["fw-response"])))
  assert.is(head.status, 200)
  assert.equal(
    head.headers.filter(([name]: string[]) => name === "set-cookie"),
    [
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ],
  )
})

test("the page of the explorer gets the answer of the server with any status", async (world) => {
  const { status, headers } = await send(world, { method: "DELETE", target: "/", headers: [] })
  assert.is(status, 200)
  assert.is(JSON.parse(decodeURIComponent(String(headers["fw-response"]))).status, 418)
})

test("pages of other sites cannot send requests through the explorer", async (world) => {
  const order = { method: "GET", target: "/", headers: [] }
  for (const headers of [
    { origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ] as Record<string, string>[])
    assert.is((await send(world, order, { headers })).status, 403, JSON.stringify(headers))
  assert.is((await ask(world, "/docs/send", { method: "POST" })).status, 403)
  assert.is((await ask(world, "/docs/send")).status, 403)
})

test("the explorer refuses input that is not a request", async (world) => {
  for (const order of [
    null,
    {},
    { method: "GET", target: "http://evil.example/", headers: [] },
    { method: "GET", target: "/", headers: [["a"]] },
    { method: "G T", target: "/", headers: [] },
    { method: "GET", target: "/", headers: [["a\n", "b"]] },
  ] as object[])
    assert.is((await send(world, order)).status, 400, JSON.stringify(order))
  const { text } = await send(world, { method: "GET", target: "//evil.example/x", headers: [] })
  assert.is(JSON.parse(text).url, "/base//evil.example/x")
})

test("the explorer sends requests only to this machine", () => {
  const table: [string, boolean][] = [
    ["http://localhost:3000", true],
    ["https://api.localhost/v1", true],
    ["http://127.1.2.3", true],
    ["http://[::1]:3000", true],
    ["http://2130706433", true],
    ["http://api.example.com", false],
    ["http://127.0.0.1.example.com", false],
    ["http://localhost.example.com", false],
    ["http://10.0.0.1", false],
    ["http://[::ffff:10.0.0.1]", false],
    ["http://0.0.0.0", false],
  ]
  for (const [url, expected] of table) {
    assert.is(isLoopback(new URL(url)), expected, url)
    assert.is(findRefusalReason(documentFor(url)) === null, expected, url)
  }
  assert.match(findRefusalReason(documentFor()) ?? "", /names no server/)
  assert.match(findRefusalReason(documentFor("/v1")) ?? "", /names no server/)
  assert.match(findRefusalReason(null) ?? "", /names no server/)
})

test("a document with a server on another host is shown, and no requests are sent to it", async () => {
  const explorer = new ExplorerServer({
    document: documentFor("https://api.example.com"),
    problem: "x is wrong",
  })
  await explorer.listen(0)
  const world = { explorer } as World
  const state = JSON.parse((await ask(world, "/docs/state")).text)
  assert.is(state.problem, "x is wrong")
  assert.match(state.refusal, /https:\/\/api\.example\.com is not on this machine/)
  assert.is((await send(world, { method: "GET", target: "/", headers: [] })).status, 403)
  await explorer.close()
})

test("if nothing listens at the server's address, the message says what to start", async () => {
  const free = createServer()
  await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve))
  const { port } = free.address() as AddressInfo
  await new Promise((resolve) => free.close(resolve))
  const explorer = new ExplorerServer({ document: documentFor(`http://127.0.0.1:${port}`), problem: null })
  await explorer.listen(0)
  const { status, text } = await send({ explorer } as World, { method: "GET", target: "/", headers: [] })
  assert.is(status, 502)
  assert.match(JSON.parse(text).message, /nothing listens at .*fw dev/)
  await explorer.close()
})

test("open pages of the explorer get a message when the document changes", async (world) => {
  const { port } = world.explorer
  const heard = new Promise<string>((resolve) => {
    const outgoing = request({ host: "127.0.0.1", port, path: "/docs/events" }, (incoming) => {
      incoming.setEncoding("utf8").on("data", (text: string) => {
        if (text.includes("retry")) world.explorer.show({ document: documentFor("http://localhost:1"), problem: null })
        else resolve(text)
      })
      incoming.on("error", () => {})
    })
    outgoing.end()
  })
  assert.match(await heard, /event: change/)
  assert.match((await ask(world, "/openapi.json")).text, /localhost:1/)
})

test("a page of the explorer gets the revision of the document when the page connects and when the document changes", async (world) => {
  const { explorer, base } = world
  const shown = { document: documentFor(base), problem: null }
  const state = async () => JSON.parse((await ask(world, "/docs/state")).text) as { revision: string }
  const { revision: before } = await state()
  explorer.show(shown)
  const incoming = await new Promise<IncomingMessage>((resolve) => {
    request({ host: "127.0.0.1", port: explorer.port, path: "/docs/events" }, resolve).end()
  })
  let text = ""
  const events = async (count: number) => {
    for (;;) {
      const told = [...text.matchAll(/^event: change\ndata: (.+)\n\n/gm)].map(([, data]) => data)
      if (told.length === count) return told
      const [chunk] = await once(incoming, "data")
      text += chunk
    }
  }
  const { revision: first } = await state()
  assert.is.not(first, before)
  assert.equal(await events(1), [first])
  explorer.show(shown)
  assert.equal(await events(2), [first, (await state()).revision])
  incoming.destroy()
})

test.run()
