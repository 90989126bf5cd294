/** Tests of request lines on Node as bytes on the wire: targets, hosts and methods, each with a clear answer. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../../lib/index.ts"
import { ask, request, Wire, watchProcess } from "../../support/adapters/node/wire.ts"

process.env.FW_LOG_LEVEL = "off"
const seen = watchProcess()

const app = new App({ logger: false })
app.get("/a/{id}", (c) => c.json(200, { id: c.param("id"), q: c.query("q") }))
app.get("/url", (c) => c.string(200, c.request.url))
app.get("/header/{name}", (c) => c.json(200, c.header(c.param("name"))))
let counted = 0
app.get("/count", (c) => {
  counted += 1
  return c.noContent()
})
app.post("/echo", async (c) => c.string(200, await c.text()))
await app.listen("127.0.0.1:0")

const get = (line: string, ...headers: string[]) => request(`GET ${line}`, headers)
const raw = (...lines: string[]) => `${lines.join("\r\n")}\r\n\r\n`

/** Returns a request with a chunked body. */
const chunked = (...headers: string[]) => `POST /echo HTTP/1.1\r\nHost: a\r\n${headers.join("\r\n")}\r\n\r\n0\r\n\r\n`

/** Unusual requests, and the status of the answer. `close` means that the connection ends with it. */
const targets: [name: string, text: string, status: number, close?: "close"][] = [
  ["a path", get("/a/1"), 200],
  ["an absolute target", get("http://other:81/a/1"), 200],
  ["an absolute target with a password", get("http://u:p@other/a/1"), 400, "close"],
  ["another scheme", get("ftp://other/a/1"), 400, "close"],
  ["a target that is not a path", get("a/1"), 400, "close"],
  ["OPTIONS *", request("OPTIONS *"), 204],
  ["GET *", get("*"), 400, "close"],
  ["a fragment, which is left out", get("/a/1#b"), 200],
  ["a backslash", get("/a\\1"), 400, "close"],
  ["an encoded NUL", get("/a/%00"), 400],
  ["a NUL", get("/a/\0"), 400, "close"],
  ["a tab", get("/a/\t1"), 400, "close"],
  ["UTF-8 that is not encoded", get("/a/\xc3\xa9"), 400, "close"],
  ["a byte that is not UTF-8", get("/a/\xff"), 400, "close"],
  ["malformed percent-encoding", get("/a/%zz"), 400],
  ["TRACE", request("TRACE /a/1"), 501, "close"],
  ["CONNECT", request("CONNECT other:80"), 501, "close"],
  ["an unknown method", request("BREW /a/1"), 400, "close"],
  ["a method that no route has", request("PURGE /a/1"), 405],
  ["no Host", raw("GET /a/1 HTTP/1.1"), 400, "close"],
  ["an empty Host", raw("GET /url HTTP/1.1", "Host:"), 200],
  ["two Hosts", raw("GET /a/1 HTTP/1.1", "Host: a", "Host: a"), 400, "close"],
  [
    "two Hosts, one beyond 2000 headers",
    raw("GET /a/1 HTTP/1.1", "Host: a", ...("x:".repeat(2000).match(/../g) ?? []), "Host: b"),
    400,
    "close",
  ],
  ["a Host with a path", raw("GET /a/1 HTTP/1.1", "Host: a/b"), 400, "close"],
  ["a Host with a user", raw("GET /a/1 HTTP/1.1", "Host: u@a"), 400, "close"],
  ["a Host with a port beyond 65535", raw("GET /a/1 HTTP/1.1", "Host: a:65536"), 400, "close"],
  ["an IPv6 Host", raw("GET /url HTTP/1.1", "Host: [::1]:80"), 200],
  ["a broken IPv6 Host", raw("GET /a/1 HTTP/1.1", "Host: [::1"), 400, "close"],
  ["HTTP/1.0 without Host", raw("GET /url HTTP/1.0"), 200, "close"],
  ["HTTP/1.0 that keeps its connection", raw("GET /a/1 HTTP/1.0", "Connection: keep-alive"), 200],
  ["HTTP/2's preface", raw("PRI * HTTP/2.0", "", "SM"), 400, "close"],
  ["a bare LF", "GET /a/1 HTTP/1.1\nHost: a\n\n", 400, "close"],
  ["a request that is not HTTP", "\x16\x03\x01\x02\x00\x01\x00", 400, "close"],
  ["an unknown expectation", get("/a/1", "Expect: magic"), 417, "close"],
  [
    "Content-Length and chunks",
    raw("POST /echo HTTP/1.1", "Host: a", "Content-Length: 4", "Transfer-Encoding: chunked", "", "0"),
    400,
    "close",
  ],
  [
    "two Content-Lengths",
    raw("POST /echo HTTP/1.1", "Host: a", "Content-Length: 4", "Content-Length: 5"),
    400,
    "close",
  ],
  ["a signed Content-Length", raw("POST /echo HTTP/1.1", "Host: a", "Content-Length: +4"), 400, "close"],
  ["an obscured Transfer-Encoding", raw("POST /echo HTTP/1.1", "Host: a", "Transfer-Encoding: xchunked"), 400, "close"],
  ["chunks in capitals", chunked("Transfer-Encoding: CHUNKED"), 200],
  ["chunks and then another coding", chunked("Transfer-Encoding: chunked, gzip"), 400, "close"],
  ["chunks twice", chunked("Transfer-Encoding: chunked, chunked"), 400, "close"],
  ["chunks in two headers", chunked("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"), 400, "close"],
  ["an empty element before the chunks", chunked("Transfer-Encoding: ,chunked"), 400, "close"],
  ["an empty Transfer-Encoding", chunked("Transfer-Encoding:"), 400, "close"],
  ["an empty Transfer-Encoding and Content-Length", chunked("Transfer-Encoding:", "Content-Length: 5"), 400, "close"],
  ["Content-Length and an empty Transfer-Encoding", chunked("Content-Length: 5", "Transfer-Encoding:"), 400, "close"],
  ...["gzip", "identity", "xyz", "deflate, gzip"].map((codings): (typeof targets)[number] => [
    `the transfer coding ${codings} before the chunks`,
    chunked(`Transfer-Encoding: ${codings}, chunked`),
    501,
    "close",
  ]),
  ["a header name with a space", raw("GET /a/1 HTTP/1.1", "Host: a", "Transfer-Encoding : chunked"), 400, "close"],
  ["a folded header", raw("GET /a/1 HTTP/1.1", "Host: a", "X: a", " b"), 400, "close"],
  ["an ignored Upgrade", get("/a/1", "Connection: Upgrade", "Upgrade: websocket"), 200],
  ["100 KB of headers", get("/a/1", `X: ${"x".repeat(100_000)}`), 431, "close"],
  ["a target of 100 KB", get(`/${"x".repeat(100_000)}`), 431, "close"],
]

