/**
 * Tests of servers with the Node adapter: their limits, servers that the program creates itself, and data that must
 * not leak.
 */
import { createHook } from "node:async_hooks"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { limits } from "../../../adapters/node/limits.ts"
import { createAppServer } from "../../../adapters/node/server.ts"
import { nodeHandler } from "../../../adapters/node.ts"
import { App } from "../../../lib/index.ts"
import { readDate } from "../../../lib/request/header-grammar.ts"
import { ask, defer, request, Wire, watchProcess } from "../../support/adapters/node/wire.ts"

process.env.FW_LOG_LEVEL = "off"
const seen = watchProcess()

const get = (line: string, ...headers: string[]) => request(`GET ${line}`, headers)
const raw = (...lines: string[]) => `${lines.join("\r\n")}\r\n\r\n`

test("the limits of the server are those that docs/operations/server.md lists", () => {
  const { server } = createAppServer(new App({ logger: false }), limits)
  const { headersTimeout, requestTimeout, keepAliveTimeout, maxHeadersCount, maxRequestsPerSocket, timeout } = server
  assert.equal(
    { headersTimeout, requestTimeout, keepAliveTimeout, maxHeadersCount, maxRequestsPerSocket, timeout },
    {
      headersTimeout: 15_000,
      requestTimeout: 300_000,
      keepAliveTimeout: 65_000,
      maxHeadersCount: 0,
      maxRequestsPerSocket: 0,
      timeout: 0,
    },
  )
  assert.is(limits.maxHeaderSize, 16_384)
  server.close(() => {})
})

test("headers and bodies that do not arrive in time are answered with 408, and idle connections are closed", async () => {
  const slow = new App({ logger: false })
  slow.post("/echo", async (c) => c.string(200, await c.text()))
  const short = {
    ...limits,
    headersTimeout: 150,
    requestTimeout: 300,
    keepAliveTimeout: 150,
    connectionsCheckingInterval: 10,
  }
  const { server } = createAppServer(slow, short)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const addr = `127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const text of ["", "GET / HTTP/1.1\r\nHos", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhal"]) {
    const wire = await Wire.open(addr)
    wire.send(text)
    const answer = await wire.answer()
    assert.is(answer.status, 408, text)
    assert.is(JSON.parse(answer.body).error, "request_timeout")
    assert.ok(readDate(answer.headers.date ?? "") > 0)
    await wire.end()
  }
  const idle = await Wire.open(addr)
  idle.send(get("/"))
  assert.is((await idle.answer()).status, 404)
  await idle.end()
  server.close()
  server.closeAllConnections()
})

const unparsed: ReadonlyArray<readonly [what: string, text: string, status: number]> = [
  ["a header without a colon", raw("GET / HTTP/1.1", "Host: a", "x"), 400],
  ["no HTTP", "hello\r\n\r\n", 400],
  ["an unknown method", raw("BREW / HTTP/1.1", "Host: a"), 400],
  ["a path that is too long", raw(`GET /${"a".repeat(17_000)} HTTP/1.1`, "Host: a"), 431],
  ["headers that are too long", raw("GET / HTTP/1.1", "Host: a", `X-A: ${"a".repeat(17_000)}`), 431],
  ["CONNECT", raw("CONNECT a:80 HTTP/1.1", "Host: a"), 501],
  ["TRACE", raw("TRACE / HTTP/1.1", "Host: a"), 501],
  ["no Host", raw("GET / HTTP/1.1", "X-A: a"), 400],
  ["an expectation", raw("GET / HTTP/1.1", "Host: a", "Expect: tea"), 417],
  ["a transfer coding", raw("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: gzip, chunked"), 501],
  ["no route", get("/none"), 404],
]
for (const [what, text, status] of unparsed) {
  test(`the answer to ${what} has a Date`, async () => {
    const { server } = createAppServer(new App({ logger: false }), limits)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const answer = await ask(`127.0.0.1:${(server.address() as AddressInfo).port}`, text)
    assert.is(answer.status, status)
    assert.ok(Math.abs(readDate(answer.headers.date ?? "") - Date.now()) < 60_000, answer.headers.date)
    server.close()
    server.closeAllConnections()
  })
}

test("nodeHandler() answers in your own server, and keeps repeated headers", async () => {
  const inner = new App({ logger: false })
  inner.get("/auth", (c) => c.json(200, [c.header("authorization"), c.header("x-a")]))
  const server = createServer(nodeHandler(inner))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const addr = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const twice = get("/auth", "Authorization: a", "Authorization: b", "X-A: 1", "X-A: 2")
  assert.is((await ask(addr, twice)).body, '["a, b","1, 2"]')
  assert.is((await ask(addr, raw("GET /auth HTTP/1.1", "Host: a", "Host: b"))).status, 400)
  server.close()
  server.closeAllConnections()
})

const promises: [name: string, path: string, most: number][] = [
  ["nodeHandler() creates no promise for a handler that returns no promise", "/sync", 0],
  ["nodeHandler() creates at most five promises for an async handler", "/async", 5],
]

for (const [name, path, most] of promises) {
  test(name, async () => {
    const lean = new App({ logger: false })
    lean.get("/sync", (c) => c.json(200, { a: 1 }))
    lean.get("/async", async (c) => c.json(200, { a: 1 }))
    const counts: number[] = []
    const handle = nodeHandler(lean)
    const server = createServer((incoming, outgoing) => {
      let count = 0
      const hook = createHook({
        init: (_, type) => {
          if (type === "PROMISE") count += 1
        },
      })
      hook.enable()
      handle(incoming, outgoing)
      hook.disable()
      counts.push(count)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const addr = `127.0.0.1:${(server.address() as AddressInfo).port}`
    for (let i = 0; i < 3; i++) assert.is((await ask(addr, get(path))).status, 200)
    assert.ok((counts.at(-1) as number) <= most, `the requests created ${counts} promises`)
    server.close()
    server.closeAllConnections()
  })
}

test("an app that cannot start answers with 500", async () => {
  const broken = new App({ logger: false, staticDir: "there-is-no-such-directory" })
  const server = createServer(nodeHandler(broken))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const addr = `127.0.0.1:${(server.address() as AddressInfo).port}`
  assert.is((await ask(addr, get("/"))).status, 500)
  server.close()
  server.closeAllConnections()
})

test("many requests on one connection, some with aborts, leave no listener behind", async () => {
  const watched = defer<number>()
  const many = new App({ logger: false })
  many.get("/signal", (c) => c.json(200, c.signal.aborted))
  const { server, connections } = createAppServer(many, limits)
  server.on("connection", (socket) => socket.once("close", () => watched.resolve(socket.listenerCount("drain"))))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const addr = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const wire = await Wire.open(addr)
  let before = 0
  server.on("request", (incoming) => {
    const count = incoming.socket.eventNames().reduce((sum, name) => sum + incoming.socket.listenerCount(name), 0)
    before ||= count
    assert.ok(count <= before + 1, `there are ${count} listeners, and there were ${before}`)
  })
  for (let i = 0; i < 100; i++) {
    wire.send(get("/signal"))
    assert.is((await wire.answer()).body, "false")
  }
  wire.send(get("/signal").repeat(50))
  for (let i = 0; i < 50; i++) await wire.answer()
  for (let i = 0; i < 20; i++) (await Wire.open(addr)).socket.destroy()
  wire.socket.destroy()
  await watched.promise
  await connections.shutdown(undefined)
})

test("no test in this file causes an unhandled rejection, an uncaught exception or a warning", async () => {
  assert.equal(seen, [])
})

test.run()
