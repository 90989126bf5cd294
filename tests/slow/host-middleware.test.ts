/**
 * Tests of `nodeHandler` behind the middleware of Express and Connect, in versions of 2023 and of today. They
 * replace methods of the response: `compression` and `express-session` add headers when the head is written.
 */
import { once } from "node:events"
import { createServer, type IncomingMessage, request, type Server } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { nodeHandler } from "../../adapters/node.ts"
import { App, type Context, etag, HttpError } from "../../lib/index.ts"
import { installTools } from "../support/tools.ts"

process.env.FW_LOG_LEVEL = "off"

const years: Readonly<Record<string, readonly string[]>> = {
  2023: [
    ...["express@4.19.0", "compression@1.7.4", "express-session@1.18.0", "morgan@1.10.0", "helmet@7.0.0"],
    ...["response-time@2.3.2", "cors@2.8.5", "connect@3.7.0"],
    ...["fastify@4.28.1", "@fastify/middie@8.3.1"],
  ],
  now: [
    ...["express@5", "compression@1.8", "express-session@1.18.2", "morgan@1.10.1", "helmet@8"],
    ...["response-time@2", "cors@2", "connect@3", "fastify@5", "@fastify/middie@9"],
  ],
}

const text = "hello world ".repeat(300)

function makeApp(): App {
  const app = new App({ logger: false })
  app.get("/small", (c) => {
    c.setHeader("X-Own", "1")
    c.setCookie({ name: "a", value: "1" })
    c.setCookie({ name: "b", value: "2" })
    return c.string(203, "small")
  })
  app.get("/large", (c) => c.string(200, text))
  app.get("/own", () => new Response(text, { headers: { "content-type": "text/plain" } }))
  app.get("/stream", (c: Context) =>
    c.stream(
      200,
      (async function* () {
        for (let part = 0; part < 3; part++) yield "part "
      })(),
      "text/plain",
    ),
  )
  app.get("/tagged", etag(), (c) => c.string(200, text))
  app.get("/none", (c) => c.noContent())
  app.get("/moved", (c) => c.redirect(303, "/small"))
  app.get("/taken", () => {
    throw new HttpError(409, "taken", { headers: { "X-Error": "1" } })
  })
  app.get("/bug", () => {
    throw new Error("on purpose")
  })
  app.get("/unsendable", () =>
    Object.defineProperty(new Response("x", { headers: { "x-left": "1", "set-cookie": "left=1" } }), "headers", {
      value: new Map([
        ["x-left", "1"],
        ["x-a", "a\r\nb"],
      ]),
    }),
  )
  app.post("/echo", async (c) => c.json(201, await c.bind()))
  return app
}

// biome-ignore lint/suspicious/noExplicitAny: the packages are no dependencies, so their types are not installed.
type Package = any

/** Returns the middleware that every host has, in the usual order. `lines` gets the lines that morgan writes. */
function middleware(load: (name: string) => Package, lines: string[]) {
  return [
    load("morgan")(":method :url :status :res[x-own]", {
      stream: { write: (line: string) => lines.push(line.trim()) },
    }),
    load("response-time")(),
    load("compression")({ threshold: 1024 }),
    load("helmet").default?.() ?? load("helmet")(),
    load("cors")({ origin: "http://page.example" }),
    load("express-session")({ secret: "s", resave: false, saveUninitialized: true, name: "sid" }),
    (incoming: { session: Package }, outgoing: Package, next: () => void) => {
      incoming.session.seen = true
      outgoing.setHeader("X-Host", "1")
      outgoing.append?.("Set-Cookie", "host=1") ?? outgoing.setHeader("Set-Cookie", ["host=1"])
      next()
    },
  ]
}

const hosts: Readonly<Record<string, (load: (name: string) => Package, lines: string[]) => Promise<Server>>> = {
  async Express(load, lines) {
    const express = load("express")
    const host = express()
    for (const one of middleware(load, lines)) host.use(one)
    host.use(nodeHandler(makeApp()))
    return createServer(host)
  },
  async Connect(load, lines) {
    const host = load("connect")()
    for (const one of middleware(load, lines)) host.use(one)
    host.use(nodeHandler(makeApp()))
    return createServer(host)
  },
  async Fastify(load, lines) {
    const host = load("fastify")()
    await host.register(load("@fastify/middie"))
    for (const one of middleware(load, lines)) host.use(one)
    host.use(nodeHandler(makeApp()))
    await host.ready()
    return host.server
  },
}

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: string
  readonly isCompressed: boolean
}

