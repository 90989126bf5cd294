/** Tests of `c.stream()`: answers that are sent while they are created, and what happens when they end early. */
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { Readable } from "node:stream"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { html } from "../../../lib/html.ts"
import { App, compress, type HandlerFunc } from "../../../lib/index.ts"

process.env.FW_LOG_LEVEL ??= "off"

function answering(handler: HandlerFunc): App {
  const app = new App({ logger: false })
  app.use(compress({ threshold: 0 }))
  app.get("/", handler)
  return app
}

async function* pieces(): AsyncGenerator<string | Uint8Array> {
  yield "häll"
  yield new TextEncoder().encode("o ")
  yield "world"
}

async function* markup() {
  yield html`<p>${"<b>"}</p>`
  yield "<hr>"
}

const sources: ReadonlyArray<readonly [name: string, handler: HandlerFunc, type: string, body: string]> = [
  ["a stream", (c) => c.stream(200, new Blob(["bytes"]).stream()), "application/octet-stream", "bytes"],
  [
    "a generator",
    (c) => c.stream(200, pieces(), "text/plain; charset=utf-8"),
    "text/plain; charset=utf-8",
    "hällo world",
  ],
  ["markup", (c) => c.stream(200, markup(), "text/html"), "text/html", "<p>&lt;b&gt;</p><hr>"],
  ["a stream of Node.js", (c) => c.stream(200, Readable.from(["a", "b"]), "text/csv"), "text/csv", "ab"],
  ["an empty stream", (c) => c.stream(200, Readable.from([]), "text/csv"), "text/csv", ""],
]
for (const [name, handler, type, body] of sources) {
  test(`c.stream() sends ${name}, which is neither compressed nor buffered on the way`, async () => {
    const answer = await answering(handler).request("/", { headers: { "accept-encoding": "gzip" } })
    assert.is(answer.headers.get("content-type"), type)
    assert.is(answer.headers.get("x-accel-buffering"), "no")
    assert.is(answer.headers.get("content-encoding"), null)
    assert.is(await answer.text(), body)
  })
}

for (const piece of [undefined, null, {}, () => "", new Map()]) {
  test(`a generator that yields the ${typeof piece} ${piece} breaks the answer off`, async () => {
    async function* wrong() {
      yield "a"
      yield piece as never
    }
    const answer = await answering((c) => c.stream(200, wrong(), "text/plain")).request("/")
    const failure = await answer.text().catch((error) => error)
    assert.instance(failure, TypeError)
    assert.match(
      failure.message,
      /^a generator for c\.stream\(\) yields bytes, text or Html, not an? |not undefined|not null/,
    )
  })
}

test("a content type with a line break is answered with 500", async () => {
  const answer = await answering((c) => c.stream(200, pieces(), "text/plain\r\nx: y")).request("/")
  assert.is(answer.status, 500)
})

test("HEAD sends the headers and does not run the generator", async () => {
  let asked = false
  async function* watched() {
    asked = true
    yield "x"
  }
  const answer = await answering((c) => c.stream(200, watched(), "text/csv")).request("/", { method: "HEAD" })
  assert.is(answer.headers.get("content-type"), "text/csv")
  assert.not(asked)
})

test("a generator that throws breaks the answer off", async () => {
  async function* failing() {
    yield "x"
    throw new Error("a bug")
  }
  const answer = await answering((c) => c.stream(200, failing(), "text/csv")).request("/")
  assert.is(((await answer.text().catch((error) => error)) as Error).message, "a bug")
})

test("over a socket: a client that disconnects makes the generator return", async () => {
  let leave: () => void = () => {}
  const returned = new Promise<void>((resolve) => {
    leave = resolve
  })
  async function* endless() {
    try {
      for (;;) yield "x".repeat(1024)
    } finally {
      leave()
    }
  }
  const app = answering((c) => c.stream(200, endless(), "text/csv"))
  await app.listen("127.0.0.1:0")
  const client = request({ host: "127.0.0.1", port: Number(app.addr.split(":").at(-1)), agent: false })
  client.on("error", () => {})
  client.end()
  const [answer] = (await once(client, "response")) as [IncomingMessage]
  answer.on("error", () => {})
  await once(answer, "data")
  client.destroy()
  await returned
  await app.shutdown()
})

test.run()
