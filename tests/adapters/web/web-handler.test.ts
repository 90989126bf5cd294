/** The adapters of Bun and Deno between the app and their servers. No server is needed for these tests. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { answer } from "../../../adapters/web/handler.ts"
import { App, type Context } from "../../../lib/index.ts"

const reported: unknown[] = []

async function ask(
  handler: (c: Context) => Response,
  request = new Request("http://localhost/x"),
  last = false,
) {
  const app = new App({ logger: false })
  app.get("/*", handler)
  return answer(app, request, { address: "", last }, (error) => reported.push(error))
}

test("a refused request is answered with Connection: close", async () => {
  const request = new Request("http://localhost/x", { headers: { host: "a b" } })
  const response = await ask((c) => c.string(200, c.path), request)
  assert.is(response.status, 400)
  assert.is(response.headers.get("connection"), "close")
  assert.is(response.headers.get("content-type"), "application/json")
})

test("the last answer of a server that stops has Connection: close", async () => {
  const response = await ask((c) => c.string(200, "last"), undefined, true)
  assert.is(response.headers.get("connection"), "close")
})

test("headers of the connection that the program sets are not sent", async () => {
  const response = await ask((c) => {
    for (const name of ["keep-alive", "te", "transfer-encoding", "upgrade"]) c.setHeader(name, "x")
    c.setHeader("connection", "keep-alive")
    c.setHeader("x-own", "1")
    return c.string(200, "text")
  })
  assert.equal([...response.headers.keys()], ["content-type", "x-own"])
})

const stream = (...chunks: unknown[]) =>
  new ReadableStream<never>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk as never)
      controller.close()
    },
  })
const bytes = (text: string) => new TextEncoder().encode(text)
const streams: ReadonlyArray<
  readonly [what: string, length: string, chunks: unknown[], read: string | RegExp]
> = [
  ["the announced length", "4", [bytes("ab"), bytes("cd")], "abcd"],
  ["more than the announced length", "3", [bytes("ab"), bytes("cd")], /Content-Length of 3/],
  ["less than the announced length", "5", [bytes("ab"), bytes("cd")], /Content-Length of 5/],
  ["text in place of bytes", "4", ["abcd"], /gave string, not a Uint8Array/],
]
for (const [what, length, chunks, read] of streams) {
  test(`a stream with ${what} ${typeof read === "string" ? "is sent" : "fails"}`, async () => {
    const response = await ask((c) => {
      c.setHeader("content-length", length)
      return c.blob(200, "text/plain", stream(...chunks))
    })
    const text = await response.text().catch(String)
    if (typeof read === "string") assert.is(text, read)
    else assert.match(text, read)
  })
}

test("these tests report no bug", () => assert.equal(reported, []))

test.run()