function ask(port: number, path: string, method = "GET", headers: object = {}, body = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = { connection: "close", "accept-encoding": "gzip", ...headers }
    const asking = request({ port, host: "127.0.0.1", path, method, headers: sent }, async (incoming) => {
      const bytes = Buffer.concat(await incoming.toArray())
      const isCompressed = incoming.headers["content-encoding"] === "gzip"
      const text = isCompressed && bytes.length > 0 ? gunzipSync(bytes) : bytes
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        body: String(text),
        isCompressed,
      })
    })
    asking.on("error", reject)
    asking.end(body)
  })
}

/** Returns the names of the cookies in an answer. */
const cookies = ({ headers }: Answer) => (headers["set-cookie"] ?? []).map((line) => line.split("=")[0])
const ofHost = ["host", "sid"]

const tests = suite("nodeHandler below middleware of a host")

for (const [year, packages] of Object.entries(years)) {
  const installed = createRequire(join(await installTools(packages), "package.json"))
  for (const [name, start] of Object.entries(hosts)) {
    tests(`in ${name} of ${year} every answer is complete, and has the headers of both`, async () => {
      const lines: string[] = []
      const server = await start(installed, lines)
      await once(server.listen(0, "127.0.0.1"), "listening")
      const { port } = server.address() as AddressInfo

      const small = await ask(port, "/small")
      assert.equal([small.status, small.body, small.isCompressed], [203, "small", false])
      assert.equal(cookies(small).toSorted(), ["a", "b", ...ofHost])
      assert.equal([small.headers["x-own"], small.headers["x-host"]], ["1", "1"])
      assert.is(small.headers["content-length"], "5")
      assert.is(small.headers["x-content-type-options"], "nosniff")
      assert.ok(small.headers["x-response-time"])

      for (const path of ["/large", "/own"]) {
        const large = await ask(port, path)
        assert.equal([large.status, large.isCompressed, large.body === text], [200, true, true], path)
        assert.equal(String(large.headers.vary).split(", ").toSorted(), ["Accept-Encoding", "Origin"], path)
        assert.is(large.headers["content-length"], undefined, path)
        assert.equal(cookies(large).toSorted(), ofHost, path)
        const plain = await ask(port, path, "GET", { "accept-encoding": "identity" })
        assert.equal([plain.isCompressed, plain.body === text], [false, true], path)
        const head = await ask(port, path, "HEAD")
        assert.equal([head.status, head.body], [200, ""], path)
        assert.is.not(head.headers["content-length"], "0", path)
        assert.equal(cookies(head).toSorted(), ofHost, path)
      }

      const stream = await ask(port, "/stream")
      assert.equal([stream.status, stream.body], [200, "part part part "])
      assert.equal(cookies(stream).toSorted(), ofHost)

      const tagged = await ask(port, "/tagged", "GET", { "accept-encoding": "identity" })
      const tag = String(tagged.headers.etag)
      const known = await ask(port, "/tagged", "GET", { "if-none-match": tag })
      assert.equal([known.status, known.body, known.headers.etag], [304, "", tag])

      const none = await ask(port, "/none")
      assert.equal([none.status, none.body, none.headers["content-length"]], [204, "", undefined])
      const moved = await ask(port, "/moved")
      assert.equal([moved.status, moved.headers.location], [303, "/small"])
      const taken = await ask(port, "/taken")
      assert.equal([taken.status, taken.headers["x-error"], JSON.parse(taken.body).error], [409, "1", "conflict"])
      assert.is((await ask(port, "/nowhere")).status, 404)

      for (const path of ["/bug", "/unsendable"]) {
        const bug = await ask(port, path)
        assert.equal([bug.status, JSON.parse(bug.body).error], [500, "internal_server_error"], path)
        assert.is(bug.headers["x-left"], undefined, path)
        assert.equal(cookies(bug).toSorted(), ofHost, path)
      }

      const type = { "content-type": "application/json", "content-length": "7" }
      const echo = await ask(port, "/echo", "POST", type, '{"a":1}')
      assert.equal([echo.status, JSON.parse(echo.body)], [201, { a: 1 }])

      const again = await ask(port, "/small", "GET", {
        cookie: String(small.headers["set-cookie"]?.find((line) => line.startsWith("sid"))?.split(";")[0]),
      })
      assert.not(cookies(again).includes("sid"), "the session was not found again")
      assert.is(lines[0], "GET /small 203 1")
      server.closeAllConnections()
      server.close()
    })
  }
}

tests.run()
