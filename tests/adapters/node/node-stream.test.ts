/** Tests of streams on Node: backpressure in both directions, and clients that disconnect. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type Context } from "../../../lib/index.ts"
import { startLoopbackApp } from "../../support/adapters/node/loopback-app.ts"
import { defer, request, Wire } from "../../support/adapters/node/wire.ts"
import { atRest } from "../../support/rest.ts"

const loopback = await startLoopbackApp()
const { app, seen, open } = loopback
const bytes = (text: string) => new TextEncoder().encode(text)

/** Creates an endless stream that counts how often it is read, and reports when it is cancelled. */
function endless(size = 64 * 1024) {
  const cancelled = defer<unknown>()
  const source = { pulls: 0, cancelled: cancelled.promise }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        source.pulls += 1
        controller.enqueue(new Uint8Array(size))
      },
      cancel: (reason) => cancelled.resolve(reason),
    },
    { highWaterMark: 0 },
  )
  return { source, stream }
}

test("a fast source waits for a slow client, and is cancelled when the client disconnects", async () => {
  const { source, stream } = endless()
  loopback.now = () => new Response(stream)
  const wire = await Wire.open(app.addr)
  wire.socket.pause()
  wire.send(request("GET /now"))
  const pulls = await atRest(() => source.pulls)
  // The source is endless, and only the few MB that fit in the kernel's buffers are read from it.
  assert.ok(pulls > 0 && pulls * 64 * 1024 < 32 * 1024 * 1024, `${pulls} chunks were pulled`)
  wire.socket.destroy()
  assert.is(((await source.cancelled) as Error).name, "AbortError")
})

test("a fast client waits for a program that reads slowly", async () => {
  let read = 0
  const go = defer()
  loopback.now = async (c) => {
    const reader = (c.request.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await go.promise
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) read += chunk.value.byteLength
    return c.string(200, "read")
  }
  const size = 9_000_000
  const before = process.memoryUsage().arrayBuffers
  const wire = await open(`POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`)
  let sent = 0
  wire.socket.write(new Uint8Array(size), () => {
    sent = size
  })
  await atRest(() => wire.socket.writableLength, 0)
  const arrived = process.memoryUsage().arrayBuffers - before
  assert.ok(sent === 0 || arrived < 2 * size + 50_000_000, `the buffers have ${arrived} bytes`)
  go.resolve()
  assert.is((await wire.answer()).body, "read")
  assert.ok(read > size - 100_000 && read < size)
  wire.socket.destroy()
})

test("an echo of c.request.body is streamed in both directions at once", async () => {
  loopback.now = (c) => new Response(c.request.body)
  const wire = await open("POST /now HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n")
  await wire.until("2\r\nab\r\n")
  wire.send("3\r\ncde\r\n")
  await wire.until("3\r\ncde\r\n")
  wire.send(`0\r\n\r\n${request("GET /next")}`)
  assert.is((await wire.answer()).body, "abcde")
  assert.is((await wire.answer()).body, "next")
  wire.socket.destroy()
})

test("the headers of a stream are sent before its first chunk", async () => {
  const first = defer<Uint8Array>()
  loopback.now = () =>
    new Response(
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          controller.enqueue(await first.promise)
          controller.close()
        },
      }),
    )
  const wire = await open(request("GET /now"))
  await wire.until("\r\n\r\n")
  first.resolve(bytes("later"))
  assert.is((await wire.answer()).body, "later")
  wire.socket.destroy()
})

