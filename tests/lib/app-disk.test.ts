/** Tests of an app with parts from the disk: directories of static files, and a scanned route directory. */
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { WebSocket } from "ws"
import { App, type AppOptions, type Context, FwError, proxy } from "../../lib/index.ts"
import { viaFetch, viaSocket } from "../support/contract/runner.ts"

const quiet = (options: AppOptions = {}) => new App({ logger: false, ...options })
const isCode = (code: string) => (error: unknown) => error instanceof FwError && error.code === code
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

const directory = mkdtempSync(join(tmpdir(), "fw-app-"))
test.after(() => rmSync(directory, { recursive: true }))
const put = (file: string, text: string) => {
  mkdirSync(join(directory, file, ".."), { recursive: true })
  writeFileSync(join(directory, file), text)
  return directory
}

test("staticDir: the files of the directory are served under /static, and a missing directory is an error", async () => {
  put("public/a.txt", "file")
  const app = quiet({ staticDir: join(directory, "public") })
  assert.is(await (await app.request("/static/a.txt")).text(), "file")
  const without = quiet({ staticDir: join(directory, "none") })
  for (const _ of [1, 2]) assert.is((await without.request("/static/a.txt")).status, 500)
  for (const _ of [1, 2]) assert.ok(isCode("static")(await failure(without.listen("127.0.0.1:0"))))
})
test("staticDir: a start that failed can be repeated, and fails with the same error", async () => {
  put("started/a.txt", "file")
  const app = quiet({ staticDir: join(directory, "started") })
  app.static("/more", join(directory, "started"))
  let ready = false
  const errors: unknown[] = []
  app.use((next) => (ready ? next : (undefined as never)))
  app.onError((c, error) => {
    errors.push(error)
    return c.noContent()
  })
  for (const _ of [1, 2]) assert.is((await app.request("/static/a.txt")).status, 204)
  assert.is(errors.length, 2)
  for (const error of errors) assert.match(String(error), "a middleware of app.use() returned nothing")
  ready = true
  for (const path of ["/static/a.txt", "/more/a.txt"]) assert.is(await (await app.request(path)).text(), "file")
})
test("app.static(): routes come before files, and 404 answers directories without index and paths above the folder", async () => {
  put("public/sub/b.txt", "b")
  put("public/site/index.html", "<p>")
  put("secret.txt", "secret")
  const app = quiet()
  app.static("/files", join(directory, "public"))
  app.get("/files/a.txt", (c) => c.string(200, "route"))
  const answers = {
    "/files/sub/b.txt": 200,
    "/files/a.txt": 200,
    "/files/sub/": 404,
    "/files/sub": 404,
    "/files/": 404,
    "/files/site": 308,
    "/files/site/": 200,
    "/files/..%2fsecret.txt": 404,
    "/files/%2e%2e/secret.txt": 404,
    "/secret.txt": 404,
  }
  for (const [path, status] of Object.entries(answers)) assert.is((await app.request(path)).status, status, path)
  assert.is(await (await app.request("/files/a.txt")).text(), "route")
  assert.is((await app.request("/files/sub/b.txt", { method: "POST" })).status, 405)
  // A client chooses the method, so the message contains only its beginning.
  const long = await app.request("/files/sub/b.txt", { method: "X".repeat(3000) })
  const { message } = (await long.json()) as { message: string }
  assert.is(message, `/files/sub/b.txt does not answer ${"X".repeat(200)}…`)
})
test("app.static(): headers of the context are sent exactly once with files, by app.fetch() and over a socket", async () => {
  put("public/c.css", "a{}")
  const make = () => {
    const app = quiet()
    app.use((next) => (c) => {
      c.setHeader("Cache-Control", "max-age=60")
      c.appendHeader("Vary", "Origin")
      return next(c)
    })
    app.static("/files", join(directory, "public"))
    return app
  }
  for (const ask of [viaFetch, viaSocket]) {
    const { headers, body } = await ask(make(), "/files/c.css")
    assert.is(body, "a{}")
    assert.is(headers["cache-control"], "max-age=60")
    assert.is(headers.vary, "Accept-Encoding, Origin")
  }
})
test("app.static(): a missing directory, a parameter in the prefix and a prefix that is already in use are refused", () => {
  const app = quiet()
  const { static: serve } = { static: (prefix: string, dir: string) => () => app.static(prefix, dir) }
  assert.throws(serve("/a", join(directory, "none")), isCode("static"))
  assert.throws(serve("/{a}", directory), isCode("static"))
  serve("/a", directory)()
  assert.throws(serve("/a/", directory), isCode("static"))
})

