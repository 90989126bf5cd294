/**
 * Tests of what a server on Node publishes about its requests on the channels of node:diagnostics_channel.
 * tests/lib/trace/ tests each operation.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { channel, subscribe, unsubscribe } from "node:diagnostics_channel"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { nodeHandler } from "../../../adapters/node.ts"
import { App, HttpError, type RequestOperation } from "../../../lib/index.ts"

process.env.FW_LOG_LEVEL = "off"

const store = new AsyncLocalStorage<string>()
const app = new App({ logger: false })
const bug = new Error("a bug")
const refusal = new HttpError(409, "taken")
app.get("/users/{id}", (c) => c.string(200, store.getStore() ?? "no store"))
app.post("/users", () => refusal)
app.get("/bug", async () => {
  await null
  throw bug
})
await app.listen("127.0.0.1:0")
const hosted = createServer(nodeHandler(app))
await new Promise<void>((resolve) => void hosted.listen(0, "127.0.0.1", resolve))
const servers = {
  "app.listen()": app.addr,
  "nodeHandler()": `127.0.0.1:${(hosted.address() as AddressInfo).port}`,
}

const requests: [method: string, path: string, status: number, pattern: string, error: unknown][] = [
  ["GET", "/users/7?page=2", 200, "/users/{id}", undefined],
  ["POST", "/users", 409, "/users", refusal],
  ["GET", "/bug", 500, "/bug", bug],
]

for (const [name, addr] of Object.entries(servers)) {
  for (const [method, path, status, pattern, error] of requests) {
    test(`${name}: ${method} ${path} is published when it starts, when it ends and when it is sent`, async () => {
      const seen: [string, RequestOperation, number][] = []
      const listeners = ["start", "end", "sent"].map((point) => {
        const listener = (message: unknown) => {
          const operation = message as RequestOperation
          seen.push([point, operation, operation.status])
        }
        return [`fw:request:${point}`, listener] as const
      })
      for (const [channel, listener] of listeners) subscribe(channel, listener)
      await fetch(`http://${addr}${path}`, { method, headers: { traceparent: "00-1-2-01" } }).then((answer) =>
        answer.text(),
      )
      for (const [channel, listener] of listeners) unsubscribe(channel, listener)
      const operation = seen[0]?.[1]
      assert.equal(
        seen.map(([point, same, at]) => [point, same === operation, at]),
        [
          ["start", true, 0],
          ["end", true, status],
          ["sent", true, status],
        ],
      )
      assert.is(operation?.c.method, method)
      assert.is(operation?.c.path, path.split("?")[0])
      assert.is(operation?.pattern, pattern)
      assert.is(operation?.error, error)
      assert.is(operation?.c.header("TraceParent"), "00-1-2-01")
    })
  }
}

test("a store that is bound when the request starts is set in the handler", async () => {
  const started = channel("fw:request:start")
  started.bindStore(store, (message) => (message as RequestOperation).c.path)
  const bound = await fetch(`http://${app.addr}/users/8`).then((answer) => answer.text())
  started.unbindStore(store)
  assert.is(bound, "/users/8")
  assert.is(await fetch(`http://${app.addr}/users/8`).then((answer) => answer.text()), "no store")
})

test("the servers stop", async () => {
  await app.shutdown(AbortSignal.timeout(5000))
  await new Promise((resolve) => {
    hosted.close(resolve)
    hosted.closeAllConnections()
  })
})

test.run()
