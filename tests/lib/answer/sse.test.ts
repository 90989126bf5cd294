/**
 * Tests of server-sent events: the bytes that a client gets, and how a stream ends, with `app.fetch` and over a
 * socket.
 */
import { once } from "node:events"
import { type ClientRequest, type IncomingMessage, request } from "node:http"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type Html, html } from "../../../lib/html.ts"
import { App, compress, type EventStream, type EventStreamOptions, type ServerSentEvent } from "../../../lib/index.ts"
import { atRest } from "../../support/rest.ts"

process.env.FW_LOG_LEVEL ??= "off"

/** Returns an app with one event stream. */
function streaming(run: (events: EventStream) => unknown, options?: EventStreamOptions): App {
  const app = new App({ logger: false })
  app.get("/", (c) => c.sse(run, options))
  return app
}

const events: ReadonlyArray<readonly [name: string, event: string | Html | ServerSentEvent, wire: string]> = [
  ["markup as it is", html`<b>${"<"}</b>\n<i></i>`, "data: <b>&lt;</b>\ndata: <i></i>\n\n"],
  ["markup as data", { event: "row", data: html`<b>1</b>` }, "event: row\ndata: <b>1</b>\n\n"],
  ["a text", "hello", "data: hello\n\n"],
  ["an empty text", "", "data: \n\n"],
  ["one data field per line, whatever ends the line", "a\nb\r\nc\rd", "data: a\ndata: b\ndata: c\ndata: d\n\n"],
  ["text that looks like a field as data", "x\nevent: evil", "data: x\ndata: event: evil\n\n"],
  ["text with an empty line as one event", "x\n\ndata: evil", "data: x\ndata: \ndata: data: evil\n\n"],
  ["all fields", { event: "tick", id: "7", retry: 50, data: "x" }, "event: tick\nid: 7\nretry: 50\ndata: x\n\n"],
  ["JSON", { data: { a: [1, null], b: "c\nd" } }, 'data: {"a":[1,null],"b":"c\\nd"}\n\n'],
  ["numbers and null", { data: null }, "data: null\n\n"],
  ["only an id", { id: "é" }, "id: é\n\n"],
  ["an empty id", { id: "" }, "id: \n\n"],
]
for (const [name, event, wire] of events) {
  test(`send() writes ${name}`, async () => {
    const answer = await streaming((stream) => stream.send(event)).request("/")
    assert.is(await answer.text(), wire)
  })
}

const refused: ReadonlyArray<readonly [name: string, event: object]> = [
  ["a line break in event", { event: "a\nb" }],
  ["a carriage return in event", { event: "a\rdata: evil" }],
  ["a line break in id", { id: "1\n\ndata: evil" }],
  ["NUL in id", { id: "a\0" }],
  ["an event that is not a string", { event: 5 }],
  ["a negative retry", { retry: -1 }],
  ["a retry that is text", { retry: "5\ndata: evil" }],
  ["data that JSON cannot hold", { data: () => {} }],
]
for (const [name, event] of refused) {
  test(`send() refuses ${name}, and the stream goes on`, async () => {
    let thrown: unknown
    const app = streaming(async (stream) => {
      thrown = await stream.send(event as ServerSentEvent).catch((error) => error)
      await stream.send("after")
    })
    assert.is(await (await app.request("/")).text(), "data: after\n\n")
    assert.instance(thrown, TypeError)
  })
}

test("the headers keep caches, compression and proxies from storing, changing or delaying the stream", async () => {
  const app = new App({ logger: false })
  app.use(compress({ threshold: 0 }))
  app.get("/", (c) => c.sse((stream) => stream.send("x".repeat(5000)), { retry: 2500 }))
  const answer = await app.request("/", { headers: { "accept-encoding": "gzip" } })
  assert.is(answer.status, 200)
  assert.is(answer.headers.get("content-type"), "text/event-stream")
  assert.is(answer.headers.get("cache-control"), "no-cache, no-transform")
  assert.is(answer.headers.get("x-accel-buffering"), "no")
  assert.is(answer.headers.get("content-encoding"), null)
  assert.match(await answer.text(), /^retry: 2500\n\ndata: x/)
})

