/**
 * Sends thousands of damaged requests over sockets: the server answers or closes the connection, and keeps running.
 * The random numbers have a seed, so that a failure can be repeated.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../lib/index.ts"
import { ask, request, Wire, watchProcess } from "../support/adapters/node/wire.ts"

process.env.FW_LOG_LEVEL = "off"
const seen = watchProcess()
const seed = Number(process.env.FUZZ_SEED ?? 20260101)
const count = Number(process.env.FUZZ_COUNT ?? 4000)

const app = new App({ logger: false, bodyLimit: 2000 })
app.get("/a/{id}", (c) => c.json(200, { id: c.param("id"), q: c.query("q"), url: c.request.url }))
app.post("/json", async (c) => c.json(200, await c.bind()))
app.post("/form", async (c) => c.json(200, [...(await c.form()).keys()]))
app.post("/echo", (c) => new Response(c.request.body))
app.get("/stream", async () => new Response(new Blob(["x".repeat(5000)]).stream()))
app.get("/files/*", (c) => c.string(200, c.param("*")))
await app.listen("127.0.0.1:0")

/** Returns a random number generator with a seed (mulberry32). Its numbers are between 0 and 1. */
function generator(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const random = generator(seed)
const below = (limit: number) => Math.floor(random() * limit)
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T

const requests = [
  request("GET /a/1?q=2"),
  request("HEAD /a/1"),
  request("OPTIONS *"),
  request("GET http://host/a/%2e%2e/b"),
  request("GET /files/../..//%2e%2e/x%2fy"),
  request("GET /stream", ["Connection: close"]),
  request("POST /json", ["Content-Type: application/json"], '{"a":[1,2,{"__proto__":3}]}'),
  request("POST /form", ["Content-Type: application/x-www-form-urlencoded"], "a=1&b=%zz&c"),
  request(
    "POST /form",
    ["Content-Type: multipart/form-data; boundary=b"],
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
  ),
  request("POST /echo", ["Expect: 100-continue"], "x".repeat(100)),
  request("POST /echo", [], "x".repeat(3000)),
  "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;ext=1\r\nhello\r\n0\r\nTrailer: x\r\n\r\n",
]
const pieces = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  "\t",
  " ",
  "%",
  "%00",
  "%5C",
  "%ff",
  "\\",
  "#",
  "?",
  "//",
  "/../",
  "\xff",
  "\xc3\xa9",
  ":",
  "Host: b\r\n",
  "Content-Length: 3\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Expect: 100-continue\r\n",
  "Connection: Upgrade\r\nUpgrade: x\r\n",
  "TRACE ",
  "CONNECT ",
  "http://",
  "[::1",
  "x".repeat(20_000),
  "0\r\n\r\n",
  "fffffffffffffff\r\n",
]

/** Makes one to six changes: replaces a byte, inserts, removes or doubles a piece, or cuts off the end. */
function mangle(text: string): string {
  let mangled = text
  for (let i = below(6); i >= 0; i--) {
    const at = below(mangled.length + 1)
    const end = at + below(12)
    const change = below(6)
    if (change === 0) mangled = mangled.slice(0, at) + String.fromCharCode(below(256)) + mangled.slice(at + 1)
    else if (change === 1) mangled = mangled.slice(0, at) + pick(pieces) + mangled.slice(at)
    else if (change === 2) mangled = mangled.slice(0, at) + mangled.slice(end)
    else if (change === 3) mangled = mangled.slice(0, end) + mangled.slice(at)
    else if (change === 4) mangled = mangled.slice(0, at)
    else mangled += pick(requests)
  }
  return mangled
}

/**
 * Sends a damaged request in one to three packets, and then ends or resets the connection. Resolves when the
 * connection is closed.
 */
async function attack(): Promise<string> {
  const text = mangle(pick(requests))
  const wire = await Wire.open(app.addr)
  for (let rest = text, parts = 1 + below(3); rest !== ""; parts--) {
    const size = parts === 1 ? rest.length : below(rest.length + 1)
    wire.send(rest.slice(0, size))
    rest = rest.slice(size)
    if (random() < 0.3) await new Promise(setImmediate)
  }
  if (random() < 0.3) wire.socket.destroy()
  else wire.socket.end()
  await wire.end()
  assert.ok(wire.pending === "" || wire.pending.startsWith("HTTP/1.1 "), JSON.stringify([text, wire.pending]))
  return /^HTTP\/1.1 (\d+)/.exec(wire.pending)?.[1] ?? "none"
}

test(`${count} damaged requests of seed ${seed} are answered or closed, and no status is 5xx except 501`, async () => {
  const statuses = new Map<string, number>()
  for (let done = 0; done < count; done += 40) {
    for (const status of await Promise.all(Array.from({ length: 40 }, attack))) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const bad = [...statuses.keys()].filter((status) => status.startsWith("5") && status !== "501")
  assert.equal(bad, [], JSON.stringify([...statuses]))
  assert.ok((statuses.get("200") ?? 0) > 50 && (statuses.get("400") ?? 0) > 50, JSON.stringify([...statuses]))
})

test("the server still answers, without an unhandled rejection, an uncaught exception or a warning", async () => {
  assert.is((await ask(app.addr, request("GET /a/1"))).status, 200)
  await app.shutdown(AbortSignal.timeout(5000))
  assert.equal(seen, [])
})

test.run()
