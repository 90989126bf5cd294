/**
 * Tests of `nodeHandler` in other servers: node:http, and the real Express and Fastify, set up as
 * docs/operations/server.md says.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { nodeHandler } from "../../adapters/node.ts"
import { App, notFound } from "../../lib/index.ts"
import { project } from "../support/bin/cli/command.ts"

const folder = project({ "package.json": '{"private":true}\n' })
const installed = spawn("npm", ["install", "--no-save", "express@5", "fastify@5"], {
  cwd: folder,
  stdio: "ignore",
})
const [code] = await once(installed, "close")
const peer = createRequire(join(folder, "package.json"))

function makeApp(prefix: string): App {
  const app = new App({ logger: false, bodyLimit: 1000 })
  app.group(prefix || "/", (group) => {
    group.get("/hello/{name}", (c) => c.json(200, { hello: c.param("name"), path: c.path }))
    group.post("/echo", async (c) => c.json(201, await c.bind()))
    group.get("/missing", () => {
      throw notFound("nothing here")
    })
  })
  return app
}

/** A running server, and the prefix that the app sees in its paths. */
interface Running {
  readonly server: Server
  readonly prefix: string
}

async function listening(server: Server): Promise<Server> {
  await once(server.listen(0, "127.0.0.1"), "listening")
  return server
}

const starters: Record<string, () => Promise<Running>> = {
  async "node:http"() {
    return { server: await listening(createServer(nodeHandler(makeApp("/api")))), prefix: "/api" }
  },
  async Express() {
    const express = peer("express")
    const server = express()
    server.use("/api", nodeHandler(makeApp("")))
    server.use(express.json())
    return { server: await listening(createServer(server)), prefix: "" }
  },
  async Fastify() {
    const fastify = peer("fastify")()
    const handler = nodeHandler(makeApp("/api"))
    // biome-ignore lint/suspicious/noExplicitAny: Fastify is no dependency, so its types are not installed.
    fastify.register(async (scope: any) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser("*", (_: unknown, __: unknown, done: (error: null) => void) => done(null))
      // biome-ignore lint/suspicious/noExplicitAny: Fastify is no dependency, so its types are not installed.
      scope.all("/*", (request: any, reply: any) => {
        reply.hijack()
        handler(request.raw, reply.raw)
      })
    })
    await fastify.listen({ host: "127.0.0.1", port: 0 })
    return { server: fastify.server, prefix: "/api" }
  },
}

const json = { "content-type": "application/json" }
const cases: ReadonlyArray<{
  path: string
  init?: RequestInit
  status: number
  body: (prefix: string) => unknown
}> = [
  { path: "/api/hello/ada", status: 200, body: (prefix) => ({ hello: "ada", path: `${prefix}/hello/ada` }) },
  {
    path: "/api/hello/a%2Fb",
    status: 200,
    body: (prefix) => ({ hello: "a/b", path: `${prefix}/hello/a%2Fb` }),
  },
  { path: "/api/missing", status: 404, body: () => ({ error: "not_found", message: "nothing here" }) },
  {
    path: "/api/echo",
    init: { method: "POST", headers: json, body: '{"a":1}' },
    status: 201,
    body: () => ({ a: 1 }),
  },
  {
    path: "/api/echo",
    init: { method: "POST", headers: json, body: JSON.stringify("x".repeat(2000)) },
    status: 413,
    body: () => ({ error: "payload_too_large", message: "the body is larger than 1000 bytes" }),
  },
]

const other = suite("nodeHandler in other servers")

other("Express and Fastify can be installed", () => assert.is(code, 0))

for (const [name, start] of Object.entries(starters)) {
  other(`nodeHandler() works in ${name}`, async () => {
    const { server, prefix } = await start()
    const { port } = server.address() as AddressInfo
    for (const { path, init, status, body } of cases) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init ?? {})
      assert.is(response.status, status, `${name} ${path}`)
      assert.equal(await response.json(), body(prefix), `${name} ${path}`)
    }
    server.closeAllConnections()
    server.close()
  })
}

other.run()
