/** Compressed answers: what is announced, what arrives when it is read, and that a client which goes away ends it. */
import { gunzipSync, inflateSync } from "node:zlib"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, compress } from "../../../lib/index.ts"
import { compressCases, long } from "../../support/contract/compress.ts"
import { contract } from "../../support/contract/runner.ts"

contract(compressCases)

const app = new App({ logger: false })
app.use(compress())
app.get("/text", (c) => c.string(200, long))
app.get("/stream", (c) => c.blob(200, "text/csv", new Blob([long, long]).stream()))
const ask = (path: string, coding: string) => app.request(path, { headers: { "accept-encoding": coding } })

for (const [coding, read] of [
  ["gzip", gunzipSync],
  ["deflate", inflateSync],
] as const) {
  test(`${coding} makes an answer smaller, and reading it gives the original text`, async () => {
    const bytes = new Uint8Array(await (await ask("/text", coding)).arrayBuffer())
    assert.is(read(bytes).toString(), long)
    assert.ok(bytes.byteLength * 10 < long.length)
    const streamed = await (await ask("/stream", coding)).arrayBuffer()
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

test("a HEAD request starts no compression, and cancels the stream", async () => {
  let ended = false
  const head = new App({ logger: false })
  head.use(compress())
  head.get("/", (c) => {
    const cancel = () => {
      ended = true
    }
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
  const codingOf = async (text: string) => {
    const answer = await small.request(`/${encodeURIComponent(text)}`, {
      headers: { "accept-encoding": "gzip" },
    })
    return answer.headers.get("content-encoding")
  }
  assert.is(await codingOf("x".repeat(9)), null)
  assert.is(await codingOf("é".repeat(5)), "gzip")
})

test.run()
