/** The channels of node:diagnostics_channel on which requests are published. */
import { AsyncLocalStorage } from "node:async_hooks"
import { channel, subscribe, unsubscribe } from "node:diagnostics_channel"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { nodeHandler, type RequestTrace } from "../../../adapters/node.ts"
import { App, HttpError } from "../../../lib/index.ts"

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
    test(`${name}: ${method} ${path} is published when it starts and when it ends`, async () => {
      const seen: [string, RequestTrace, number][] = []
      const start = (message: unknown) =>
        seen.push(["start", message as RequestTrace, (message as RequestTrace).status])
      const end = (message: unknown) => seen.push(["end", message as RequestTrace, (message as RequestTrace).status])
      subscribe("fw.request.start", start)
      subscribe("fw.request", end)
      const now = performance.now
      performance.now = () => 4711
      await fetch(`http://${addr}${path}`, { method, headers: { traceparent: "00-1-2-01" } }).then((answer) =>
        answer.text(),
      )
      unsubscribe("fw.request.start", start)
      unsubscribe("fw.request", end)
      performance.now = now
      const [[first, trace] = [], [second, same] = []] = seen
      assert.equal([first, second, seen.length], ["start", "end", 2])
      assert.is(trace, same)
      assert.equal(
        seen.map(([, , at]) => at),
        [0, status],
      )
      assert.is(trace?.method, method)
      assert.is(trace?.path, path.split("?")[0])
      assert.is(trace?.pattern, pattern)
      assert.is(trace?.error, error)
      assert.is(trace?.header("TraceParent"), "00-1-2-01")
      assert.is(trace?.start, 4711)
    })
  }
}

test("a path without a route has no pattern, and its error is the 404", async () => {
  let trace: RequestTrace | undefined
  const end = (message: unknown) => {
    trace = message as RequestTrace
  }
  subscribe("fw.request", end)
  await fetch(`http://${app.addr}/none`)
  unsubscribe("fw.request", end)
  assert.equal([trace?.pattern, trace?.status], ["", 404])
  assert.instance(trace?.error, HttpError)
})

test("a store that is bound to the start is set in the handler", async () => {
  const started = channel("fw.request.start")
  started.bindStore(store, (message) => (message as RequestTrace).path)
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
