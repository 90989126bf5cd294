/** Tests of a server on Node with many open streams and WebSockets, and with many requests on one connection. */
import { once } from "node:events"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { WebSocket } from "ws"
import { serve } from "../../adapters/node.ts"
import { App, type EventStream } from "../../lib/index.ts"
import { ask, request, Wire, watchProcess } from "../support/adapters/node/wire.ts"

const seen = watchProcess()
const options = { host: "127.0.0.1", port: 0 }
/** Node warns about more than 10 listeners for one event. */
const many = 13

test("many open event streams and WebSockets print no warning", async () => {
  const app = new App({ logger: false })
  const streams: EventStream[] = []
  app.get("/events", (c) =>
    c.sse(async (events) => {
      streams.push(events)
      await events.send("begun")
      await events.closed
    }),
  )
  app.socket("/socket", () => ({ message() {} }))
  const server = await serve(app, options)
  const wires: Wire[] = []
  for (let opened = 0; opened < many; opened++) {
    const wire = await Wire.open(server.addr)
    wire.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
    await wire.until("begun")
    wires.push(wire)
    await once(new WebSocket(`ws://${server.addr}/socket`), "open")
  }
  assert.is(streams.length, many)
  await server.shutdown()
  await Promise.all(wires.map((wire) => wire.end()))
  // Node prints a warning in a later turn of the event loop.
  await new Promise(setImmediate)
  assert.equal(seen, [])
})

test("a connection with too many waiting requests is closed, and the server still answers other connections", async () => {
  const app = new App({ logger: false })
  let begun = 0
  let aborted = 0
  app.get("/slow", async (c) => {
    begun += 1
    await new Promise<void>((resolve) => c.signal.addEventListener("abort", () => resolve()))
    aborted += 1
    return c.noContent()
  })
  app.get("/", (c) => c.string(200, "ok"))
  const server = await serve(app, options)
  const wire = await Wire.open(server.addr)
  wire.send(request("GET /slow").repeat(5000))
  await wire.end()
  assert.is(begun, 1001)
  assert.is((await ask(server.addr, request("GET /"))).body, "ok")
  await server.shutdown()
  assert.is(aborted, begun)
})

test("a connection that pipelines many requests gets every answer", async () => {
  const app = new App({ logger: false })
  app.get("/{id}", async (c) => {
    await new Promise(setImmediate)
    return c.string(200, c.param("id"))
  })
  const server = await serve(app, options)
  const wire = await Wire.open(server.addr)
  for (let round = 0; round < 30; round++) {
    const ids = Array.from({ length: 100 }, (_, index) => `${round}-${index}`)
    wire.send(ids.map((id) => request(`GET /${id}`)).join(""))
    for (const id of ids) assert.is((await wire.answer()).body, id)
  }
  wire.socket.destroy()
  await server.shutdown()
})

test.run()