test("a stream with an invalid option is answered with 500", async () => {
  for (const options of [
    { heartbeat: -1 },
    { heartbeat: Number.NaN },
    { heartbeat: Infinity },
    { heartbeat: 2_147_484 },
    { retry: 1.5 },
  ])
    assert.is((await streaming(() => {}, options).request("/")).status, 500)
})

test("lastEventId is the header Last-Event-ID, read as UTF-8", async () => {
  const app = streaming((stream) => stream.send(`[${stream.lastEventId}]`))
  const ask = async (id?: string) =>
    (await app.request("/", { headers: id === undefined ? {} : { "last-event-id": id } })).text()
  assert.is(await ask(), "data: []\n\n")
  assert.is(await ask("41"), "data: [41]\n\n")
  assert.is(await ask(Buffer.from("é").toString("latin1")), "data: [é]\n\n")
  assert.is(await ask("\xff"), "data: [\xff]\n\n")
})

test("HEAD sends the headers and does not run the function", async () => {
  let ran = false
  const app = streaming(() => {
    ran = true
  })
  const answer = await app.request("/", { method: "HEAD" })
  assert.is(answer.headers.get("content-type"), "text/event-stream")
  assert.is(await answer.text(), "")
  assert.not(ran)
})

test("close() ends the stream, and send() afterwards rejects with an AbortError", async () => {
  let thrown: unknown
  const app = streaming(async (stream) => {
    await stream.send("one")
    stream.close()
    stream.close()
    thrown = await stream.send("two").catch((error) => error)
    await stream.closed
    assert.ok(stream.signal.aborted)
  })
  assert.is(await (await app.request("/")).text(), "data: one\n\n")
  assert.is((thrown as Error).name, "AbortError")
})

test("a function that throws breaks the stream off", async () => {
  const app = streaming(async (stream) => {
    await stream.send("one")
    throw new Error("a bug")
  })
  const answer = await app.request("/")
  const failure = await answer.text().catch((error) => error)
  assert.is((failure as Error).message, "a bug")
})

test("send() waits until the client has read what was sent", async () => {
  const order: string[] = []
  const app = streaming(async (stream) => {
    for (const text of ["1", "2", "3"]) {
      await stream.send(text)
      order.push(`sent ${text}`)
    }
  })
  const reader = ((await app.request("/")).body as ReadableStream<Uint8Array>).getReader()
  const turns = () => new Promise((resolve) => setImmediate(resolve))
  await reader.read()
  await turns()
  // The reader asked for the first event. The second one waits until it is asked for.
  assert.equal(order, ["sent 1"])
  order.push("read 2")
  await reader.read()
  await turns()
  order.push("read 3")
  await reader.read()
  await reader.read()
  assert.ok(order.indexOf("read 2") < order.indexOf("sent 2"), order.join())
  assert.ok(order.indexOf("read 3") < order.indexOf("sent 3"), order.join())
})

test("a client that is a MiB behind is disconnected", async () => {
  let ended: unknown
  const app = streaming(async (stream) => {
    for (let i = 0; i < 100; i++) stream.send("x".repeat(100_000))
    await stream.closed
    ended = stream.signal.reason
  })
  const text = await (await app.request("/")).text()
  assert.is((ended as Error).name, "AbortError")
  assert.ok(text.length < 1_400_000 && text.length > 1_000_000, String(text.length))
})

test("heartbeats are sent while no events are", async () => {
  const app = streaming((stream) => stream.closed, { heartbeat: 0.001 })
  const reader = ((await app.request("/")).body as ReadableStream<Uint8Array>).getReader()
  for (let i = 0; i < 3; i++) assert.is(new TextDecoder().decode((await reader.read()).value), ":\n\n")
  await reader.cancel()
})

