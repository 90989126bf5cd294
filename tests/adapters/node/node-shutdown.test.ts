/**
 * Tests of what happens with each type of connection when the app shuts down. `bench/shutdown.mjs` does this with
 * more connections.
 */
import { once } from "node:events"
import { connect } from "node:tls"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type Context } from "../../../lib/index.ts"
import { defer, request, Wire, watchProcess } from "../../support/adapters/node/wire.ts"
import { tls } from "../../support/adapters/tls.ts"

process.env.FW_LOG_LEVEL = "off"
const seen = watchProcess()

interface Stage {
  readonly app: App
  readonly addr: string
  /** Resolves when a client requests `/slow`, `/stream` or `/upload`. `go` lets this request end. */
  readonly asked: Promise<void>
  readonly go: () => void
  readonly gone: Promise<void>
}

async function start(): Promise<Stage> {
  const [asked, go, gone] = [defer(), defer(), defer()]
  const app = new App({ logger: false })
  const slow = async (c: Context) => {
    c.signal.addEventListener("abort", () => gone.resolve())
    asked.resolve()
    await go.promise
    return c.string(200, "slow")
  }
  app.get("/slow", slow)
  app.get("/quick", (c) => c.string(200, "quick"))
  app.get("/stream", () => new Response(slowStream(asked.resolve, go.promise)))
  app.post("/upload", async (c) => {
    asked.resolve()
    return c.string(200, String((await c.bytes()).byteLength))
  })
  await app.listen("127.0.0.1:0")
  return { app, addr: app.addr, asked: asked.promise, go: () => go.resolve(), gone: gone.promise }
}

function slowStream(asked: () => void, go: Promise<void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode("first "))
      asked()
      await go
      controller.enqueue(new TextEncoder().encode("last"))
      controller.close()
    },
  })
}

async function open(addr: string, text: string): Promise<Wire> {
  const wire = await Wire.open(addr)
  wire.send(text)
  return wire
}

async function refused(addr: string): Promise<string> {
  return Wire.open(addr).then(
    () => "accepted",
    (error: Error & { code?: string }) => error.code ?? "",
  )
}

test("a running request gets its whole answer with Connection: close, and no new connection is accepted", async () => {
  const loopback = await start()
  const wire = await open(loopback.addr, request("GET /slow"))
  await loopback.asked
  const stopped = loopback.app.shutdown()
  // The request runs until the test lets it end, so a server that still accepted connections would do so forever.
  while ((await refused(loopback.addr)) !== "ECONNREFUSED");
  loopback.go()
  const answer = await wire.answer()
  assert.equal([answer.body, answer.headers.connection], ["slow", "close"])
  await wire.end()
  await stopped
  assert.is(loopback.app.addr, "")
})

test("a connection that is kept alive ends with its next answer", async () => {
  const loopback = await start()
  const wire = await open(loopback.addr, request("GET /quick"))
  assert.is((await wire.answer()).headers.connection, "keep-alive")
  const stopped = loopback.app.shutdown()
  wire.send(request("GET /quick"))
  const answer = await wire.answer()
  assert.equal([answer.body, answer.headers.connection], ["quick", "close"])
  await wire.end()
  await stopped
})

test("a program that sets Connection: keep-alive does not prevent the end of the connection", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => {
    c.setHeader("Connection", "keep-alive")
    return c.string(200, "x")
  })
  await app.listen("127.0.0.1:0")
  const wire = await Wire.open(app.addr)
  const stopped = app.shutdown()
  wire.send(request("GET /"))
  assert.is((await wire.answer()).headers.connection, "close")
  await stopped
})

const pipelined: [name: string, text: string, bodies: string[]][] = [
  [
    "behind a slow request",
    request("GET /slow") + request("GET /quick") + request("GET /quick"),
    ["slow", "quick", "quick"],
  ],
  ["behind a stream", request("GET /stream") + request("GET /quick"), ["first last", "quick"]],
]

for (const [name, text, bodies] of pipelined) {
  test(`pipelined requests ${name} are all answered`, async () => {
    const loopback = await start()
    const wire = await open(loopback.addr, text)
    await loopback.asked
    const stopped = loopback.app.shutdown()
    loopback.go()
    for (const body of bodies) assert.is((await wire.answer()).body, body)
    await wire.end()
    await stopped
  })
}

test("pipelined requests that arrive after shutdown() are all answered, the last one with Connection: close", async () => {
  const loopback = await start()
  const wire = await Wire.open(loopback.addr)
  const stopped = loopback.app.shutdown()
  wire.send(request("GET /quick").repeat(5))
  const said = []
  for (let i = 0; i < 5; i++) said.push((await wire.answer()).headers.connection)
  assert.equal(said, ["keep-alive", "keep-alive", "keep-alive", "keep-alive", "close"])
  await stopped
})

test("a stream that has started is sent completely, and a request after it is answered", async () => {
  const loopback = await start()
  const wire = await open(loopback.addr, request("GET /stream"))
  await wire.until("first")
  const stopped = loopback.app.shutdown()
  loopback.go()
  const answer = await wire.answer()
  assert.equal([answer.body, answer.headers.connection], ["first last", "keep-alive"])
  wire.send(request("GET /quick"))
  assert.is((await wire.answer()).headers.connection, "close")
  await stopped
})

