/** Tests of request bodies on Node that need no stream, and of responses that need only one write. */
import { createHook } from "node:async_hooks"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { createServer, IncomingMessage, type RequestListener } from "node:http"
import { type AddressInfo, Socket } from "node:net"
import { Readable } from "node:stream"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { LazyMessage } from "../../../../adapters/node/fast/lazy-message.ts"
import { App, bodyLimit } from "../../../../lib/index.ts"
import { request, Wire, watchProcess } from "../../../support/adapters/node/wire.ts"

const seen = watchProcess()

/** Numbers of stream reads and of writes with several parts, counted for requests of this server. */
const calls = { push: 0, writev: 0 }
const { push } = Readable.prototype
Readable.prototype.push = function (...args) {
  if (this instanceof IncomingMessage) calls.push += 1
  return push.apply(this, args)
}
const { _writev } = Socket.prototype
Socket.prototype._writev = function (...args) {
  calls.writev += 1
  return _writev?.apply(this, args)
}

const late = new EventTarget()
const app = new App({ logger: false })
app.get("/", (c) => c.string(200, "hello"))
app.get("/wide", (c) => c.string(200, "größer"))
app.post("/text", async (c) => c.string(200, await c.text()))
app.post("/bind", async (c) => c.json(200, await c.bind()))
app.post("/stream", (c) => new Response(c.request.body))
app.post("/blind", (c) => c.string(200, "not read"))
app.post("/forgets", bodyLimit(9), (c) => {
  void c.bind()
  return c.string(200, "forgotten")
})
app.post("/twice", async (c) => {
  const bound = await c.bind()
  return c.json(200, { bound, bytes: new TextDecoder().decode(await c.bytes()) })
})
app.post("/early", (c) => {
  void c.text().then((text) => late.dispatchEvent(Object.assign(new Event("text"), { text })))
  return c.string(200, "early")
})
for (const path of ["/text", "/stream"] as const) {
  app.post(`/late${path}`, async (c) => {
    const ready = once(late, "go")
    late.dispatchEvent(new Event("waiting"))
    await ready
    return path === "/text" ? c.string(200, await c.text()) : new Response(c.request.body)
  })
}
await app.listen("127.0.0.1:0")

const json = "content-type: application/json"
const plain: [name: string, message: string, body: string, push: number][] = [
  ["a GET", request("GET /"), "hello", 0],
  ["a text beyond ASCII", request("GET /wide"), Buffer.from("größer").toString("latin1"), 0],
  ["a body that is read as text", request("POST /text", [], "body"), "body", 0],
  ["a body that is read as JSON", request("POST /bind", [json], '{"a":1}'), '{"a":1}', 0],
  ["a body that nothing reads", request("POST /blind", [], "body"), "not read", 2],
]

for (const [name, message, body, pushed] of plain) {
  test(`${name} needs ${pushed === 0 ? "no stream and " : ""}one write`, async () => {
    const wire = await Wire.open(app.addr)
    Object.assign(calls, { push: 0, writev: 0 })
    wire.send(message)
    assert.is((await wire.answer()).body, body)
    assert.equal(calls, { push: pushed, writev: 0 })
    wire.socket.destroy()
  })
}

/** Two ways to send a text with node:http. The cheaper one depends on Node's version. */
const ways: readonly RequestListener[] = [
  (_, outgoing) => outgoing.writeHead(200, ["content-length", 5]).end("hello", "latin1"),
  (_, outgoing) => {
    outgoing.writeHead(200, ["content-length", 5])
    outgoing.socket?.cork()
    outgoing.write("hello", "latin1")
    outgoing.socket?.uncork()
    outgoing.end()
  },
]

/** Counts the event loop's turns and the writes with several parts for the second request of a connection. */
async function measureCost(address: string): Promise<{ turns: number; writev: number }> {
  const wire = await Wire.open(address)
  wire.send(request("GET /"))
  await wire.answer()
  const { nextTick } = process
  let turns = 0
  process.nextTick = (...args: Parameters<typeof nextTick>) => {
    turns += 1
    nextTick.apply(process, args)
  }
  calls.writev = 0
  wire.send(request("GET /"))
  assert.is((await wire.answer()).body, "hello")
  process.nextTick = nextTick
  wire.socket.destroy()
  return { turns, writev: calls.writev }
}

test("a text is sent in the way that is cheapest in this version of node:http", async () => {
  const costs: { turns: number; writev: number }[] = []
  for (const listener of ways) {
    const server = createServer({ IncomingMessage: LazyMessage }, listener).listen(0, "127.0.0.1")
    await once(server, "listening")
    costs.push(await measureCost(`127.0.0.1:${(server.address() as AddressInfo).port}`))
    server.close()
  }
  const [least] = costs.sort((a, b) => a.writev - b.writev || a.turns - b.turns)
  assert.equal(await measureCost(app.addr), least)
})

