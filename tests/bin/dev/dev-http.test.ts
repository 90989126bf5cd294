/** Tests of requests and answers that the parent process of `fw dev` passes on. */
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { connect } from "node:net"
import { Readable } from "node:stream"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { type Asking, ask, type Dev, makeProject, startDev } from "../../support/bin/dev/dev-project.ts"

const test = suite("fw dev: requests")

const app = `import { App } from "fw"

const app = new App({ logger: false, bodyLimit: 64 * 1024 * 1024 })
const page = "<!doctype html><title>t</title><p>hello</p>"
app.registerRoute("GET", "/headers", (c) => c.json(200, [...c.request.headers]))
app.get("/client", (c) => c.json(200, { ip: c.clientIP, header: c.header("x-fw-client"), all: [...c.request.headers.keys()].filter((name) => name.startsWith("x-fw")) }))
app.get("/path/*", (c) => c.json(200, { path: c.path, rest: c.param("*"), query: c.query("q") }))
app.post("/echo", (c) => new Response(c.request.body, { headers: { "X-Length": c.header("content-length"), "X-Encoding": c.header("transfer-encoding") } }))
app.post("/size", async (c) => {
  let size = 0
  for await (const chunk of c.request.body ?? []) size += chunk.length
  return c.json(200, { size })
})
app.post("/unread", (c) => c.string(200, "unread"))
app.get("/page", (c) => c.html(200, page))
app.post("/page", (c) => c.html(422, page + c.header("accept-encoding")))
app.get("/tagged", (c) => {
  c.setHeader("ETag", '"abc"')
  c.setHeader("Content-Security-Policy", "script-src 'nonce-r4nd0m'")
  if (c.header("if-none-match").includes('"abc"')) return new Response(null, { status: 304 })
  return c.html(200, page)
})
app.get("/saved", (c) => { c.setHeader("Content-Disposition", 'attachment; filename="page.html"'); return c.html(200, page) })
app.get("/zipped", (c) => {
  c.setHeader("Content-Encoding", "br")
  return c.html(200, "not really")
})
app.get("/cookies", (c) => {
  c.setCookie({ name: "a", value: "1" })
  c.setCookie({ name: "b", value: "2" })
  return c.noContent()
})
app.get("/stream", (c) => {
  let count = 0
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(new TextEncoder().encode(String(count++)))
      if (count === 1) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    cancel: () => console.log("stream cancelled"),
  })
  return new Response(body)
})
app.get("/wait", (c) => {
  c.request.signal.addEventListener("abort", () => console.log("request aborted"))
  console.log("request waits")
  return new Promise(() => {})
})
export default app
`

let dev: Dev
let port: number

test.before(async () => {
  dev = startDev(makeProject({ "main.ts": app }))
  port = await dev.port()
})

test.after(async () => {
  assert.is(await dev.stop(), 0)
})

async function json(path: string, asking?: Asking) {
  return JSON.parse((await ask(port, path, asking)).body)
}

test("the program gets the real address of the client, and no header can change this address", async () => {
  const spoofs = ["x-fw-client", "X-Fw-Client", "X-FW-Other"].flatMap((name) => [name, "6.6.6.6"])
  const headers = ["Host", `localhost:${port}`, ...spoofs, "Connection", "x-fw-client"]
  assert.equal(await json("/client", { headers }), { ip: "127.0.0.1", header: "", all: [] })
})

for (const [target, path] of [
  ["/path/a%2eb/c?q=%20x", "/path/a.b/c"],
  ["/path/a/%2e%2e/b", "/path/b"],
  ["/path/x%2Fy", "/path/x%2Fy"],
  ["http://localhost/path/absolute?q=1", "/path/absolute"],
] as const) {
  test(`the program gets the path ${path} for the target ${target}`, async () => {
    assert.is((await json(target)).path, path)
  })
}

for (const [what, target, status] of [
  ["doubled slashes", "/path//a", 404],
  ["a bad escape", "/path/%zz", 400],
  ["a backslash", "/path/a\\b", 400],
] as const) {
  test(`a path with ${what} is answered with ${status}, as without the parent process`, async () => {
    assert.is((await ask(port, target)).status, status)
  })
}

test("bytes that are not HTTP get the same answer as without the parent process", async () => {
  const answer = await raw("GET / HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n\r\n")
  assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/)
  assert.match(answer, "the request is not valid HTTP")
})

