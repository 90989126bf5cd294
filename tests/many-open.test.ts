/** A server on Node with many streams and WebSockets open at once, and many requests on one connection. */
import { once } from "node:events"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { WebSocket } from "ws"
import { serve } from "../adapters/node.ts"
import { App, type EventStream } from "../lib/index.ts"
import { Wire, watchProcess } from "./support/node/wire.ts"

const seen = watchProcess()
const options = { host: "127.0.0.1", port: 0 }
/** More than the 10 listeners that Node takes for usual. */
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
  // A warning is printed in a later turn of the event loop.
  await new Promise(setImmediate)
  assert.equal(seen, [])
})

test.run()
