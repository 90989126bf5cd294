/**
 * Tests of bodies on Node as bytes on the wire: how answers are framed, and how request bodies are asked for, read
 * and left unread.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../../lib/index.ts"
import { request, Wire, watchProcess } from "../../support/adapters/node/wire.ts"
import { foreignResponse } from "../../support/lib/foreign.ts"

process.env.FW_LOG_LEVEL = "off"
const seen = watchProcess()

const app = new App({ logger: false, bodyLimit: 64 * 1024 })
app.get("/a/{id}", (c) => c.json(200, { id: c.param("id"), q: c.query("q") }))
app.get("/wait", async (c) => {
  await new Promise(setImmediate)
  return c.string(200, "waited")
})
app.post("/echo", async (c) => c.string(200, await c.text()))
app.get("/echo", async (c) => c.json(200, [await c.text(), c.request.body]))
app.post("/stream", (c) => new Response(c.request.body))
app.post("/blind", (c) => c.string(200, "not read"))
app.post("/url", (c) => c.string(200, c.request.url))
app.get("/text", () => new Response("real", { statusText: "Fine" }))
app.get("/204", (c) => c.noContent())
app.get("/304", () => new Response(null, { status: 304, headers: { "content-length": "12" } }))
app.get("/static-size", (c) => c.blob(200, "text/plain", createStream("twelve bytes")))
app.get("/empty", () => new Response(null))
app.get("/at-once", () => new Response(createStream("at ", "", "once").pipeThrough(joined())))
app.get("/pieces", () => new Response(createStream("in ", "pieces")))
app.get("/later", () => new Response(createStream("later").pipeThrough(delayed())))
app.get("/nothing", () => new Response(createStream()))
app.get("/foreign", () => behindProxy("of another package"))
app.get("/cookies", (c) => {
  c.setCookie({ name: "a", value: "1" })
  c.setCookie({ name: "b", value: "2" })
  return new Response("x")
})
await app.listen("127.0.0.1:0")

function createStream(...texts: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const text of texts) controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })
}

/** Returns a stream that joins everything that it gets in one chunk. */
function joined(): TransformStream<Uint8Array, Uint8Array> {
  const parts: Uint8Array[] = []
  return new TransformStream({
    transform: (chunk) => void parts.push(chunk),
    flush: (controller) => controller.enqueue(Buffer.concat(parts)),
  })
}

/** Returns a stream that ends one turn of the event loop after its last chunk. */
function delayed(): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({ flush: () => new Promise((resolve) => setTimeout(resolve, 1)) })
}

