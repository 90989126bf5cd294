/**
 * Tests of what `fw dev` stores of requests, and of what it shows: who answered, what ran, a curl command, and
 * a test.
 */
import { EventEmitter } from "node:events"
import type { IncomingMessage } from "node:http"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { KeptRequests, keepAnswer, keepRequestBody, maxRequests } from "../../../../bin/dev/requests/kept-requests.ts"
import { Mask } from "../../../../bin/dev/requests/mask.ts"
import { findReplayProblem } from "../../../../bin/dev/requests/replay.ts"
import type { TracedPart } from "../../../../bin/dev/requests/trace.ts"
import { toDetail, toEntry } from "../../../../bin/dev/requests/view.ts"
import { renderRequestTest } from "../../../../bin/generate/request-test.ts"

const test = suite("kept requests")
const mask = new Mask({})

/** Returns a message of node:http whose body arrives in parts. */
const message = (rest: Partial<IncomingMessage>) =>
  Object.assign(new EventEmitter(), { headers: {}, rawHeaders: [], ...rest }) as unknown as IncomingMessage
const part = (kind: TracedPart["kind"], name: string, start: number, end: number, rest: Partial<TracedPart> = {}) => ({
  kind,
  name,
  start,
  end,
  ...rest,
})
const seen = (parts: readonly TracedPart[] = [], rest: Partial<IncomingMessage> = {}) => {
  const requests = new KeptRequests()
  const kept = requests.add(message({ method: "GET", url: "/", ...rest }))
  kept.parts.push(...parts)
  return kept
}

test("the last 500 requests are stored, and the first bytes of their bodies", () => {
  const requests = new KeptRequests()
  for (let count = 0; count < maxRequests + 3; count += 1) requests.add(message({ method: "GET", url: `/${count}` }))
  assert.equal(
    [requests.list.length, requests.list[0]?.url, requests.list.at(-1)?.url, requests.find(3)],
    [500, "/502", "/3", undefined],
  )
  const kept = seen()
  const [incoming, answer] = [message({}), message({ statusCode: 200, rawHeaders: ["X-Fw-Note", "a", "Age", "1"] })]
  keepRequestBody(kept, incoming)
  keepAnswer(kept, answer)
  for (let count = 0; count < 100; count += 1)
    for (const one of [incoming, answer]) one.emit("data", Buffer.alloc(1000, "a"))
  assert.equal([kept.body.data.length, kept.body.total, kept.answerBody.data.length], [65_536, 100_000, 16_384])
  assert.equal(kept.answerHeaders, [["Age", "1"]])
  assert.match(String(findReplayProblem(kept)), "its body has 100000 bytes, of which 65536 are kept")
  assert.match(String(findReplayProblem(seen([], { rawHeaders: ["Upgrade", "websocket"] }))), "WebSocket")
  assert.is(findReplayProblem(seen()), null)
})

const outer = part("middleware", "a.ts", 0, 100)
const inner = part("middleware", "b.ts", 1, 90)
const handler = part("handler", "route.ts", 2, 80)
const query = (start: number, end: number) => part("query", "SELECT", start, end, { detail: "SELECT 1", rows: 1 })
const answerers: readonly (readonly [parts: readonly TracedPart[], by: string])[] = [
  [[], ""],
  [[part("proxy", "proxy", 0, 1)], "proxy proxy"],
  [[inner, outer], "middleware b.ts"],
  [[handler, inner, outer], "handler route.ts"],
  [[part("log", "info: hi", 3, 3), inner, outer], "middleware b.ts"],
]
for (const [parts, by] of answerers)
  test(`with ${parts.map(({ name }) => name).join(", ") || "nothing"}, the answer came from ${by || "an unknown part"}`, () =>
    assert.is(toDetail(seen(parts), mask, "").answeredBy, by))

test("if no program answered, the answer came from fw dev", () => {
  assert.match(toDetail(Object.assign(seen(), { status: 500 }), mask, "").answeredBy, "fw dev, because the last change")
})

test("the parts of a request are nested", () => {
  const late = part("validation", "body", 70, 78)
  const { parts } = toDetail(seen([query(5, 35), query(10, 30), late, handler, inner, outer]), mask, "")
  assert.equal(
    parts.map(({ name, depth }) => `${depth} ${name}`),
    ["0 a.ts", "1 b.ts", "2 route.ts", "3 SELECT", "3 body"],
  )
})

