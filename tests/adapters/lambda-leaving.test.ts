/**
 * Tests of streamed answers of Lambda whose client disconnects: the invocation ends, and so does the source of the
 * answer.
 */
import { Writable } from "node:stream"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { lambdaStreamHandler, type ResponseStream } from "../../adapters/lambda.ts"
import { App, type Context } from "../../lib/index.ts"

process.env.FW_LOG_LEVEL ??= "off"

const runtime = {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: { from: (stream: unknown) => stream },
}
const event = {
  version: "2.0",
  rawPath: "/",
  headers: { host: "x" },
  requestContext: { http: { method: "GET" } },
}

/** Invokes a function, and returns how the invocation ended. */
async function invoke(app: App, out: ResponseStream): Promise<string> {
  Object.assign(globalThis, { awslambda: runtime })
  try {
    return await lambdaStreamHandler(app)(event, out, {}).then(
      () => "resolved",
      (error: Error) => `rejected: ${error.message}`,
    )
  } finally {
    Reflect.deleteProperty(globalThis, "awslambda")
  }
}

/** Returns a slow client that calls `then` with the chunk that completes its first 100,000 bytes. */
function client(then: (stream: Writable, done: () => void) => void): Writable {
  let size = 0
  return new Writable({
    highWaterMark: 16_384,
    write(chunk, _, done) {
      size += chunk.length
      if (size > 100_000) then(this, done)
      else setImmediate(done)
    },
  })
}

const chunk = new Uint8Array(65_536)

/** Answers without an end. Each calls `note` when its source is ended. */
const answers: ReadonlyArray<readonly [what: string, answer: (c: Context, note: () => void) => unknown]> = [
  [
    "a generator",
    (c, note) =>
      c.stream(
        200,
        (async function* () {
          try {
            for (;;) yield chunk
          } finally {
            note()
          }
        })(),
      ),
  ],
  [
    "a stream",
    (_, note) =>
      new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk), cancel: () => note() })),
  ],
  [
    "a stream that falls silent",
    (_, note) =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(chunk)
            controller.enqueue(chunk)
          },
          cancel: () => note(),
        }),
      ),
  ],
  [
    "events",
    (c, note) =>
      c.sse(async (events) => {
        events.closed.then(note)
        for (;;) await events.send("x".repeat(65_536))
      }),
  ],
]

type Leave = readonly [how: string, stream: () => Writable, end: string]
const leaves: readonly Leave[] = [
  [
    "closes while its stream accepts more bytes",
    () =>
      client((stream, done) => {
        done()
        stream.destroy()
      }),
    "resolved",
  ],
  ["closes while its stream accepts no more bytes", () => client((stream) => void stream.destroy()), "resolved"],
  [
    "fails while its stream accepts no more bytes",
    () => client((stream) => void stream.destroy(new Error("reset"))),
    "rejected: reset",
  ],
  ["had closed before", () => client(() => {}).destroy(), "resolved"],
  [
    "closes while the handler runs",
    () => {
      const stream = client(() => {})
      setImmediate(() => stream.destroy())
      return stream
    },
    "resolved",
  ],
]

for (const [what, answer] of answers)
  for (const [how, stream, end] of leaves)
    test(`${what} ends when the client ${how}`, async () => {
      let told: () => void = () => {}
      const ended = new Promise<void>((resolve) => {
        told = resolve
      })
      const app = new App({ logger: false })
      let aborted: unknown
      app.get("/", async (c) => {
        c.signal.addEventListener("abort", () => {
          aborted = c.signal.reason
        })
        if (how.includes("handler")) await new Promise((resolve) => c.signal.addEventListener("abort", resolve))
        else if (c.signal.aborted) aborted = c.signal.reason
        // A generator that has not started has nothing to clean up.
        if (c.signal.aborted) told()
        return answer(c, told) as Response
      })
      assert.is(await invoke(app, stream()), end)
      await ended
      assert.is((aborted as Error).name, end === "resolved" ? "AbortError" : "Error")
    })

test("c.signal aborts even if nothing else of the request is in memory", async () => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const app = new App({ logger: false })
  let isAborted = false
  app.get("/", (c) => {
    c.signal.addEventListener("abort", () => {
      isAborted = true
    })
    return c.stream(
      200,
      (async function* () {
        for (;;) {
          // Weak references keep their objects alive until the current turn of the event loop ends.
          await new Promise(setImmediate)
          collect()
          yield chunk
        }
      })(),
    )
  })
  const stream = client((stream, done) => {
    done()
    stream.destroy()
  })
  assert.is(await invoke(app, stream), "resolved")
  assert.ok(isAborted)
})

test("the invocation waits for c.waitUntil() after the client has disconnected", async () => {
  const app = new App({ logger: false })
  const notes: string[] = []
  app.get("/", (c) => {
    c.waitUntil(new Promise((resolve) => setImmediate(resolve)).then(() => notes.push("work")))
    return c.string(200, "x")
  })
  assert.is(await invoke(app, client(() => {}).destroy()), "resolved")
  assert.equal(notes, ["work"])
})

test("a client that stays gets the whole answer, and its signal does not abort", async () => {
  const app = new App({ logger: false })
  let signal: AbortSignal | undefined
  app.get("/", (c) => {
    signal = c.signal
    return c.string(200, "whole")
  })
  let text = ""
  const out = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  assert.is(await invoke(app, out), "resolved")
  await new Promise((resolve) => (out.closed ? resolve(null) : out.once("close", resolve)))
  assert.is(text, "whole")
  assert.is(signal?.aborted, false)
})

test("an error of the source rejects the invocation", async () => {
  const app = new App({ logger: false })
  app.get("/", () => new Response(new ReadableStream({ pull: () => Promise.reject(new Error("source")) })))
  assert.is(
    await invoke(
      app,
      client(() => {}),
    ),
    "rejected: source",
  )
})

test.run()
