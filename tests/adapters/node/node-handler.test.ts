/**
 * Tests of `nodeHandler` inside another program: how requests reach it, which values it passes on, and bodies that
 * the other program has parsed.
 */
import { EventEmitter, once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { findUnixPeer } from "../../../adapters/node/unix-peer.ts"
import { type NodeHandler, nodeHandler } from "../../../adapters/node.ts"
import { App, type Context, HttpError, proxy, rateLimit } from "../../../lib/index.ts"

process.env.FW_LOG_LEVEL ??= "off"

/** A request with the properties that a host program adds. */
type Incoming = IncomingMessage & { session?: unknown; body?: unknown; rawBody?: unknown }
type Step = (incoming: Incoming, outgoing: ServerResponse, next: () => void) => void

/** Answers one request with steps that call the next one, as in Express and Connect, and returns the answer. */
async function through(steps: readonly Step[], path: string, init: RequestInit = {}): Promise<Response> {
  const server = createServer((incoming, outgoing) => {
    const run = (index: number): void => steps[index]?.(incoming, outgoing, () => run(index + 1))
    run(0)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, redirect: "manual" })
    return new Response([204, 304].includes(answer.status) ? null : await answer.arrayBuffer(), answer)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Starts a server on a Unix socket, and returns a function that sends it a request. */
async function onSocket(app: App) {
  const directory = mkdtempSync(join(tmpdir(), "fw-socket-"))
  const socketPath = join(directory, "app.sock")
  const server = createServer(nodeHandler(app))
  server.listen(socketPath)
  await once(server, "listening")
  const agent = new Agent({ keepAlive: true })
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const [answer] = await once(request({ socketPath, path, headers, agent }).end(), "response")
    const chunks: Buffer[] = []
    for await (const chunk of answer as IncomingMessage) chunks.push(chunk)
    return { status: (answer as IncomingMessage).statusCode, body: Buffer.concat(chunks).toString() }
  }
  const end = () => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
    rmSync(directory, { recursive: true })
  }
  return { ask, end, server }
}

const forwarded = {
  "x-forwarded-for": "6.6.6.6, 203.0.113.7",
  "x-forwarded-proto": "https",
  host: "shop.example",
}

test("a Unix socket is a trusted proxy if its name is listed", async () => {
  for (const [trustedProxies, seen] of [
    [["unix"], "203.0.113.7 https://shop.example"],
    [["10.0.0.0/8", "unix"], "203.0.113.7 https://shop.example"],
    [["0.0.0.0/0", "::/0"], "unix http://shop.example"],
    [[], "unix http://shop.example"],
  ] as const) {
    const app = new App({ logger: false, trustedProxies })
    app.get("/", (c) => c.string(200, `${c.clientIP} ${c.origin}`))
    const { ask, end } = await onSocket(app)
    assert.equal(await ask("/", forwarded), { status: 200, body: seen })
    const own = { forwarded: "for=203.0.113.7;proto=https", host: "shop.example" }
    assert.equal(await ask("/", own), { status: 200, body: seen })
    assert.equal(await ask("/", { host: "a" }), { status: 200, body: "unix http://a" })
    end()
  }
})

test("a connection without an address is on a Unix socket only if its server says so", () => {
  const tcp = { address: "127.0.0.1", family: "IPv4", port: 80 }
  for (const [server, peer] of [
    [{ listening: true, address: () => "/run/app.sock" }, "unix"],
    // If another program opened the socket, Node knows no path for it.
    [{ listening: true, address: () => null }, "unix"],
    [{ listening: true, address: () => tcp }, ""],
    [{ listening: false, address: () => null }, ""],
    [{}, ""],
    [undefined, ""],
  ] as const)
    assert.is(findUnixPeer({ server } as unknown as Socket), peer)
})

