/** Tests of compressed answers: their headers, their content, and that they end when the client disconnects. */
import { gunzipSync, inflateSync } from "node:zlib"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type Context, compress } from "../../../lib/index.ts"
import { compressCases, long } from "../../support/contract/compress.ts"
import { contract } from "../../support/contract/runner.ts"

contract(compressCases)

const app = new App({ logger: false })
app.use(compress())
app.get("/text", (c) => c.string(200, long))
app.get("/blob", (c) => c.blob(200, "text/csv", new Blob([long, long])))
const ask = (path: string, coding: string) => app.request(path, { headers: { "accept-encoding": coding } })

for (const [coding, read] of [
  ["gzip", gunzipSync],
  ["deflate", inflateSync],
] as const) {
  test(`${coding} makes an answer smaller, and reading it gives the original text`, async () => {
    const bytes = new Uint8Array(await (await ask("/text", coding)).arrayBuffer())
    assert.is(read(bytes).toString(), long)
    assert.ok(bytes.byteLength * 10 < long.length)
    const streamed = await (await ask("/blob", coding)).arrayBuffer()
    assert.is(read(new Uint8Array(streamed)).toString(), long + long)
  })
}

test("a client that disconnects cancels the stream that is compressed", async () => {
  let ended: () => void
  const end = new Promise<void>((resolve) => {
    ended = resolve
  })
  const endless = new App({ logger: false })
  endless.use(compress())
  endless.get("/", (c) => {
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) =>
      controller.enqueue(crypto.getRandomValues(new Uint8Array(1024)))
    return c.blob(200, "text/plain", new ReadableStream({ pull, cancel: () => ended() }))
  })
  const answer = await endless.request("/", { headers: { "accept-encoding": "gzip" } })
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  await reader.cancel()
  await end
})

/** Returns a stream whose second chunk arrives when `release` is called. */
function gated() {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const steps = [async () => "first ", () => gate.then(() => "second")]
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = steps.shift()
      if (step) controller.enqueue(new TextEncoder().encode(await step()))
      else controller.close()
    },
  })
  return { stream, release }
}

type Maker = (c: Context, stream: ReadableStream<Uint8Array>) => Response
const makers: ReadonlyArray<readonly [name: string, make: Maker]> = [
  ["an own Response", (_, stream) => new Response(stream, { headers: { "content-type": "text/plain" } })],
  ["JSON in pieces", (_, stream) => new Response(stream, { headers: { "content-type": "application/json" } })],
  ["c.blob()", (c, stream) => c.blob(200, "text/plain", stream)],
  ["c.stream()", (c, stream) => c.stream(200, stream, "text/plain")],
]
for (const [name, make] of makers)
  test(`the first chunk of ${name} is sent before the second exists`, async () => {
    const { stream, release } = gated()
    const sending = new App({ logger: false })
    sending.use(compress())
    sending.get("/", (c) => make(c, stream))
    const outer = new App({ logger: false })
    outer.use(compress())
    outer.mountHandler("/", sending.fetch)
    await outer.listen("127.0.0.1:0")
    const answer = await fetch(`http://${outer.addr}/`, { headers: { "accept-encoding": "gzip" } })
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    const read = async () => new TextDecoder().decode((await reader.read()).value)
    assert.is(await read(), "first ")
    release()
    assert.is(await read(), "second")
    assert.ok((await reader.read()).done)
    await outer.shutdown()
  })

test("the head of a stream does not wait for its first chunk", async () => {
  const waiting = new App({ logger: false })
  waiting.use(compress())
  waiting.get("/", () => new Response(new ReadableStream(), { headers: { "content-type": "text/plain" } }))
  const answer = await waiting.request("/", { headers: { "accept-encoding": "gzip" } })
  assert.is(answer.status, 200)
  await answer.body?.cancel()
})

test("a stream that fails in its first chunk fails when it is read", async () => {
  const failing = new App({ logger: false })
  failing.use(compress())
  const start = (controller: ReadableStreamDefaultController) => controller.error(new Error("away"))
  failing.get("/", () => new Response(new ReadableStream({ start }), { headers: { "content-type": "text/plain" } }))
  const answer = await failing.request("/", { headers: { "accept-encoding": "gzip" } })
  const failed = await answer.text().catch((error) => error.message)
  assert.is(failed, "away")
})

test("a HEAD request starts no compression, and cancels the stream", async () => {
  let ended = false
  const head = new App({ logger: false })
  head.use(compress())
  head.get("/", (c) => {
    const cancel = () => {
      ended = true
    }
    c.setHeader("Content-Length", "5000")
    return c.blob(200, "text/plain", new ReadableStream({ cancel }))
  })
  const answer = await head.request("/", { method: "HEAD", headers: { "accept-encoding": "gzip" } })
  assert.is(answer.headers.get("content-encoding"), "gzip")
  assert.ok(ended)
})

test("the threshold is in bytes, not in characters", async () => {
  const small = new App({ logger: false })
  small.use(compress({ threshold: 10 }))
  small.get("/{text}", (c) => c.string(200, c.param("text")))
  const getCoding = async (text: string) => {
    const answer = await small.request(`/${encodeURIComponent(text)}`, {
      headers: { "accept-encoding": "gzip" },
    })
    return answer.headers.get("content-encoding")
  }
  assert.is(await getCoding("x".repeat(9)), null)
  assert.is(await getCoding("é".repeat(5)), "gzip")
})

test.run()
