// Tests of JSON-RPC over a pair of streams: messages are found wherever the bytes are split, and an invalid message
// does not affect the next one.

import { PassThrough } from "node:stream"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { Connection, errorCodes, type Handlers, ResponseError } from "../../../bin/rpc/connection.ts"
import { encodeMessage, MessageReader } from "../../../bin/rpc/messages.ts"

const none: Handlers = { request: () => null, handleNotification: () => {} }

/** Returns two connected ends. */
function pair(first: Handlers, second: Handlers): readonly [Connection, Connection, PassThrough] {
  const [there, back] = [new PassThrough(), new PassThrough()]
  return [new Connection(back, there, first), new Connection(there, back, second), there]
}

test("messages are the same however their bytes are split", () => {
  const sent = [{ method: "a", params: { text: "ä€😀" } }, { id: 1, result: null }, { method: "b" }]
  const bytes = Buffer.concat(sent.map(encodeMessage))
  for (let size = 1; size <= bytes.length; size++) {
    const reader = new MessageReader()
    const got = []
    for (let at = 0; at < bytes.length; at += size) got.push(...reader.read(bytes.subarray(at, at + size)))
    assert.equal(
      got,
      sent.map((message) => ({ jsonrpc: "2.0", ...message })),
      `other messages arrived in parts of ${size} bytes`,
    )
  }
})

test("in a message, half of a surrogate pair becomes a character of the same length", () => {
  for (const [text, sent] of [
    ["a\ud800b", "a\ufffdb"],
    ["\udc00\ud800", "\ufffd\ufffd"],
    ["\ud800\ud800\udc00", "\ufffd\ud800\udc00"],
    ["\\ud800 😀", "\\ud800 😀"],
  ] as const) {
    const bytes = encodeMessage({ method: "a", params: [text] })
    assert.equal(new MessageReader().read(bytes), [{ jsonrpc: "2.0", method: "a", params: [sent] }])
    assert.is(text.length, sent.length)
  }
})

test("headers other than Content-Length are ignored, and header names may have any case", () => {
  const header = "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: 2\r\n\r\n{}"
  assert.equal(new MessageReader().read(Buffer.from(header)), [{}])
})

test("bytes without a length end the connection", async () => {
  for (const bytes of ["hello\r\n\r\n", "x".repeat(5000)]) {
    const [first, , there] = pair(none, none)
    const answer = first.request("a", {}).catch((error: unknown) => error)
    const [, second] = [0, new Connection(there, new PassThrough(), none)]
    there.write(bytes)
    there.end()
    await second.ended
    assert.ok(answer)
  }
})

test("both ends can send requests and answers in any order", async () => {
  const twice: Handlers = { ...none, request: (_, params) => (params as number) * 2 }
  const [first, second] = pair(twice, twice)
  const answers = [first.request("double", 1), second.request("double", 2), first.request("double", 3)]
  assert.equal(await Promise.all(answers), [2, 4, 6])
})

test("a request that fails rejects with the code and the message of the error", async () => {
  const [first] = pair(none, {
    ...none,
    request: (method) => {
      throw method === "unknown" ? new ResponseError(errorCodes.unknownMethod, "no such method") : new Error("broken")
    },
  })
  for (const [method, code, message] of [
    ["unknown", errorCodes.unknownMethod, "no such method"],
    ["other", errorCodes.internal, "broken"],
  ] as const) {
    const error = await first.request(method, {}).catch((caught: unknown) => caught)
    assert.ok(error instanceof ResponseError)
    assert.equal([error.code, error.message], [code, message])
  }
})

test("a message that is not JSON is answered with an error, and the next message is read", async () => {
  const got: string[] = []
  const output = new PassThrough()
  const input = new PassThrough()
  const connection = new Connection(input, output, { ...none, handleNotification: (method) => got.push(method) })
  input.write("Content-Length: 3\r\n\r\n{,}")
  input.write(encodeMessage({ method: "next" }))
  input.end()
  await connection.ended
  assert.equal(got, ["next"])
  assert.match(String(output.read()), `"code":${errorCodes.parse}`)
})

test("an aborted signal cancels a request at the other end", async () => {
  const [first] = pair(none, {
    ...none,
    request: (_, __, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("too late"))),
  })
  const controller = new AbortController()
  const answer = first.request("wait", {}, controller.signal)
  controller.abort()
  assert.is(await answer, "too late")
})

test("open requests fail when the other end disconnects", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const connection = new Connection(input, output, none)
  const answer = connection.request("a", {}).catch((caught: unknown) => caught)
  input.end()
  await connection.ended
  assert.ok((await answer) instanceof ResponseError)
  assert.ok((await connection.request("b", {}).catch((caught: unknown) => caught)) instanceof ResponseError)
})

test.run()