test("rateLimit() counts each client behind a Unix socket, and without trusted proxies all of them as one client", async () => {
  for (const [trustedProxies, statuses] of [
    [["unix"], [204, 429, 204]],
    [[], [204, 429, 429]],
  ] as const) {
    const app = new App({ logger: false, trustedProxies })
    app.use(rateLimit({ limit: 1 }))
    app.get("/", (c) => c.noContent())
    const { ask, end } = await onSocket(app)
    const seen: unknown[] = []
    for (const client of ["203.0.113.7", "203.0.113.7", "203.0.113.8"])
      seen.push((await ask("/", { "x-forwarded-for": client })).status)
    assert.equal(seen, statuses)
    end()
  }
})

test("a server that stops still knows that its connections are on a Unix socket", async () => {
  const app = new App({ logger: false, trustedProxies: ["unix"] })
  let server: Server | undefined
  app.get("/", async (c) => {
    if (c.query("stop") !== "") server?.close()
    return c.string(200, c.clientIP)
  })
  const made = await onSocket(app)
  server = made.server
  assert.is((await made.ask("/", forwarded)).body, "203.0.113.7")
  assert.is((await made.ask("/?stop=1", forwarded)).body, "203.0.113.7")
  made.end()
})

test("a client that disconnected over TCP has no address, and does not count as a client on a Unix socket", async () => {
  const app = new App({ logger: false, trustedProxies: ["unix"] })
  const seen = new EventEmitter()
  app.get("/", async (c) => {
    const gone = once(c.signal, "abort")
    wire.destroy()
    await gone
    seen.emit("client", c.clientIP)
    return c.noContent()
  })
  const server = createServer(nodeHandler(app)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const wire = connect((server.address() as AddressInfo).port, "127.0.0.1")
  const client = once(seen, "client")
  wire.write("GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n")
  assert.equal(await client, [""])
  server.close()
})

const host: Step = (incoming, outgoing) => {
  const chunks: Buffer[] = []
  incoming.on("data", (chunk) => chunks.push(chunk))
  incoming.on("end", () => outgoing.end(`host ${incoming.method} ${incoming.url} ${Buffer.concat(chunks)}`))
}

function makeApp(): App {
  const app = new App({ logger: false })
  app.use((next) => async (c) => {
    c.setHeader("x-fw", "1")
    const response = await next(c)
    return c.path === "/turned" && response.status === 404 ? c.redirect(302, "elsewhere") : response
  })
  app.setProxy((c) => (c.path === "/guarded" ? proxy.responseJSON(401, "no") : proxy.continue()))
  app.get("/here", (c) => c.string(200, "fw"))
  app.get("/missing", () => {
    throw new HttpError(404, "no such thing")
  })
  app.get("/bug", () => {
    throw new Error("on purpose")
  })
  app.group("/closed", (group) => {
    group.use(() => () => new HttpError(403, "closed"))
    group.get("/", (c) => c.string(200, "open"))
  })
  app.notFound((c) => c.string(404, "the app's own"))
  const inner = new App({ logger: false })
  inner.get("/here", (c) => c.string(200, "inner"))
  app.router.mount("/in", inner.fetch)
  return app
}

const falls: ReadonlyArray<readonly [request: string, status: number, body: RegExp]> = [
  ["GET /here", 200, /^fw$/],
  ["GET /late?q=1", 200, /^host GET \/late\?q=1 $/],
  ["POST /late", 200, /^host POST \/late a body$/],
  ["POST /here", 200, /^host POST \/here a body$/],
  ["OPTIONS /here", 204, /^$/],
  ["OPTIONS /late", 200, /^host OPTIONS/],
  ["GET /missing", 404, /no such thing/],
  ["GET /bug", 500, /internal_server_error/],
  ["GET /guarded", 401, /no/],
  ["GET /turned", 302, /^$/],
  ["POST /closed", 403, /closed/],
  ["GET /in/here", 200, /^inner$/],
  ["GET /in/late", 200, /^host GET \/in\/late/],
  ["DELETE /in/here", 200, /^host DELETE \/in\/here/],
]
for (const [request, status, body] of falls) {
  test(`with fallthrough, ${request} is answered with ${status} ${body}`, async () => {
    const [method = "", path = ""] = request.split(" ")
    const init = method === "POST" ? { method, body: "a body" } : { method }
    const answer = await through([nodeHandler(makeApp(), { fallthrough: true }), host], path, init)
    assert.is(answer.status, status)
    const text = await answer.text()
    assert.match(text, body)
    assert.is(
      answer.headers.has("x-fw"),
      !text.startsWith("host"),
      "the header of the app is missing, or it is on an answer of the host",
    )
  })
}

const appended: ReadonlyArray<readonly [what: string, answer: (c: Context) => Response]> = [
  [
    "the context sets",
    (c) => {
      c.setCookie({ name: "own", value: "1" })
      c.appendHeader("Vary", "Cookie")
      return c.string(200, "fw")
    },
  ],
  [
    "a Response has",
    () =>
      new Response("fw", {
        headers: [
          ["set-cookie", "own=1; Path=/"],
          ["vary", "Cookie"],
        ],
      }),
  ],
  ["nothing sets", (c) => c.string(200, "fw")],
]
for (const [what, answer] of appended) {
  test(`cookies and Vary of the host are sent${what === "nothing sets" ? "" : ` together with those that ${what}`}`, async () => {
    const early: Step = (_, outgoing, next) => {
      outgoing.setHeader("Set-Cookie", ["first=1", "second=2"])
      outgoing.setHeader("Vary", "Origin")
      outgoing.setHeader("Content-Type", "text/csv")
      next()
    }
    const app = new App({ logger: false })
    app.get("/", answer)
    const { headers } = await through([early, nodeHandler(app)], "/")
    const own = what === "nothing sets" ? [] : ["own=1"]
    assert.equal(
      headers.getSetCookie().map((cookie) => cookie.replace(/;.*/, "")),
      ["first=1", "second=2", ...own],
    )
    assert.is(headers.get("vary"), own.length > 0 ? "Origin, Cookie" : "Origin")
    assert.match(headers.get("content-type") ?? "", /^text\/plain/)
  })
}

test("the app answers unknown paths itself without the option fallthrough or without the argument next", async () => {
  const app = makeApp()
  assert.is(await (await through([nodeHandler(app), host], "/late")).text(), "the app's own")
  const alone: Step = (incoming, outgoing) => nodeHandler(app, { fallthrough: true })(incoming, outgoing)
  assert.is(await (await through([alone], "/late")).text(), "the app's own")
})

test("a request that is passed on to the host is not logged", async () => {
  const level = process.env.FW_LOG_LEVEL
  delete process.env.FW_LOG_LEVEL
  const lines: string[] = []
  const app = new App({ logger: { write: (line) => lines.push(line) } })
  app.get("/here", (c) => c.noContent())
  const steps = [nodeHandler(app, { fallthrough: true }), host]
  for (const path of ["/late", "/here"]) await through(steps, path)
  process.env.FW_LOG_LEVEL = level
  assert.is(lines.length, 1)
  assert.match(lines[0] ?? "", /\/here/)
})

test('the option "with" passes values of the host to c.get(), separately for each request', async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => c.json(200, [c.get("session") ?? null, c.getString("user")]))
  const inner = new App({ logger: false })
  inner.get("/", (c) => c.json(200, c.get("session")))
  app.router.mount("/in", inner.fetch)
  const handler = nodeHandler<Incoming>(app, {
    with: (req) => (req.session ? { session: req.session, user: "ada" } : undefined),
  })
  const session: Step = (incoming, _, next) => {
    incoming.session = { id: incoming.headers["x-id"] }
    next()
  }
  const ask = async (id: string, path = "/") =>
    (await through([session, handler], path, { headers: { "x-id": id } })).json()
  assert.equal(await ask("1"), [{ id: "1" }, "ada"])
  assert.equal(await ask("2"), [{ id: "2" }, "ada"])
  assert.equal(await ask("3", "/in"), { id: "3" })
  assert.equal(await (await through([handler], "/")).json(), [null, ""])
})