test("an upload that has begun is received completely", async () => {
  const loopback = await start()
  const wire = await open(loopback.addr, "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nhalf")
  await loopback.asked
  const idle = await open(loopback.addr, request("GET /quick"))
  await idle.answer()
  const stopped = loopback.app.shutdown()
  // This is longer than a connection may be idle.
  await idle.end()
  wire.send("done")
  const answer = await wire.answer()
  assert.equal([answer.body, answer.headers.connection], ["8", "close"])
  await stopped
})

test("an idle connection closes, and a half-sent request may take longer", async () => {
  const loopback = await start()
  const half = await open(loopback.addr, request("GET /quick"))
  await half.answer()
  half.send("GET /quick HTTP/1.1\r\nHo")
  const idle = await open(loopback.addr, request("GET /quick"))
  await idle.answer()
  const fresh = await Wire.open(loopback.addr)
  const stopped = loopback.app.shutdown()
  // Both connections end before the rest of the other request lets the server end.
  await Promise.all([idle.end(), fresh.end()])
  half.send("st: a\r\n\r\n")
  const answer = await half.answer()
  assert.equal([answer.body, answer.headers.connection], ["quick", "close"])
  await stopped
})

test("connections over TLS close after a second before their handshake is complete too", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => c.string(200, "quick"))
  await app.listen({ host: "127.0.0.1", port: 0, tls })
  const silent = await Wire.open(app.addr)
  const begun = await open(app.addr, "\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03")
  const plain = await open(app.addr, "GET / HTTP/1.1\r\n")
  const port = Number(app.addr.split(":").at(-1))
  const half = connect({ port, host: "127.0.0.1", rejectUnauthorized: false })
  const shaken = connect({ port, host: "127.0.0.1", rejectUnauthorized: false })
  await Promise.all([half, shaken].map((socket) => once(socket, "secureConnect")))
  half.write("GET / HTTP/1.1\r\nHo")
  const closed = once(shaken.resume(), "close")
  const stopped = app.shutdown()
  await Promise.all([closed, ...[silent, begun, plain].map((wire) => wire.end())])
  // A connection in the middle of a request may pause for longer, and the server waits for it.
  half.write("st: a\r\n\r\n")
  const [answer] = (await once(half, "data")) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 200 OK\r\n/)
  half.destroy()
  await stopped
})

test("an aborted signal closes TLS connections that have not sent anything", async () => {
  const app = new App({ logger: false })
  await app.listen({ host: "127.0.0.1", port: 0, tls })
  const silent = await Wire.open(app.addr)
  // When the server answers the second connection, it has also accepted the first one.
  const other = connect({
    port: Number(app.addr.split(":").at(-1)),
    host: "127.0.0.1",
    rejectUnauthorized: false,
  })
  await once(other, "secureConnect")
  await app.shutdown(AbortSignal.abort()).catch(() => {})
  await silent.end()
  other.destroy()
})

test("requests on connections that are not yet accepted are answered", async () => {
  const loopback = await start()
  const wires = await Promise.all(Array.from({ length: 100 }, () => open(loopback.addr, request("GET /quick"))))
  const stopped = loopback.app.shutdown()
  for (const wire of wires) assert.is((await wire.answer()).body, "quick")
  for (const wire of wires) wire.socket.destroy()
  await stopped
})

test("when the signal aborts, connections are closed and the promise rejects with the reason", async () => {
  const loopback = await start()
  const wire = await open(loopback.addr, request("GET /slow"))
  await loopback.asked
  const controller = new AbortController()
  const first = loopback.app.shutdown()
  const stopped = loopback.app.shutdown(controller.signal)
  const reason = new Error("enough")
  controller.abort(reason)
  for (const promise of [first, stopped]) {
    assert.is(
      await promise.then(
        () => "resolved",
        (error) => error,
      ),
      reason,
    )
  }
  await wire.end()
  await loopback.gone
  assert.is(wire.pending, "")
  loopback.go()
})

test("a signal that is already aborted closes all connections at once", async () => {
  const loopback = await start()
  const wire = await Wire.open(loopback.addr)
  const reason = await loopback.app.shutdown(AbortSignal.abort("now")).then(
    () => "resolved",
    (error) => error,
  )
  assert.is(reason, "now")
  await wire.end()
})

test("an app can listen again after shutdown(), and shutdown() can be called twice", async () => {
  const loopback = await start()
  await loopback.app.shutdown()
  await loopback.app.shutdown()
  await loopback.app.listen("127.0.0.1:0")
  const wire = await open(loopback.app.addr, request("GET /quick"))
  assert.is((await wire.answer()).headers.connection, "keep-alive")
  wire.socket.destroy()
  await loopback.app.shutdown()
})

test("no request is dropped while clients send without a pause", async () => {
  const loopback = await start()
  let answered = 0
  const busy = defer()
  const client = async () => {
    for (const wire = await Wire.open(loopback.addr); ; ) {
      wire.send(request("GET /quick"))
      const { headers } = await wire.answer()
      answered += 1
      if (answered === 200) busy.resolve()
      if (headers.connection === "close") return wire.end()
    }
  }
  const clients = Array.from({ length: 20 }, client)
  await busy.promise
  await Promise.all([loopback.app.shutdown(), ...clients])
  assert.ok(answered > 200)
})

test("no test in this file causes an unhandled rejection, an uncaught exception or a warning", () => {
  assert.equal(seen, [])
})

test.run()