test("app.scan() and app.mount(): files in the route directory become answers, and app.routeTree lists them", async () => {
  put(
    "app/api/users/[id]/route.js",
    "export const Get = (c) => c.json(200, { id: c.param('id'), by: c.getString('by') })",
  )
  put("app/api/docs/[...slug]/route.js", "export function Get(c) { return c.json(200, c.param('slug')) }")
  put("app/api/middleware.js", "export const Middleware = () => (next) => (c) => { c.set('by', 'mw'); return next(c) }")
  put(
    "app/proxy.js",
    "export const Proxy = (c) => null\nexport const ProxyConfig = { matcher: ['/api/old/:x*'], excludes: ['/api/old/x'] }",
  )
  const app = quiet({ appDir: join(directory, "app") })
  assert.is(app.routeTree, undefined)
  assert.ok(isCode("mount")(await failure(app.mount())))
  const tree = await app.scan()
  assert.is(app.routeTree, tree)
  assert.equal(tree.routes.map(({ method, pattern }) => `${method} ${pattern}`).sort(), [
    "GET /api/docs/*",
    "GET /api/users/{id}",
  ])
  const modules: Record<string, Record<string, unknown>> = {}
  for (const { file } of [...tree.routes, ...tree.middleware]) modules[file] = await import(resolve(file))
  const file = tree.proxy?.file as string
  modules[file] = { Proxy: (c: Context) => proxy.responseJSON(410, c.path) }
  await app.mount({ tree, modules })
  assert.is(app.hasProxy, true)
  assert.throws(() => app.use((next) => next), isCode("use_late"))
  assert.ok(isCode("mount")(await failure(app.mount())))
  assert.equal(await (await app.request("/api/users/7")).json(), { id: "7", by: "mw" })
  assert.equal(await (await app.request("/api/docs/a/b")).json(), "a/b")
  assert.is((await app.request("/api/old")).status, 410)
  assert.is((await app.request("/api/old/x")).status, 404)
  const both = quiet()
  both.setProxy(() => proxy.continue())
  assert.ok(isCode("proxy")(await failure(both.mount({ tree, modules }))))
  assert.ok(isCode("mount")(await failure(quiet().mount({ tree, modules: {} }))))
  const { [file]: _, ...others } = modules
  assert.ok(isCode("mount")(await failure(quiet().mount({ tree, modules: { ...others, [file]: {} } }))))
})

test("app.scan() and app.mount(): Socket in a route file answers upgrades, inside its directory's middleware", async () => {
  put("sockets/app/rooms/[room]/route.mjs", "export const Socket = (c) => ({ open: (s) => s.send(c.param('room')) })")
  put(
    "sockets/app/middleware.mjs",
    "export const Middleware = () => (next) => (c) => c.query('no') ? c.string(401, 'no') : next(c)",
  )
  const before = process.cwd()
  process.chdir(join(directory, "sockets"))
  try {
    const app = quiet()
    const { routes } = await app.scan()
    assert.equal(
      routes.map(({ method, pattern, export: name }) => [method, pattern, name]),
      [["SOCKET", "/rooms/{room}", "Socket"]],
    )
    await app.mount()
    await app.listen("127.0.0.1:0")
    const url = `ws://${app.addr}/rooms/blue`
    const [greeting] = await once(new WebSocket(url), "message")
    assert.is(String(greeting), "blue")
    const [, refusal] = await once(
      new WebSocket(`${url}?no=1`).on("error", () => {}),
      "unexpected-response",
    )
    assert.is(refusal.statusCode, 401)
    refusal.destroy()
    await app.shutdown(AbortSignal.timeout(5000))
  } finally {
    process.chdir(before)
  }
})

test.run()