const badValues: ReadonlyArray<readonly [what: string, given: () => unknown]> = [
  [
    "throws",
    () => {
      throw new Error("on purpose")
    },
  ],
  ["gives a promise", async () => ({})],
  ["gives a text", () => "session"],
  ["gives null", () => null],
]
for (const [what, given] of badValues) {
  test(`a request is answered with 500 if the option "with" is a function that ${what}`, async () => {
    const handler = nodeHandler(makeApp(), { with: given as () => undefined })
    assert.is((await through([handler], "/here")).status, 500)
  })
}

const badOptions: ReadonlyArray<readonly [options: unknown, message: RegExp]> = [
  [{ fallThrough: true }, /has no option "fallThrough"/],
  [{ fallthrough: "yes" }, /a boolean as fallthrough, not a string/],
  [{ with: {} }, /with of nodeHandler\(\) is of type object/],
]
for (const [options, message] of badOptions) {
  test(`nodeHandler(app, ${JSON.stringify(options)}) is refused`, () => {
    assert.throws(() => nodeHandler(makeApp(), options as object), message)
  })
}

test("an app of another copy of fw is refused, and the message says which handler to use", () => {
  const other = { fetch: async () => new Response(), config: {} } as unknown as App
  assert.throws(
    () => nodeHandler(other),
    (error: Error) => /another copy/.test(error.message) && /app\.mjs/.test(String(error)),
  )
  assert.throws(() => nodeHandler(undefined as unknown as App), /takes an App/)
})

