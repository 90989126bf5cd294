/** Tests of `broadcaster()` in memory: messages to event streams and to sockets. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { setDevHooks } from "../../../lib/dev/hooks.ts"
import { App } from "../../../lib/index.ts"
import { broadcaster } from "../../../lib/store/broadcast.ts"
import { memoryStore } from "../../../lib/store/memory.ts"
import type { Store, Subscriber } from "../../../lib/store/types.ts"
import { parse } from "../../support/store/event-streams.ts"

process.env.FW_LOG_LEVEL = "off"

/** Returns a store whose topic the test controls. */
function createTopic() {
  const subscribers = new Set<Subscriber>()
  const store: Store<"topic"> = {
    engine: "test",
    capabilities: ["topic"],
    close: async () => {},
    topic: {
      async publish(_, data) {
        for (const subscriber of subscribers) subscriber.message(data)
      },
      async subscribe(_, subscriber) {
        subscribers.add(subscriber)
        return async () => void subscribers.delete(subscriber)
      },
    },
  }
  return { store, subscribers }
}

/** Returns a client that takes one message each time the test allows it. */
function slowClient() {
  const abort = new AbortController()
  const sent: unknown[] = []
  const takers: (() => void)[] = []
  const send = (message: string) => {
    sent.push(message)
    return new Promise<void>((resolve) => takers.push(resolve))
  }
  return { signal: abort.signal, sent, send, leave: () => abort.abort(), take: () => takers.shift()?.() }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test("a message of any route reaches an event stream, until its client disconnects", async () => {
  const { store, subscribers } = createTopic()
  const live = broadcaster(store)
  const app = new App({ logger: false })
  app.get("/news", (c) => c.sse((events) => live.subscribe("news", events, { start: () => events.send("now") })))
  app.post("/news", async (c) => {
    await live.publish("news", { text: await c.text() })
    return c.noContent()
  })
  const reader = ((await app.request("/news")).body as ReadableStream<Uint8Array>).getReader()
  const next = async () => parse(new TextDecoder().decode((await reader.read()).value)).events
  assert.equal(await next(), [["message", "now"]])
  await app.request("/news", { method: "POST", body: "a" })
  assert.equal(await next(), [["message", '{"text":"a"}']])
  for (const subscriber of subscribers) subscriber.gap()
  assert.equal(await next(), [["gap", ""]])
  await reader.cancel()
  while (subscribers.size > 0) await turn()
})

test("a socket gets JSON, and a gap as JSON", async () => {
  const { store, subscribers } = createTopic()
  const client = slowClient()
  const done = broadcaster(store).subscribe("room", client)
  await turn()
  await store.topic.publish("room", { a: 1 })
  await turn()
  client.take()
  for (const subscriber of subscribers) subscriber.gap()
  await turn()
  assert.equal(client.sent, ['{"a":1}', '{"gap":true}'])
  client.leave()
  client.take()
  await done
  assert.is(subscribers.size, 0)
})

test("messages that a slow client does not read are dropped beyond the queue, and it gets one gap", async () => {
  const { store } = createTopic()
  const client = slowClient()
  const done = broadcaster(store).subscribe("room", client, { queue: 3 })
  await turn()
  for (let n = 0; n < 10_000; n++) await store.topic.publish("room", n)
  for (let left = 0; left < 5; left++) {
    client.take()
    await turn()
  }
  const gap = client.sent.indexOf('{"gap":true}')
  assert.ok(client.sent.length <= 5 && gap >= 0, JSON.stringify(client.sent))
  assert.is(client.sent.at(-1), "9999", "the newest message does not arrive after the gap")
  assert.is(client.sent.lastIndexOf('{"gap":true}'), gap)
  client.leave()
  client.take()
  await done
})

test("options choose what is sent, and undefined sends nothing", async () => {
  const { store, subscribers } = createTopic()
  const client = slowClient()
  const options = {
    message: (data: unknown) => (data === 1 ? undefined : `got ${data}`),
    gap: () => "read again",
  }
  const done = broadcaster(store).subscribe("room", client, options)
  await turn()
  for (const data of [1, 2]) await store.topic.publish("room", data)
  for (const subscriber of subscribers) subscriber.gap()
  await turn()
  client.take()
  await turn()
  assert.equal(client.sent, ["got 2", "read again"])
  client.leave()
  client.take()
  await done
})

test("a client that has disconnected before is not subscribed", async () => {
  const { store, subscribers } = createTopic()
  const client = slowClient()
  client.leave()
  await broadcaster(store).subscribe("room", client)
  assert.is(subscribers.size, 0)
})

test("an engine without topic, and a wrong option, are errors", async () => {
  const code = (error: { code?: string }) => error.code === "store"
  const sqlite = { engine: "sqlite", capabilities: ["kv", "log"] } as unknown as Store<"topic">
  assert.throws(() => broadcaster(sqlite), code)
  const live = broadcaster(memoryStore())
  for (const options of [{ queue: 0 }, { size: 1 } as object]) {
    const problem = await live.subscribe("room", slowClient(), options).catch((error) => error)
    assert.is(problem.code, "store")
  }
})

test("a reader may be async: its messages keep their order, and an error is reported and becomes a gap", async () => {
  const { store, subscribers } = createTopic()
  const live = broadcaster(store)
  const client = slowClient()
  const reported: unknown[] = []
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on("unhandledRejection", note)
  setDevHooks({ onBug: (error) => reported.push(error) })
  try {
    const waits: (() => void)[] = []
    let gaps = 0
    const done = live.subscribe("news", client, {
      async message(data) {
        if (data === "bad") throw new Error("no database")
        if (data === "slow") await new Promise<void>((resolve) => waits.push(resolve))
        return data === "none" ? undefined : `<p>${data}</p>`
      },
      async gap() {
        gaps += 1
        if (gaps === 2) throw new Error("still no database")
        return "gap"
      },
    })
    await turn()
    for (const data of ["slow", "one", "none", "bad", "two", "bad", "three"]) await live.publish("news", data)
    await turn()
    assert.equal(client.sent, [])
    waits[0]?.()
    const expected = ["<p>slow</p>", "<p>one</p>", "<p>two</p>", "<p>three</p>", "gap"]
    for (const _ of expected) {
      await turn()
      client.take()
    }
    await turn()
    assert.equal(client.sent, expected)
    assert.equal(reported.map(String), ["Error: no database", "Error: no database"])
    await live.publish("news", "bad")
    await turn()
    assert.equal(reported.map(String).slice(2), ["Error: no database", "Error: still no database"])
    await live.publish("news", "slow")
    await turn()
    client.leave()
    waits[1]?.()
    await done
    assert.is(client.sent.length, expected.length)
    assert.is(subscribers.size, 0)
    assert.equal(unhandled, [])
  } finally {
    setDevHooks(undefined)
    process.off("unhandledRejection", note)
  }
})

test.run()