test("a reader that cancels the body ends the stream", async () => {
  let stream: EventStream | undefined
  const done = new Promise<void>((resolve) => {
    const app = streaming(async (opened) => {
      stream = opened
      await opened.send("one")
      await opened.closed
      resolve()
    })
    app.request("/").then(async ({ body }) => {
      const reader = (body as ReadableStream<Uint8Array>).getReader()
      await reader.read()
      await reader.cancel()
    })
  })
  await done
  await stream?.send("to nobody").then(
    () => assert.unreachable(),
    (error) => assert.is(error, stream?.signal.reason),
  )
})

test("a send that waits when the reader cancels rejects with the reason of the signal", async () => {
  let stream: EventStream | undefined
  const failed = new Promise<unknown>((resolve) => {
    const app = streaming(async (opened) => {
      stream = opened
      await opened.send("one")
      await opened.send("two").catch(resolve)
    })
    app.request("/").then(({ body }) => {
      const reader = (body as ReadableStream<Uint8Array>).getReader()
      return reader.read().then(() => reader.cancel())
    })
  })
  assert.is(((await failed) as Error).name, "AbortError")
  assert.is(await failed, stream?.signal.reason)
})

/** Starts a server, and connects a client that has received the head of the answer. */
async function connected(app: App) {
  await app.listen("127.0.0.1:0")
  const client: ClientRequest = request({
    host: "127.0.0.1",
    port: Number(app.addr.split(":").at(-1)),
    agent: false,
  })
  client.on("error", () => {})
  client.end()
  const [answer] = (await once(client, "response")) as [IncomingMessage]
  answer.on("error", () => {})
  answer.setEncoding("utf8")
  return { client, answer }
}

test("over a socket: the headers arrive at once, before any event", async () => {
  const app = streaming((stream) => stream.closed)
  const { client, answer } = await connected(app)
  assert.is(answer.headers["content-type"], "text/event-stream")
  client.destroy()
  await app.shutdown()
})

test("over a socket: a client that disconnects ends the stream and aborts c.signal", async () => {
  const app = new App({ logger: false })
  const ended = new Promise<unknown>((resolve) => {
    app.get("/", (c) =>
      c.sse(async (stream) => {
        await stream.send("one")
        await stream.closed
        assert.ok(c.signal.aborted)
        resolve(stream.signal.reason)
      }),
    )
  })
  const { client, answer } = await connected(app)
  await once(answer, "data")
  client.destroy()
  assert.is(((await ended) as Error).name, "AbortError")
  await app.shutdown()
})

test("over a socket: a graceful shutdown completes the stream, and waits until its function returns", async () => {
  const steps: string[] = []
  const app = streaming(async (stream) => {
    await stream.send("one")
    await stream.closed
    await new Promise((resolve) => setImmediate(resolve))
    steps.push("cleared")
  })
  const { answer } = await connected(app)
  await once(answer, "data")
  const ended = once(answer, "end")
  await app.shutdown()
  steps.push("stopped")
  await ended
  assert.ok(answer.complete)
  assert.equal(steps, ["cleared", "stopped"])
})

test("over a socket: a function that throws after the headers breaks the connection off", async () => {
  let fail: () => void = () => {}
  const app = streaming(async (stream) => {
    await stream.send("one")
    await new Promise<void>((resolve) => {
      fail = resolve
    })
    throw new Error("a bug")
  })
  const { answer } = await connected(app)
  const [text] = await once(answer, "data")
  assert.is(text, "data: one\n\n")
  fail()
  // `once()` would reject, because an error event comes first.
  await new Promise((resolve) => answer.on("close", resolve))
  assert.not(answer.complete)
  await app.shutdown()
})

test("over a socket: send() waits for a slow client", async () => {
  let sent = 0
  let leave: () => void = () => {}
  const app = streaming(async (stream) => {
    leave = () => stream.close()
    for (; ; sent++) await stream.send("x".repeat(64 * 1024))
  })
  const { answer } = await connected(app)
  answer.pause()
  // The kernel and node:http buffer only a limited number of events, so the count stops growing.
  await atRest(() => sent)
  assert.ok(sent < 1000, `${sent} events of 64 KiB are on their way`)
  answer.resume()
  leave()
  await app.shutdown()
})

test.run()