for (const [name, text, status, close] of targets) {
  test(`${name} is answered with ${status}`, async () => {
    const wire = await Wire.open(app.addr)
    wire.send(text)
    const answer = await wire.answer()
    assert.is(answer.status, status, JSON.stringify(answer))
    if (status >= 400) assert.equal(Object.keys(JSON.parse(answer.body)), ["error", "message"])
    assert.is(answer.headers.connection, close ?? "keep-alive")
    if (!close) {
      wire.send(get("/a/again"))
      assert.is((await wire.answer()).body, '{"id":"again","q":""}')
      wire.socket.destroy()
    } else await wire.end()
  })
  if (!close) continue
  test(`no request after ${name} in the same packet runs`, async () => {
    counted = 0
    const wire = await Wire.open(app.addr)
    wire.send(text + get("/count") + get("/count"))
    await wire.end()
    assert.is(counted, 0)
  })
}

const urls: [name: string, text: string, url: string][] = [
  ["Host", get("/url?x=1"), "http://localhost/url?x=1"],
  ["an empty Host", raw("GET /url HTTP/1.1", "Host:"), "http://localhost/url"],
  ["no Host", raw("GET /url HTTP/1.0"), "http://localhost/url"],
  ["an absolute target and a Host", get("http://other:81/url"), "http://other:81/url"],
  ["IPv6", raw("GET /url HTTP/1.1", "Host: [::1]:80"), "http://[::1]/url"],
]

for (const [name, text, url] of urls) {
  test(`c.request.url is right for ${name}`, async () => {
    assert.is((await ask(app.addr, text)).body, url)
  })
}

for (const name of ["constructor", "__proto__", "tostring", "valueof", "none"]) {
  test(`c.header() is empty for the missing header ${name}`, async () => {
    assert.is((await ask(app.addr, get(`/header/${name}`))).body, '""')
  })
}

test("no test in this file causes an unhandled rejection, an uncaught exception or a warning", async () => {
  await app.shutdown(AbortSignal.timeout(5000))
  assert.equal(seen, [])
})

test.run()