/** Returns a body parser that leaves the body as a host leaves it. */
const parser =
  (leave: (bytes: Buffer) => object): Step =>
  (incoming, _, next) => {
    const chunks: Buffer[] = []
    incoming.on("data", (chunk) => chunks.push(chunk))
    incoming.on("end", () => {
      Object.assign(incoming, leave(Buffer.concat(chunks)))
      next()
    })
  }

const jsonType = "application/json"
const formType = "application/x-www-form-urlencoded"
const textType = "text/plain"
const parsed: ReadonlyArray<
  readonly [what: string, type: string, sent: string, leave: (bytes: Buffer) => object, seen: unknown]
> = [
  ["express.json()", jsonType, '{ "a": [1] }', (b) => ({ body: JSON.parse(`${b}`) }), '{"a":[1]}'],
  ["a kind of JSON", "application/x+json", "[1]", () => ({ body: [1] }), "[1]"],
  ["null", jsonType, "null", () => ({ body: null }), "null"],
  ["a number", jsonType, "1", () => ({ body: 1 }), "1"],
  ["rawBody and body", jsonType, '{ "a": 1 }', (b) => ({ rawBody: b, body: { a: 1 } }), '{ "a": 1 }'],
  ["express.raw()", jsonType, '{ "a": 1 }', (b) => ({ body: b }), '{ "a": 1 }'],
  ["express.text()", textType, "hello é", (b) => ({ body: `${b}` }), "hello é"],
  [
    "express.urlencoded()",
    formType,
    "a=1&b=x+y&b=%26",
    () => ({ body: { a: "1", b: ["x y", "&"] } }),
    "a=1&b=x+y&b=%26",
  ],
  ["a form with brackets", formType, "a[b]=1", () => ({ body: { a: { b: "1" } } }), null],
  ["a text where JSON was sent", jsonType, '"1"', () => ({ body: "1" }), null],
  ["multer", "multipart/form-data; boundary=b", "--b--", () => ({ body: {}, files: [] }), null],
  ["nothing", jsonType, "{}", () => ({}), null],
]
const readers: Readonly<Record<string, (c: Context) => Promise<string>>> = {
  "c.text()": (c) => c.text(),
  "c.request": (c) => c.request.text(),
  "c.request.body": async (c) => {
    let text = ""
    for await (const chunk of c.request.body as unknown as AsyncIterable<Uint8Array>)
      text += new TextDecoder().decode(chunk)
    return text
  },
}
for (const [what, type, sent, leave, seen] of parsed) {
  for (const [name, read] of Object.entries(readers)) {
    test(`${name} ${seen === null ? "fails" : "gives the body"} after a parser that left ${what}`, async () => {
      const app = new App({ logger: false })
      app.post("/", async (c) => c.string(200, await read(c)))
      const init = { method: "POST", headers: { "content-type": type }, body: sent }
      const answer = await through([parser(leave), nodeHandler(app)], "/", init)
      if (seen === null) assert.is(answer.status, 500)
      else assert.equal([answer.status, await answer.text()], [200, seen])
    })
  }
}

