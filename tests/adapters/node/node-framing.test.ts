/**
 * Tests of answers on Node that fail: bodies that fail or are longer or shorter than announced, headers of the
 * connection, and values that cannot be sent.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { nodeHandler } from "../../../adapters/node.ts"
import { App, type Context } from "../../../lib/index.ts"
import { startLoopbackApp } from "../../support/adapters/node/loopback-app.ts"
import { ask, request, Wire } from "../../support/adapters/node/wire.ts"

const loopback = await startLoopbackApp()
const { app, seen, open } = loopback
const bytes = (text: string) => new TextEncoder().encode(text)

const broken: [name: string, answer: () => Response][] = [
  ["fails midway", () => failing(new Error("midway"))],
  ["fails with undefined", () => failing(undefined)],
  ["gives text", () => chunks("text")],
  ["gives a number", () => chunks(1)],
  ["is shorter than its Content-Length", () => chunks(bytes("abc"), { "content-length": "10" })],
  ["is longer than its Content-Length", () => chunks(bytes("abcdef"), { "content-length": "3" })],
]

function failing(error: unknown): Response {
  let pulled = false
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (pulled) throw error
        pulled = true
        controller.enqueue(bytes("some"))
      },
    }),
  )
}

function chunks(chunk: unknown, headers: Record<string, string> = {}): Response {
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(chunk)
      controller.close()
    },
  })
  return new Response(stream, { headers })
}

for (const [name, answer] of broken) {
  for (const version of ["1.1", "1.0"]) {
    test(`over HTTP/${version} a body that ${name} breaks the connection off`, async () => {
      loopback.now = answer
      const wire = await open(
        `GET /now HTTP/${version}\r\nHost: a\r\n\r\n${version === "1.1" ? request("GET /next") : ""}`,
      )
      let whole = true
      await wire.answer().catch(() => {
        whole = false
      })
      await wire.end()
      // HTTP/1.0 has no chunks. A body without a length ends with the connection, so only a reset tells the client
      // that it is incomplete.
      assert.ok(
        !whole || (version === "1.0" && wire.error === "ECONNRESET"),
        "the client cannot notice that the body is incomplete",
      )
      assert.not.match(wire.pending, "next")
      assert.is((await ask(app.addr, request("GET /next"))).body, "next")
    })
  }
}

test("over HTTP/1.0 a body that fails while its connection ends closes the connection", async () => {
  const server = createServer(nodeHandler(app))
  let socket: Socket | undefined
  const closed = new Promise<string>((resolve) => {
    server.on("connection", (made) => {
      socket = made
      made.on("close", () => resolve("close"))
      // The error comes from a reset that Node refuses. Such a socket is never closed.
      made.on("error", ({ message }) => resolve(message))
    })
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  loopback.now = () => {
    const body = {
      async pull(controller: ReadableStreamDefaultController) {
        controller.enqueue(bytes("some"))
        await new Promise(setImmediate)
        socket?.end()
        throw new Error("midway")
      },
    }
    return new Response(new ReadableStream(body, { highWaterMark: 0 }))
  }
  const wire = await Wire.open(`127.0.0.1:${(server.address() as AddressInfo).port}`)
  wire.send("GET /now HTTP/1.0\r\nHost: a\r\n\r\n")
  assert.is(await closed, "close")
  await wire.end()
  server.close()
})

const framing: [
  name: string,
  answer: (c: Context) => Response,
  sent: Record<string, string | undefined>,
  body: string,
][] = [
  [
    "a wrong Content-Length on text",
    (c) => set(c, "content-length", "99").string(200, "text"),
    { "content-length": "4" },
    "text",
  ],
  [
    "a short Content-Length on text",
    (c) => set(c, "content-length", "1").string(200, "text"),
    { "content-length": "4" },
    "text",
  ],
  [
    "a Content-Length that is not a number",
    () => new Response("text", { headers: { "content-length": "x" } }),
    { "content-length": "4" },
    "text",
  ],
  ["Content-Length on 204", (c) => set(c, "content-length", "4").noContent(), { "content-length": undefined }, ""],
  [
    "Transfer-Encoding",
    (c) => set(c, "transfer-encoding", "gzip").string(200, "text"),
    { "transfer-encoding": undefined },
    "text",
  ],
  [
    "Transfer-Encoding on a stream",
    () => new Response("text", { headers: { "transfer-encoding": "identity" } }),
    { "content-length": "4", "transfer-encoding": undefined },
    "text",
  ],
  [
    "Connection: keep-alive",
    (c) => set(c, "connection", "keep-alive, x-hop").string(200, "text"),
    { connection: "keep-alive" },
    "text",
  ],
  [
    "Connection: upgrade",
    (c) => set(c, "connection", "upgrade").string(200, "text"),
    { connection: "keep-alive" },
    "text",
  ],
  [
    "Keep-Alive",
    (c) => set(c, "keep-alive", "timeout=9999").string(200, "text"),
    { "keep-alive": "timeout=65" },
    "text",
  ],
  ["Upgrade", (c) => set(c, "upgrade", "h2c").string(200, "text"), { upgrade: undefined }, "text"],
  [
    "Upgrade with 426",
    (c) => set(c, "upgrade", "h2c").string(426, "text"),
    { upgrade: "h2c", connection: "upgrade" },
    "text",
  ],
  ["Trailer", (c) => set(c, "trailer", "x-sum").string(200, "text"), { trailer: undefined }, "text"],
]

function set(c: Context, name: string, value: string): Context {
  c.setHeader(name, value)
  return c
}

for (const [name, answer, sent, body] of framing) {
  test(`the framing stays right if the program sets: ${name}`, async () => {
    loopback.now = answer
    const wire = await open(request("GET /now") + request("GET /next"))
    const got = await wire.answer()
    assert.is(got.body, body)
    for (const [key, value] of Object.entries(sent)) assert.is(got.headers[key], value, key)
    assert.is((await wire.answer()).body, "next")
    wire.socket.destroy()
  })
}

test("Connection: close, set by the program, closes the connection", async () => {
  loopback.now = (c) => set(c, "connection", "close").string(200, "text")
  const wire = await open(request("GET /now"))
  assert.is((await wire.answer()).headers.connection, "close")
  await wire.end()
})

const unsendable: [name: string, answer: () => Response][] = [
  ["sent with a header that node:http refuses", () => new Response("x", { headers: { "x-a": "\x01" } })],
  ["Response.error()", () => Response.error()],
  ["locked by a reader", () => locked()],
]

function locked(): Response {
  const response = new Response("x")
  response.body?.getReader()
  return response
}

for (const [name, answer] of unsendable) {
  test(`a Response that is ${name} is answered with 500`, async () => {
    loopback.now = answer
    const got = await ask(app.addr, request("GET /now"))
    assert.is(got.status, 500)
    assert.is(got.body, '{"error":"internal_server_error","message":"internal server error"}')
    loopback.now = async () => answer()
    assert.is((await ask(app.addr, request("GET /now"))).status, 500)
  })
}

test("an error in onError is answered with 500", async () => {
  const twice = new App({ logger: false })
  twice.get("/sync", () => {
    throw new Error("first")
  })
  twice.onError(async () => {
    throw new Error("second")
  })
  await twice.listen("127.0.0.1:0")
  assert.is((await ask(twice.addr, request("GET /sync"))).status, 500)
  await twice.shutdown()
})

test("no test in this file causes an unhandled rejection, an uncaught exception or a warning", async () => {
  await app.shutdown(AbortSignal.timeout(5000))
  assert.equal(seen, [])
})

test.run()