test("HTTP/1.0 without a Host header is answered, and two Host headers are a 400", async () => {
  assert.match(await raw("GET /page HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 200 OK\r\n[\s\S]*hello/)
  assert.match(
    await raw("GET /page HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
    /^HTTP\/1\.1 400 /,
  )
})

test("headers keep case and order in both directions, and headers of the connection are not passed on", async () => {
  const headers = [
    "Host",
    "localhost",
    "X-B",
    "1",
    "x-a",
    "2",
    "X-B",
    "3",
    "Connection",
    "keep-alive, X-Hop",
    "X-Hop",
    "gone",
    "TE",
    "trailers",
  ]
  const seen = (await json("/headers", { headers })) as [string, string][]
  const own = seen.filter(([name]) => !/^(?:host|connection)$/.test(name))
  assert.equal(own, [
    ["x-a", "2"],
    ["x-b", "1, 3"],
  ])
  const { rawHeaders } = await ask(port, "/cookies")
  assert.is(rawHeaders.filter((name) => name === "set-cookie").length, 2)
})

test("requests keep their body, in one piece, in chunks or without one", async () => {
  const whole = await ask(port, "/echo", { method: "POST", body: "four", headers: { "content-length": "4" } })
  assert.equal([whole.body, whole.headers["x-length"], whole.headers["x-encoding"]], ["four", "4", ""])
  const chunked = await ask(port, "/echo", {
    method: "POST",
    body: "four",
    headers: { "transfer-encoding": "chunked" },
  })
  assert.equal([chunked.body, chunked.headers["x-length"], chunked.headers["x-encoding"]], ["four", "", "chunked"])
  const none = await raw("POST /size HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
  assert.match(none, '{"size":0}')
})

test("a large upload is streamed, and the connection still works after an upload that nobody reads", async () => {
  const size = 20 * 1024 * 1024
  const outgoing = request({ host: "127.0.0.1", port, path: "/echo", method: "POST", agent: false })
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>
  Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(1024 * 1024))).pipe(outgoing)
  const [incoming] = await answered
  let echoed = 0
  for await (const chunk of incoming) echoed += chunk.length
  assert.is(echoed, size)
  const head = `POST /unread HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size}\r\n\r\n`
  const next = "GET /client HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
  const answer = await raw(`${head}${"x".repeat(size)}${next}`)
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n[\s\S]*unread[\s\S]*HTTP\/1\.1 200 OK\r\n[\s\S]*"ip":"127\.0\.0\.1"/)
})

test("a request with Expect: 100-continue reaches the program, which may read the body or answer at once", async () => {
  const outgoing = request({
    host: "127.0.0.1",
    port,
    path: "/echo",
    method: "POST",
    headers: { expect: "100-continue", "content-length": 2 },
  })
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>
  outgoing.flushHeaders()
  await once(outgoing, "continue")
  outgoing.end("ok")
  const [incoming] = await answered
  assert.is((await incoming.setEncoding("utf8").toArray()).join(""), "ok")
  const refused = await raw(
    "POST /unread HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
  )
  assert.match(refused, /^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n/)
})

test("an answer is streamed, and a client that disconnects cancels the stream in the program", async () => {
  const outgoing = request({ host: "127.0.0.1", port, path: "/stream", agent: false }).end()
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage]
  await once(incoming, "data")
  outgoing.destroy()
  await dev.says(/stream cancelled/)
})

test("a client that disconnects before the answer aborts the request", async () => {
  const outgoing = request({ host: "127.0.0.1", port, path: "/wait", agent: false }).end()
  outgoing.on("error", () => {})
  await dev.says(/request waits/)
  outgoing.destroy()
  await dev.says(/request aborted/)
})

test("the script is added to whole pages, whose length changes, and not to parts of pages, other types and encoded answers", async () => {
  const script = /<script src="\/__fw\/client\.js" defer data-page="[\da-f]{24}"><\/script>\n$/
  const page = await ask(port, "/page", { headers: { accept: "text/html", "accept-encoding": "gzip" } })
  assert.match(page.body, script)
  assert.is(page.headers["content-length"], String(page.body.length))
  const head = await ask(port, "/page", { method: "HEAD", headers: { accept: "text/html" } })
  assert.equal([head.headers["content-length"], head.body], [page.headers["content-length"], ""])
  for (const [path, headers] of [
    ["/page", { "hx-request": "true" }],
    ["/page", { accept: "text/html", "sec-fetch-dest": "empty" }],
    ["/page", { accept: "application/json" }],
    ["/zipped", { accept: "text/html" }],
    ["/saved", { accept: "text/html" }],
    ["/client", { accept: "text/html" }],
  ] as const) {
    const answer = await ask(port, path, { headers })
    assert.not.match(answer.body, "client.js", `${path} ${JSON.stringify(headers)}`)
  }
})