/**
 * Returns the number of promises that the server creates for the second request of a connection. The test's own
 * promises count too.
 */
async function countPromises(message: string): Promise<number> {
  const wire = await Wire.open(app.addr)
  wire.send(message)
  await wire.answer()
  let promises = 0
  const hook = createHook({
    init(_, type) {
      if (type === "PROMISE") promises += 1
    },
  }).enable()
  wire.send(message)
  await wire.answer()
  hook.disable()
  wire.socket.destroy()
  return promises
}

test("a JSON body creates at most nine promises more than a text", async () => {
  const bare = await countPromises(request("GET /"))
  assert.ok((await countPromises(request("POST /bind", [json], '{"a":1}'))) - bare <= 9)
})

const forgotten: readonly [what: string, message: string][] = [
  ["is not JSON", request("POST /forgets", [json], "{")],
  ["is too large", `${request("POST /forgets", [json, "transfer-encoding: chunked"])}a\r\n"12345678"\r\n0\r\n\r\n`],
  ["is cut off", `${request("POST /forgets", [json, "content-length: 5"])}{`],
]
for (const [what, message] of forgotten) {
  test(`a body that ${what} and is not awaited does not end the process`, async () => {
    const wire = await Wire.open(app.addr)
    wire.send(message)
    assert.is((await wire.answer()).body, "forgotten")
    wire.socket.destroy()
  })
}

test("c.bytes() after c.bind() returns the bytes of the body unchanged", async () => {
  const wire = await Wire.open(app.addr)
  wire.send(request("POST /twice", [json], '{"a":1}'))
  assert.equal(JSON.parse((await wire.answer()).body), { bound: { a: 1 }, bytes: '{"a":1}' })
  wire.socket.destroy()
})

for (const path of ["/late/text", "/late/stream"]) {
  // node:http buffers only a part of a body that nothing reads, and then stops reading from the connection. 300,000
  // bytes are more than that.
  for (const size of [0, 4, 300_000]) {
    test(`a handler of ${path} reads ${size} bytes that arrived before the handler asked for them`, async () => {
      const body = "x".repeat(size)
      const wire = await Wire.open(app.addr)
      const waiting = once(late, "waiting")
      wire.send(request(`POST ${path}`, [], body))
      await waiting
      // When this later request is answered, the server has read everything that it reads ahead of the first one.
      const other = await Wire.open(app.addr)
      other.send(request("GET /"))
      await other.answer()
      late.dispatchEvent(new Event("go"))
      const answer = await wire.answer()
      assert.is(answer.status, 200)
      assert.is(answer.body.length, size)
      wire.send(request("GET /"))
      assert.is((await wire.answer()).body, "hello")
      wire.socket.destroy()
      other.socket.destroy()
    })
  }
}

test("a body that arrives after the response still reaches its reader, and the connection stays usable", async () => {
  const wire = await Wire.open(app.addr)
  wire.send("POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbo")
  assert.is((await wire.answer()).body, "early")
  const read = once(late, "text")
  wire.send(`dy${request("GET /")}`)
  const [event] = (await read) as [Event & { text: string }]
  assert.is(event.text, "body")
  assert.is((await wire.answer()).body, "hello")
  wire.socket.destroy()
})

test("a program that watches requests gets the events of their streams", async () => {
  const events: string[] = []
  let left = 0
  let done = () => {}
  const watch = (message: unknown) => {
    const { request: incoming } = message as { request: IncomingMessage }
    for (const event of ["end", "close"])
      incoming.once(event, () => {
        events.push(`${incoming.url} ${event}`)
        left -= 1
        if (left === 0) done()
      })
  }
  subscribe("http.server.request.start", watch)
  for (const message of [request("GET /"), request("POST /text", [], "body"), request("POST /blind", [], "body")]) {
    const all = new Promise<void>((resolve) => {
      done = resolve
    })
    left = 2
    const wire = await Wire.open(app.addr)
    wire.send(message)
    await wire.answer()
    await all
    wire.socket.destroy()
  }
  unsubscribe("http.server.request.start", watch)
  assert.equal(
    events,
    ["/", "/text", "/blind"].flatMap((path) => [`${path} end`, `${path} close`]),
  )
})

test("no test in this file causes an unhandled rejection, an uncaught exception or a warning", async () => {
  await app.shutdown(AbortSignal.timeout(5000))
  Readable.prototype.push = push
  Socket.prototype._writev = _writev as NonNullable<typeof _writev>
  assert.equal(seen, [])
})

test.run()
