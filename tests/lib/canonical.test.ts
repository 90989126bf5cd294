/** Tests of the canonical path: however a client spells a path, a guard sees the same path as the handler. */
import { connect } from "node:net"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { serve } from "../../adapters/node.ts"
import { App, proxy } from "../../lib/index.ts"
import { spellings } from "../support/lib/spellings.ts"
import "../support/contract/runner.ts"

const guardedPath = "/admin/a.b/user-list"

/** The parts of an app that saw a request: the proxy with its matcher, the group's middleware, and the handler. */
interface Trail extends Record<string, string[]> {
  proxy: string[]
  group: string[]
  handler: string[]
}

/** Returns an app whose handlers are behind a proxy with a matcher, and also behind the middleware of a group. */
function guardedApp(matchers: string[]): { app: App; trail: Trail } {
  const trail: Trail = { proxy: [], group: [], handler: [] }
  const app = new App({ logger: false })
  app.setProxy(
    (c) => {
      trail.proxy.push(c.path)
      return proxy.continue()
    },
    { matchers },
  )
  app.group("/admin", (g) => {
    g.use((next) => (c) => {
      trail.group.push(c.path)
      return next(c)
    })
    for (const pattern of ["/", "/a.b/user-list", "/{any}/user-list", "/a.b/*"]) {
      g.get(pattern, (c) => {
        trail.handler.push(c.path)
        return c.string(200, "secret")
      })
    }
  })
  app.get("/{x}/{y}/{z}", (c) => c.string(200, "open"))
  app.get("/*", (c) => c.string(200, "open"))
  return { app, trail }
}

/** Sends a request line without changes, and resolves to the whole answer. */
function raw(port: number, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1")
    let text = ""
    socket.setEncoding("latin1").on("data", (chunk) => {
      text += chunk
    })
    socket.on("end", () => resolve(text)).on("error", reject)
    socket.write(Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, "latin1"))
  })
}

const targets = spellings(guardedPath)

test(`the guarded path is tried in more than 100 different spellings (${targets.length})`, () => {
  assert.ok(targets.length > 100)
  assert.is(new Set(targets).size, targets.length)
})

for (const matchers of [
  ["/admin/*"],
  ["/admin/:path*"],
  ["/(admin)/(.*)", "/admin"],
  [guardedPath, "/admin/{any}/user-list", "/admin", "/admin/a.b/*"],
]) {
  test(`no spelling bypasses the proxy and its matchers ${matchers.join(" ")}`, async () => {
    const { app, trail } = guardedApp(matchers)
    const server = await serve(app, { host: "127.0.0.1", port: 0 })
    const port = Number(server.addr.split(":").at(-1))
    let reached = 0
    for (const target of targets) {
      const ways = [() => raw(port, target)]
      if (target.startsWith("/")) ways.push(async () => (await app.fetch(new Request(`http://x${target}`))).text())
      for (const ask of ways) {
        for (const list of Object.values(trail)) list.length = 0
        const answer = await ask()
        assert.is(answer.includes("secret"), trail.handler.length === 1, target)
        if (trail.handler.length === 0) continue
        reached++
        assert.equal(trail.proxy, trail.handler, target)
        assert.equal(trail.group, trail.handler, target)
      }
    }
    assert.ok(reached > 40, `only ${reached} spellings are the guarded path's: the list proves little`)
    await server.shutdown()
  })
}

const canonical: ReadonlyArray<readonly [raw: string, path: string | null]> = [
  ["/", "/"],
  ["/a/../b/./c", "/b/c"],
  ["/a/%2e%2E/b", "/b"],
  ["/a/%2e/b", "/a/b"],
  ["/../../etc", "/etc"],
  ["/%252e%252e/x", "/%252e%252e/x"],
  ["/%61%62c", "/abc"],
  ["/a%2fb/%2F", "/a%2Fb/%2F"],
  ["/a//b///c/", "/a//b///c/"],
  ["/caf%c3%a9", "/caf%C3%A9"],
  ["/%7Euser/%21%27%28%29%2A", "/~user/!'()*"],
  ["/%3A%40%24%26%2B%2C%3B%3D", "/:@$&+,;="],
  ["/%3F%23%25%22%3C", "/%3F%23%25%22%3C"],
  ["/a%20b+c", "/a%20b+c"],
  ["/A/b", "/A/b"],
  ["http://other.example/x/%61?q", "/x/a"],
  ["HTTP://other.example", "/"],
  ["/%", null],
  ["/%4", null],
  ["/%zz", null],
  ["/%ff", null],
  ["/%c0%af", null],
  ["/%ed%a0%80", null],
  ["/a%00b", null],
  ["/a%5Cb", null],
  ["/a%5c..%5cb", null],
]

for (const [target, path] of canonical) {
  test(`path: ${target} is ${path ?? "400"}`, async () => {
    const app = new App({ logger: false })
    let seen: string | null = null
    app.setProxy((c) => {
      seen = c.path
      return proxy.responseJSON(200, c.path)
    })
    const server = await serve(app, { host: "127.0.0.1", port: 0 })
    const answer = await raw(Number(server.addr.split(":").at(-1)), target)
    await server.shutdown()
    assert.match(answer, path === null ? /^HTTP\/1.1 400 / : /^HTTP\/1.1 200 /)
    assert.is(seen, path)
    const url = target.startsWith("/") ? `http://x${target}` : target
    assert.is((await app.fetch(new Request(url))).status, path === null ? 400 : 200)
    assert.is(seen, path)
  })
}

test("path: a raw backslash anywhere in the target is 400 on Node", async () => {
  const app = new App({ logger: false })
  app.get("/*", (c) => c.string(200, "passed"))
  const server = await serve(app, { host: "127.0.0.1", port: 0 })
  const port = Number(server.addr.split(":").at(-1))
  for (const target of ["/\\admin", "/a\\..\\b", "http://x\\admin/", "/a?b\\c"]) {
    assert.match(await raw(port, target), /^HTTP\/1.1 400 /, target)
  }
  await server.shutdown()
})

test("path: two slashes match no pattern", async () => {
  const app = new App({ logger: false })
  app.get("/*", (c) => c.string(200, "rest"))
  app.get("/{a}/{b}", (c) => c.string(200, "params"))
  for (const path of ["//", "//a", "/a//b", "/a//"]) assert.is((await app.request(`http://x${path}`)).status, 404, path)
  assert.is((await app.request("/a/b/")).status, 308)
})

test.run()