test("a streamed body over the limit is an error for its reader, and the connection ends", async () => {
  const small = new App({ logger: false, bodyLimit: 1000 })
  const caught: unknown[] = []
  small.post("/", async (c) => {
    const body = c.request.body as ReadableStream<Uint8Array>
    for (const reader = body.getReader(); ; ) {
      const { done } = await reader.read().catch((error) => {
        caught.push(error.status)
        throw error
      })
      if (done) return c.string(200, "whole")
    }
  })
  await small.listen("127.0.0.1:0")
  const wire = await Wire.open(small.addr)
  wire.send(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5dc\r\n${"x".repeat(1500)}\r\n`)
  const answer = await wire.answer()
  assert.is(answer.status, 413)
  assert.is(answer.headers.connection, "close")
  wire.send("0\r\n\r\n")
  await wire.end()
  assert.equal(caught, [413])
  await small.shutdown()
})

const gone: [name: string, text: string, answer: (c: Context, started: () => void) => Promise<Response>][] = [
  [
    "that waits",
    request("GET /now"),
    async (c, started) => {
      started()
      await new Promise((resolve) => c.signal.addEventListener("abort", resolve))
      throw new Error("late, after the client went away")
    },
  ],
  [
    "that reads the body",
    "POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf",
    async (c, started) => {
      started()
      return c.string(200, await c.text())
    },
  ],
  [
    "that streams the body",
    "POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf",
    async (c, started) => {
      const reader = (c.request.body as ReadableStream<Uint8Array>).getReader()
      await reader.read()
      started()
      await reader.read()
      return c.string(200, "whole")
    },
  ],
  [
    "that answers too late, with a stream",
    request("GET /now"),
    async (c, started) => {
      started()
      await new Promise((resolve) => c.signal.addEventListener("abort", resolve))
      return new Response(new ReadableStream({ cancel: () => Promise.reject(new Error("cancel fails too")) }))
    },
  ],
]

for (const [name, text, answer] of gone) {
  test(`a client that disconnects ends a handler ${name}, by c.signal or the body`, async () => {
    const started = defer()
    const ended = defer<unknown>()
    loopback.now = (c) => {
      const response = answer(c, () => started.resolve())
      response.then(ended.resolve, ended.resolve)
      return response
    }
    const wire = await open(text)
    await started.promise
    wire.socket.destroy()
    assert.ok(await ended.promise)
  })
}

test("c.signal also aborts in a handler whose answer waits for an earlier answer", async () => {
  const both = [defer(), defer()]
  let count = 0
  const started = defer()
  loopback.now = async (c) => {
    const mine = both[count++]
    if (count === 2) started.resolve()
    await new Promise((resolve) => c.signal.addEventListener("abort", resolve))
    mine?.resolve()
    return new Response("late")
  }
  const wire = await open(request("GET /now").repeat(2))
  await started.promise
  wire.socket.destroy()
  await Promise.all(both.map(({ promise }) => promise))
})

test("a stream that waits for an earlier answer is cancelled when the client disconnects", async () => {
  const { source, stream } = endless()
  let count = 0
  loopback.now = async () => (++count === 1 ? await new Promise<Response>(() => {}) : new Response(stream))
  const wire = await open(request("GET /now").repeat(2))
  await atRest(() => source.pulls, 0)
  wire.socket.destroy()
  await source.cancelled
})

const readers: [name: string, read: (request: Request, c: Context) => Promise<string>][] = [
  ["c.text()", (_, c) => c.text()],
  ["c.request.text()", (request) => request.text()],
  ["a stream", (request) => new Response(request.body).text()],
]

for (const [name, read] of readers) {
  test(`the whole body of a client that disconnected can still be read by ${name}`, async () => {
    const arrived = defer()
    const got = defer<unknown>()
    loopback.now = async (c) => {
      const { request } = c
      const gone = new Promise((resolve) => c.signal.addEventListener("abort", resolve))
      arrived.resolve()
      await gone
      got.resolve(await read(request, c).catch((error) => error))
      return new Response()
    }
    const wire = await open(request("POST /now", [], "a webhook"))
    await arrived.promise
    wire.socket.destroy()
    assert.is(await got.promise, "a webhook")
  })
}

test("the rest of a whole body can still be read as a stream after the client disconnected", async () => {
  const arrived = defer()
  const got = defer<unknown>()
  loopback.now = async (c) => {
    const reader = (c.request.body as ReadableStream<Uint8Array>).getReader()
    const gone = new Promise((resolve) => c.signal.addEventListener("abort", resolve))
    const sizes = [(await reader.read()).value?.byteLength]
    arrived.resolve()
    await gone
    for (let next = await reader.read(); !next.done; next = await reader.read()) sizes.push(next.value.byteLength)
    got.resolve(sizes)
    return new Response()
  }
  const wire = await open(
    "POST /now HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n5\r\nthree\r\n0\r\n\r\n",
  )
  await arrived.promise
  wire.socket.destroy()
  assert.equal(await got.promise, [3, 5])
})

test("no test in this file causes an unhandled rejection, an uncaught exception or a warning", async () => {
  await app.shutdown(AbortSignal.timeout(5000))
  assert.equal(seen, [])
})

test.run()