test("equal calls inside one operation are one entry, with their number, their time and their rows", () => {
  const other = part("query", "SELECT", 9, 11, { detail: "SELECT 2", rows: 4 })
  const failed = part("query", "SELECT", 12, 13, { detail: "SELECT 1", error: "no" })
  const line = part("log", "info: hi", 14, 14)
  const [span, inSpan] = [part("span", "load", 40, 60), query(45, 50)]
  const [got, gotLater] = [1, 2].map((start) => part("store", "kv.get", start, start + 1, { detail: "cart" }))
  const reported = [got, gotLater, query(5, 9), other, query(10, 15), failed, line, inSpan, span, query(70, 71)]
  const kept = Object.assign(seen([...(reported as TracedPart[]), handler]), { count: 2000 })
  const { parts, more } = toDetail(kept, mask, "")
  assert.equal(
    parts.map((one) => [one.depth, one.name, one.detail, one.count, one.start, one.end, one.ms, one.rows, one.error]),
    [
      [0, "kv.get", "cart", 1, 1, 2, 1, undefined, undefined],
      [0, "route.ts", undefined, 1, 2, 80, 78, undefined, undefined],
      [1, "kv.get", "cart", 1, 2, 3, 1, undefined, undefined],
      [1, "SELECT", "SELECT 1", 3, 5, 71, 10, 3, undefined],
      [1, "SELECT", "SELECT 2", 1, 9, 11, 2, 4, undefined],
      [1, "SELECT", "SELECT 1", 1, 12, 13, 1, undefined, "no"],
      [1, "info: hi", undefined, 1, 14, 14, 0, undefined, undefined],
      [1, "load", undefined, 1, 40, 60, 20, undefined, undefined],
      [2, "SELECT", "SELECT 1", 1, 45, 50, 5, 1, undefined],
    ],
  )
  assert.is(more, 2000 - 11)
})

test("a request counts as a request for a static file only if no handler answered", () => {
  const kept = seen()
  Object.assign(kept, { pattern: "", status: 304 })
  assert.is(toEntry(kept, mask).isFile, true)
  kept.parts.push(handler)
  assert.is(toEntry(kept, mask).isFile, false)
})

/** A request with secrets and quotes, and its answer. */
const order = seen([], {
  method: "POST",
  url: "/orders?token=abc",
  rawHeaders: [
    "Host",
    "localhost",
    "Content-Type",
    "application/json",
    "Cookie",
    "sid=1",
    "X-Shop",
    "it's",
    "Content-Length",
    "9",
  ],
})
keepRequestBody(order, message({}))
Object.assign(order, {
  status: 201,
  body: { data: Buffer.from('{"a":"b\'"}'), total: 10 },
  answerHeaders: [["Content-Type", "application/json"]],
  answerBody: { data: Buffer.from('{"id":7}'), total: 8 },
})

test("a request becomes a curl command without its secrets", () => {
  assert.is(
    toDetail(order, mask, "http://localhost:3000").curl,
    `curl -X POST 'http://localhost:3000/orders?token=***' \\
  -H 'Content-Type: application/json' \\
  -H 'Cookie: sid=***' \\
  -H 'X-Shop: it'\\''s' \\
  --data-binary '{
  "a": "b'\\''"
}'`,
  )
})

test("a request becomes a test without its secrets", () => {
  assert.is(
    renderRequestTest(toDetail(order, mask, "")),
    `/** A request that fw dev has seen. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { app } from "./support/app.ts"

test("POST /orders?token=*** answers 201", async () => {
  // Secrets were left out: cookie, the values that are now ***.
  const response = await app.request("/orders?token=***", {
    method: "POST",
    headers: {"Content-Type":"application/json","X-Shop":"it's"},
    body: "{\\n  \\"a\\": \\"b'\\"\\n}",
  })
  assert.equal(response.status, 201)
  assert.equal(response.headers.get("content-type"), "application/json")
  assert.deepEqual(await response.json(), {"id":7})
})
`,
  )
})

const bodies: readonly (readonly [type: string, text: string, total: number, line: string | undefined])[] = [
  [
    "text/html; charset=utf-8",
    "<title>Shop</title><p>",
    22,
    'assert.ok((await response.text()).includes("<title>Shop</title>"))',
  ],
  ["text/html; charset=utf-8", "<p>a part", 9, undefined],
  ["text/plain", "hello", 5, 'assert.equal(await response.text(), "hello")'],
  ["text/plain", "hello", 500, undefined],
  ["text/plain", "token=abc", 9, undefined],
  ["application/json", '{"token":"abc"}', 15, undefined],
  ["image/png", "\0\0", 2, undefined],
]
for (const [type, text, total, line] of bodies) {
  test(`a test of ${type} with ${total} bytes ${line ? `has ${line}` : "does not compare the body"}`, () => {
    const kept = Object.assign(seen(), { status: 200, answerHeaders: [["Content-Type", type]] })
    kept.answerBody = { data: Buffer.from(text), total }
    const found = renderRequestTest(toDetail(kept, mask, ""))
    assert.is(/^ {2}(.*response\.(?:text|json)\(\).*)$/m.exec(found)?.[1], line)
  })
}

test.run()