test("when an open page requests itself again, the program sees a navigation, and the page can get its original HTML", async () => {
  const asked = {
    accept: "text/html",
    "x-fw-page": "document",
    "sec-fetch-dest": "empty",
    "sec-fetch-mode": "cors",
  }
  const sent = new Map<string, string>(JSON.parse((await ask(port, "/headers", { headers: asked })).body))
  assert.equal(
    ["sec-fetch-dest", "sec-fetch-mode", "x-fw-page"].map((name) => sent.get(name)),
    ["document", "navigate", undefined],
  )
  const page = await ask(port, "/page", { headers: asked })
  const key = /data-page="(\w+)"/.exec(page.body)?.[1]
  const kept = await ask(port, `/__fw/page?${key}`)
  assert.equal(JSON.parse(kept.body), { text: "<!doctype html><title>t</title><p>hello</p>", policy: "" })
  assert.is((await ask(port, "/__fw/page?000")).body, "null")
  const foreign = { "sec-fetch-site": "cross-site" }
  assert.is((await ask(port, `/__fw/page?${key}`, { headers: foreign })).status, 403)
})

test("the page that a form's POST returns has the script with this method", async () => {
  const script = /identity<script src="\/__fw\/client\.js" data-method="POST" defer><\/script>\n$/
  const typical = { accept: "text/html", "accept-encoding": "gzip" }
  for (const headers of [typical, { ...typical, "sec-fetch-dest": "document" }]) {
    const page = await ask(port, "/page", { method: "POST", headers })
    assert.is(page.status, 422)
    assert.match(page.body, script)
  }
  for (const headers of [{}, { accept: "*/*" }, { ...typical, "hx-request": "true" }]) {
    const answer = await ask(port, "/page", { method: "POST", headers })
    assert.not.match(answer.body, "client.js", JSON.stringify(headers))
  }
})

test("the ETag and the policy of a page stay valid with the script in it", async () => {
  const headers = { accept: "text/html" }
  const page = await ask(port, "/tagged", { headers })
  assert.match(page.body, '<script src="/__fw/client.js" nonce="r4nd0m" defer ')
  assert.is(page.headers.etag, 'W/"abc"')
  const again = await ask(port, "/tagged", { headers: { ...headers, "if-none-match": 'W/"abc"' } })
  assert.equal([again.status, again.headers.etag, again.body], [304, 'W/"abc"', ""])
})

test("host names that others could point to this machine are refused", async () => {
  for (const host of ["localhost", `localhost:${port}`, "a.b.localhost", "127.0.0.1:1", "[::1]:1", "192.168.1.2"])
    assert.is((await ask(port, "/page", { headers: { host } })).status, 200, host)
  for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "notlocalhost"]) {
    const answer = await ask(port, "/page", { headers: { host } })
    assert.is(answer.status, 403, host)
    assert.match(JSON.parse(answer.body).message, `fw dev --allow-host ${host}`)
  }
})

test("paths of fw dev itself are answered only to pages of this origin", async () => {
  const script = await ask(port, "/__fw/client.js")
  assert.equal([script.status, script.headers["content-type"]], [200, "text/javascript; charset=utf-8"])
  assert.match(script.body, "EventSource")
  for (const headers of [{ origin: "http://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
    for (const path of ["/__fw/client.js", "/__fw/events"])
      assert.is((await ask(port, path, { headers })).status, 403, path)
  }
  assert.is((await ask(port, "/__fw/events", { method: "POST" })).status, 405)
})

test("a request for an unknown upgrade is answered as an ordinary request, and is the last request on its connection", async () => {
  const first =
    "GET /client HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nx-fw-client: 6.6.6.6\r\n\r\n"
  const second = "GET /client HTTP/1.1\r\nHost: evil.example\r\nx-fw-client: 6.6.6.6\r\n\r\n"
  assert.match(await raw(first), '"ip":"127.0.0.1"')
  // A client that does not wait for the answer may get an error instead, but never an answer that the parent has
  // not checked.
  const answer = await raw(first + second)
  assert.not.match(answer, "6.6.6.6")
  assert.is(answer.split("HTTP/1.1 ").length <= 2, true)
})

/** Sends bytes, and returns everything that arrives until the server closes the connection. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1")
  let text = ""
  socket.setEncoding("latin1").on("data", (chunk) => {
    text += chunk
  })
  socket.write(bytes)
  await once(socket, "close")
  return text
}

test.run()