/** Returns a Response as a ponyfill creates it: its body is behind a Proxy that does not support `in`. */
function behindProxy(text: string): Response {
  const body = new Proxy(createStream(text), {
    has: () => false,
    get: (target, key) => {
      const value = Reflect.get(target, key)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
  return foreignResponse(body, new Headers({ "x-from": "elsewhere" }))
}

const get = (line: string, ...headers: string[]) => request(`GET ${line}`, headers)

const bodies: [
  name: string,
  method: string,
  path: string,
  status: number,
  body: string,
  headers: Record<string, string | undefined>,
][] = [
  ["a JSON answer with its length", "GET", "/a/1", 200, '{"id":"1","q":""}', { "content-length": "17" }],
  ["HEAD of a JSON answer", "HEAD", "/a/1", 200, "", { "content-length": "17", "transfer-encoding": undefined }],
  ["a real Response", "GET", "/text", 200, "real", { "content-type": "text/plain;charset=UTF-8" }],
  ["a real Response's length", "GET", "/text", 200, "real", { "content-length": "4" }],
  [
    "the length of a stream that ends at once",
    "GET",
    "/at-once",
    200,
    "at once",
    { "content-length": "7", "transfer-encoding": undefined },
  ],
  ["a stream of nothing", "GET", "/nothing", 200, "", { "content-length": "0" }],
  ["a stream in pieces", "GET", "/pieces", 200, "in pieces", { "transfer-encoding": "chunked" }],
  ["a stream that ends later", "GET", "/later", 200, "later", { "transfer-encoding": "chunked" }],
  [
    "a Response of another package",
    "GET",
    "/foreign",
    200,
    "of another package",
    { "x-from": "elsewhere", "content-length": "18" },
  ],
  ["HEAD of a real Response", "HEAD", "/text", 200, "", {}],
  ["HEAD of a stream", "HEAD", "/static-size", 200, "", {}],
  ["an empty Response", "GET", "/empty", 200, "", { "content-length": "0" }],
  ["204", "GET", "/204", 204, "", { "content-length": undefined, "transfer-encoding": undefined }],
  [
    "a 304, with the length of the answer to GET",
    "GET",
    "/304",
    304,
    "",
    { "content-length": "12", "transfer-encoding": undefined },
  ],
  ["HEAD of 404", "HEAD", "/none", 404, "", {}],
]

for (const [name, method, path, status, body, headers] of bodies) {
  test(`the framing is right for ${name}`, async () => {
    const wire = await Wire.open(app.addr)
    wire.send(request(`${method} ${path}`) + request("GET /a/next"))
    const answer = await wire.answer(method)
    assert.is(answer.status, status)
    assert.is(answer.body, body)
    for (const [key, value] of Object.entries(headers)) assert.is(answer.headers[key], value, key)
    assert.is((await wire.answer()).body, '{"id":"next","q":""}', "the next answer does not begin where this one ends")
    wire.socket.destroy()
  })
}

test("the reason phrase and each cookie of a Response are sent", async () => {
  const wire = await Wire.open(app.addr)
  wire.send(get("/text"))
  await wire.until("\r\n\r\n")
  assert.match(wire.pending, /^HTTP\/1.1 200 Fine\r\n/)
  wire.send(get("/cookies"))
  await wire.until("b=2")
  assert.is(wire.pending.match(/set-cookie: [ab]=/gi)?.length, 2)
  wire.socket.destroy()
})

test("pipelined requests are answered in order", async () => {
  const wire = await Wire.open(app.addr)
  wire.send(get("/wait") + get("/a/1") + request("POST /echo", [], "body") + get("/wait") + get("/a/2"))
  const got = []
  for (let i = 0; i < 5; i++) got.push((await wire.answer()).body)
  assert.equal(got, ["waited", '{"id":"1","q":""}', "body", "waited", '{"id":"2","q":""}'])
  wire.socket.destroy()
})

test("invalid bytes after a request do not change its answer", async () => {
  const wire = await Wire.open(app.addr)
  wire.send(`${get("/wait")}rubbish\r\n\r\n`)
  const answer = await wire.answer()
  assert.is(answer.status, 200)
  assert.is(answer.headers.connection, "close")
  assert.is(answer.body, "waited")
  await wire.end()
  assert.is(wire.pending, "")
})

test("a body that becomes invalid after its answer gets no second answer", async () => {
  const wire = await Wire.open(app.addr)
  wire.send("POST /blind HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
  assert.is((await wire.answer()).body, "not read")
  wire.send("zz\r\n")
  await wire.end()
  assert.is(wire.pending, "")
})

test("a body with invalid chunks is answered with 400", async () => {
  const wire = await Wire.open(app.addr)
  wire.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
  assert.is((await wire.answer()).status, 400)
  await wire.end()
})

test("the body of a GET is ignored, as in a Request", async () => {
  const wire = await Wire.open(app.addr)
  wire.send(request("GET /echo", [], "sent all the same") + get("/a/next"))
  assert.is((await wire.answer()).body, '["",null]')
  assert.is((await wire.answer()).body, '{"id":"next","q":""}')
  wire.socket.destroy()
})

const continued: [path: string, length: number, continues: boolean, status: number, close: boolean][] = [
  ["/echo", 5, true, 200, false],
  ["/stream", 5, true, 200, false],
  ["/blind", 5, false, 200, true],
  ["/url", 5, false, 200, true],
  ["/echo", 1_000_000, false, 413, true],
  ["/none", 5, false, 404, true],
]

for (const [path, length, continues, status, close] of continued) {
  test(`Expect: 100-continue on ${path} with ${length} bytes ${continues ? "is answered with 100" : "gets no 100"}`, async () => {
    const wire = await Wire.open(app.addr)
    wire.send(`POST ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`)
    await wire.until("\r\n\r\n")
    assert.is(wire.pending.startsWith("HTTP/1.1 100 Continue\r\n\r\n"), continues, wire.pending)
    if (continues) wire.send("hello")
    const answer = await wire.answer()
    assert.is(answer.status, status)
    if (continues) assert.is(answer.body, "hello")
    assert.is(answer.headers.connection, close ? "close" : "keep-alive")
    wire.socket.destroy()
  })
}

const unread: [name: string, path: string, size: number, chunked: boolean, status: number, close: boolean][] = [
  ["an unread body within the limit is drained", "/blind", 60_000, false, 200, false],
  ["an unread chunked body within the limit is drained", "/blind", 60_000, true, 200, false],
  ["the body of an unknown path is drained", "/none", 60_000, false, 404, false],
  ["a stream that nobody reads is drained", "/url", 60_000, false, 200, false],
  ["a body over the limit is 413 and ends the connection", "/echo", 200_000, false, 413, true],
  ["a chunked body over the limit is 413 and ends the connection", "/echo", 200_000, true, 413, true],
]

for (const [name, path, size, chunked, status, close] of unread) {
  test(name, async () => {
    const wire = await Wire.open(app.addr)
    const body = "x".repeat(size)
    wire.send(
      chunked
        ? `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`
        : request(`POST ${path}`, [], body),
    )
    const answer = await wire.answer()
    assert.is(answer.status, status)
    assert.is(answer.headers.connection, close ? "close" : "keep-alive")
    if (!close) {
      wire.send(get("/a/next"))
      assert.is((await wire.answer()).status, 200)
    }
    wire.socket.destroy()
  })
}

for (const path of ["/stream", "/parts"]) {
  test(`the rest of a body is discarded when its reader has stopped: ${path}`, async () => {
    const uploads = new App({ logger: false })
    uploads.post("/stream", async (c) => {
      const reader = (c.request.body as ReadableStream<Uint8Array>).getReader()
      await reader.read()
      reader.releaseLock()
      return c.string(200, "left")
    })
    uploads.post("/parts", async (c) => {
      for await (const _ of c.parts()) break
      return c.string(200, "left")
    })
    uploads.get("/next", (c) => c.string(200, "next"))
    await uploads.listen("127.0.0.1:0")
    const wire = await Wire.open(uploads.addr)
    const type = "content-type: multipart/form-data; boundary=b"
    const file = `--b\r\ncontent-disposition: form-data; name="f"; filename="x"\r\n\r\n${"x".repeat(9_000_000)}`
    wire.send(request(`POST ${path}`, [type], `${file}\r\n--b--\r\n`))
    assert.is((await wire.answer()).body, "left")
    wire.send(get("/next"))
    assert.is((await wire.answer()).body, "next")
    wire.socket.destroy()
    await uploads.shutdown(AbortSignal.timeout(5000))
  })
}

test("a client that is still sending gets the answer to an upload that is too large", async () => {
  for (let i = 0; i < 5; i++) {
    const wire = await Wire.open(app.addr)
    wire.send(`POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 50000000\r\n\r\n${"x".repeat(60_000)}`)
    const more = setInterval(() => wire.socket.writable && wire.send("x".repeat(60_000)), 5)
    assert.is((await wire.answer()).status, 413)
    clearInterval(more)
    await wire.end()
    assert.is(wire.error, undefined, "the connection was reset, not closed")
  }
})

test("no test in this file causes an unhandled rejection, an uncaught exception or a warning", async () => {
  await app.shutdown(AbortSignal.timeout(5000))
  assert.equal(seen, [])
})

test.run()