test("reading a body after the answer has started is reported as a missing await, not as a parser of the host", async () => {
  let discarded = () => {}
  const end = new Promise<void>((resolve) => {
    discarded = resolve
  })
  const app = new App({ logger: false })
  app.post("/", (c) => {
    const message = end.then(() => c.text()).catch((error: Error) => error.message)
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      controller.enqueue(new TextEncoder().encode(await message))
      controller.close()
    }
    return new Response(new ReadableStream({ pull }))
  })
  const watch: Step = (request, _, next) => {
    request.once("end", discarded)
    next()
  }
  const answer = await through([watch, nodeHandler(app)], "/", { method: "POST", body: "hi" })
  const text = await answer.text()
  assert.match(text, /^Is an await missing before the call that reads the body\?/)
  assert.not.match(text, /nodeHandler/)
})

test("a body that the host has parsed is checked like any other body", async () => {
  const app = new App({ logger: false, bodyLimit: 20 })
  app.post("/", async (c) => c.json(200, await c.bind()))
  const handler: NodeHandler = nodeHandler(app)
  const ask = async (sent: string, leave: (bytes: Buffer) => object) =>
    (
      await through([parser(leave), handler], "/", {
        method: "POST",
        headers: { "content-type": jsonType },
        body: new Blob([sent]).stream(),
        duplex: "half",
      } as RequestInit)
    ).status
  assert.is(await ask('{"a":1}', () => ({ body: { a: 1 } })), 200)
  assert.is(await ask("{}", () => ({ body: { a: "x".repeat(30) } })), 413)
  assert.is(await ask("{}", () => ({ body: JSON.parse('{"__proto__":1}') })), 400)
})

test("a body that the host has decoded has no content coding", async () => {
  const app = new App({ logger: false })
  app.post("/", async (c) => c.json(200, [await c.bind(), c.header("Content-Encoding")]))
  const ask = (...steps: Step[]) =>
    through([...steps, nodeHandler(app)], "/", {
      method: "POST",
      headers: { "content-type": jsonType, "content-encoding": "gzip" },
      body: '{"a":1}',
    })
  assert.equal(await (await ask(parser(() => ({ body: { a: 1 } })))).json(), [{ a: 1 }, ""])
  assert.is((await ask()).status, 415)
})

test("a Request whose body the host has parsed has no headers about the bytes that were sent", async () => {
  const app = new App({ logger: false })
  app.post("/", async (c) => {
    const { headers } = c.request
    return c.json(200, [headers.get("content-length"), headers.get("content-encoding"), await c.request.json()])
  })
  const answer = await through([parser(() => ({ body: { a: 1 } })), nodeHandler(app)], "/", {
    method: "POST",
    headers: { "content-type": jsonType, "content-encoding": "identity" },
    body: '{ "a":    1 }',
  })
  assert.equal(await answer.json(), [null, null, { a: 1 }])
})

test.run()
