/** Tests of an app from `new App()` to `shutdown()`: options, listening, and routes that are added too late. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { serve } from "../../adapters/node.ts"
import { App, type AppOptions, type Context, FwError, type MiddlewareFunc, proxy } from "../../lib/index.ts"
import { parseListenOptions } from "../../lib/lifecycle/listen-options.ts"
import type { ListenTarget } from "../../lib/platform.ts"
import { defer } from "../support/adapters/node/wire.ts"
import { sendTo } from "../support/contract/runner.ts"

const quiet = (options: AppOptions = {}) => new App({ logger: false, ...options })
const isCode = (code: string) => (error: unknown) => error instanceof FwError && error.code === code && error.fix !== ""
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )
const getPort = (app: App) => Number(app.addr.split(":").at(-1))

test("new App(): the configuration has the defaults, and is frozen", () => {
  const { config } = new App()
  assert.equal(
    { ...config },
    { appDir: "app", staticDir: "static", bodyLimit: 10485760, formPartLimit: 1000, trustedProxies: [] },
  )
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.trustedProxies))
})
test("app.config contains the given options, and an option that is undefined has its default", () => {
  const app = new App({ bodyLimit: 1, trustedProxies: ["::1"], appDir: undefined as never })
  assert.equal(
    { ...app.config },
    { appDir: "app", staticDir: "static", bodyLimit: 1, formPartLimit: 1000, trustedProxies: ["::1"] },
  )
})
test("app.config contains the given appDir", () => assert.is(new App({ appDir: "src/app" }).config.appDir, "src/app"))
test("the default of appDir is app", () => assert.is(new App().config.appDir, "app"))

const badOptions: readonly unknown[] = [
  { appdir: "x" },
  { appDir: "" },
  { appDir: 1 },
  { appDir: "a\0" },
  { staticDir: null },
  { bodyLimit: "1" },
  { trustedProxies: "::1" },
  { logger: "yes" },
  { logger: 1 },
  { logger: null },
  { unknown: undefined },
  null,
  "app",
]
for (const options of badOptions) {
  test(`new App(): ${JSON.stringify(options)} is refused`, () => {
    assert.throws(() => new App(options as AppOptions), isCode("app_options"))
  })
}
test("new App(): an unknown field of logger is refused", () =>
  assert.throws(() => new App({ logger: { lvl: "x" } as never }), isCode("logger_config")))

const addresses: ReadonlyArray<
  readonly [target: ListenTarget | undefined, port: string | undefined, options: object | null]
> = [
  [undefined, undefined, { port: 3000 }],
  [undefined, "", { port: 3000 }],
  [undefined, "8080", { port: 8080 }],
  [undefined, "0", { port: 0 }],
  [":4000", "8080", { port: 4000 }],
  [":0", undefined, { port: 0 }],
  ["localhost:80", undefined, { host: "localhost", port: 80 }],
  ["[::1]:65535", undefined, { host: "::1", port: 65535 }],
  [3000, "8080", { port: 3000 }],
  [0, undefined, { port: 0 }],
  [{ port: 3000 }, "8080", { port: 3000 }],
  [{ port: 3000, host: "127.0.0.1" }, undefined, { port: 3000, host: "127.0.0.1" }],
  [{ port: 3000, host: "" }, undefined, { port: 3000 }],
  [{ port: 3000, tls: { cert: "c", key: "k" } }, undefined, { port: 3000, tls: { cert: "c", key: "k" } }],
  [{ host: "::1" }, "8080", { port: 8080, host: "::1" }],
  ["/run/a.sock", "8080", { port: 0, path: "/run/a.sock" }],
  ["./a.sock", undefined, { port: 0, path: "./a.sock" }],
  ["\\\\.\\pipe\\a", undefined, { port: 0, path: "\\\\.\\pipe\\a" }],
  [undefined, "/run/a.sock", { port: 0, path: "/run/a.sock" }],
  [{ host: "::1" }, "../a.sock", { port: 0, path: "../a.sock" }],
  [{ path: "a.sock", host: "::1", port: 1 }, "8080", { port: 0, path: "a.sock" }],
  [{ path: "" }, "8080", { port: 8080 }],
  [{ fd: 3 }, "8080", { port: 0, fd: 3 }],
  [{}, undefined, { port: 3000 }],
  ...[-1, 65536, 3.5, Number.NaN, Number.POSITIVE_INFINITY].flatMap((port) => [
    [port, undefined, null] as const,
    [{ port }, undefined, null] as const,
  ]),
  ...[
    null,
    true,
    [],
    { port: "3000" },
    { host: 7 },
    { path: 7 },
    { fd: "3" },
    { fd: -1 },
    { hostname: "localhost" },
    () => 3000,
  ].map((target) => [target as never, undefined, null] as const),
  [{ host: "::1" }, "none", null],
  ...["80a", "-1", "65536", " 80", "3.5", "0x50", "123456"].map((port) => [undefined, port, null] as const),
  ...["", "3000", "localhost", ":", "a:b", "a:b:1", "::1:80", "[::1]", ":65536", "http://x:1", "[]:80"].map(
    (address) => [address, undefined, null] as const,
  ),
]
for (const [address, port, options] of addresses) {
  test(`app.listen(): ${JSON.stringify(address)} with PORT ${JSON.stringify(port)} is ${JSON.stringify(options)}`, () => {
    if (options) assert.equal(parseListenOptions(address, port), options)
    else assert.throws(() => parseListenOptions(address, port), isCode("address"))
    if (options) assert.equal(parseListenOptions(address, port, "serve()"), options)
    else assert.throws(() => parseListenOptions(address, port, "serve()"), isCode("serve"))
  })
}
test("app.listen() resolves when the app listens, and fails if the app listens already or the port is in use", async () => {
  const app = quiet()
  app.get("/", (c) => c.string(200, "up"))
  const first = app.listen("127.0.0.1:0")
  assert.ok(isCode("listen")(await failure(app.listen("127.0.0.1:0"))))
  await first
  assert.ok(isCode("listen")(await failure(app.listen("127.0.0.1:0"))))
  assert.is((await sendTo(getPort(app), "/")).body, "up")
  assert.ok(isCode("port_in_use")(await failure(quiet().listen(app.addr))))
  await app.shutdown()
})
for (const target of [0, ":0", { port: 0, host: "127.0.0.1" }]) {
  test(`app.listen(): listen(${JSON.stringify(target)}) and serve() bind the same address`, async () => {
    const app = quiet()
    app.get("/", (c) => c.string(200, "up"))
    await app.listen(target)
    assert.is((await sendTo(getPort(app), "/")).body, "up")
    const server = await serve(app, target)
    const getHost = (addr: string) => addr.replace(/\d+$/, "")
    assert.is(getHost(server.addr), getHost(app.addr))
    await Promise.all([server.shutdown(), app.shutdown()])
  })
}
test("app.listen(): routes and middleware cannot be registered afterwards", async () => {
  const app = quiet()
  await app.listen("127.0.0.1:0")
  assert.throws(() => app.get("/", (c) => c.noContent()), isCode("sealed"))
  assert.throws(() => app.use((next) => next), isCode("use_late"))
  await app.shutdown()
})
test("app.addr has the real port while the app listens on port 0, and is empty before and afterwards", async () => {
  const app = quiet()
  assert.is(app.addr, "")
  await app.listen("127.0.0.1:0")
  assert.match(app.addr, /^127\.0\.0\.1:[1-9]\d*$/)
  await app.shutdown()
  assert.is(app.addr, "")
})
test("app.listen() without an address listens on the port in PORT, and refuses a PORT that is not a port", async () => {
  const app = quiet()
  process.env.PORT = "0"
  await app.listen()
  process.env.PORT = "none"
  assert.ok(getPort(app) > 0)
  assert.ok(isCode("address")(await failure(quiet().listen())))
  delete process.env.PORT
  await app.shutdown()
})

/** Returns an app with one running request, and a function that ends the request. */
async function busy() {
  const app = quiet()
  let finish = () => {}
  const arrived = new Promise<void>((resolve) => {
    app.get("/slow", async (c) => {
      resolve()
      await new Promise<void>((done) => {
        finish = done
      })
      return c.string(200, "done")
    })
  })
  await app.listen("127.0.0.1:0")
  const answer = sendTo(getPort(app), "/slow").then(({ body, broken }) => (broken ? "cut off" : body))
  await arrived
  return { app, answer, finish: () => finish() }
}
test("app.shutdown() waits for requests that are being answered", async () => {
  const { app, answer, finish } = await busy()
  const port = getPort(app)
  const stopped = app.shutdown(AbortSignal.timeout(5000))
  finish()
  assert.is(await answer, "done")
  await stopped
  assert.is((await sendTo(port, "/slow")).broken, true)
})
test("app.shutdown() rejects with the signal's reason when the signal aborts", async () => {
  const { app, answer } = await busy()
  const reason = new Error("enough")
  assert.is(await failure(app.shutdown(AbortSignal.abort(reason))), reason)
  assert.is(await answer, "cut off")
  assert.is(app.addr, "")
})
test("app.shutdown() does nothing if the app does not listen", async () =>
  assert.is(await quiet().shutdown(), undefined))

test("app.fetch() can be called without the app as this, and app.request() answers a path and a URL", async () => {
  const app = quiet()
  app.get("/", (c) => c.json(200, 1))
  const { fetch } = app
  const response = await fetch(new Request("http://x/"))
  assert.instance(response, Response)
  assert.is(await (await app.request("/")).json(), 1)
  const head = await app.request(new URL("http://y/"), { method: "HEAD" })
  assert.is(head.body, null)
  assert.is(head.headers.get("content-type"), "application/json")
})
test("app.fetch(): HEAD succeeds although the body cannot be cancelled", async () => {
  const app = quiet()
  app.get("/", () => new Response(new ReadableStream({ cancel: () => Promise.reject(new Error("no")) })))
  assert.is((await app.request("/", { method: "HEAD" })).status, 200)
})

for (const [what, proxyFile] of [
  ["exports no proxy", {}],
  ["has a matcher that cannot be read", { Proxy: () => proxy.continue() }],
] as const) {
  test(`app.mount(): if the proxy file ${what}, no route is mounted without its guard`, async () => {
    const app = quiet()
    const route = { pattern: "/open", method: "GET", file: "route.ts", export: "Get", middleware: [] }
    const tree = {
      appDir: "app",
      routes: [route],
      middleware: [],
      pages: [],
      layouts: [],
      proxy: { file: "proxy.ts", matchers: ["no slash"], excludes: [] },
    }
    const modules = { "route.ts": { Get: (c: Context) => c.noContent() }, "proxy.ts": proxyFile }
    assert.instance(await failure(app.mount({ tree, modules } as never)), FwError)
    assert.is((await app.request("/open")).status, 404)
  })
}

const starts = {
  "app.listen()": async (app: App) => {
    await app.listen("127.0.0.1:0")
    return { addr: app.addr, shutdown: (signal?: AbortSignal) => app.shutdown(signal) }
  },
  "serve()": (app: App) => serve(app, "127.0.0.1:0"),
}
for (const [how, start] of Object.entries(starts)) {
  test(`app.onShutdown(): ${how} calls the functions after requests and background work, the last one first`, async () => {
    const app = quiet()
    const steps: string[] = []
    const [working, worked] = [defer(), defer()]
    app.onShutdown(async () => {
      await new Promise(setImmediate)
      steps.push("opened first")
    })
    app.onShutdown(() => steps.push("opened last"))
    app.get("/", async (c) => {
      working.resolve()
      await worked.promise
      c.waitUntil(new Promise(setImmediate).then(() => steps.push("background work")))
      steps.push("request")
      return c.string(200, "done")
    })
    const server = await start(app)
    const answer = fetch(`http://${server.addr}/`)
    await working.promise
    const stopped = server.shutdown()
    worked.resolve()
    assert.is(await (await answer).text(), "done")
    await stopped
    assert.equal(steps, ["request", "background work", "opened last", "opened first"])
  })

  test(`app.onShutdown(): ${how} calls the functions, but does not wait for them, when the time for requests is over`, async () => {
    const app = quiet()
    const called = defer()
    const [working, reason] = [defer(), new Error("enough")]
    app.onShutdown(() => {
      called.resolve()
      return new Promise(() => {})
    })
    app.get("/", () => {
      working.resolve()
      return new Promise<never>(() => {})
    })
    const server = await start(app)
    const answer = failure(fetch(`http://${server.addr}/`))
    await working.promise
    const cut = new AbortController()
    const stopped = failure(server.shutdown(cut.signal))
    cut.abort(reason)
    assert.is(await stopped, reason)
    await called.promise
    assert.instance(await answer, Error)
  })

  test(`app.onShutdown(): ${how} does not wait for a function longer than the signal`, async () => {
    const app = quiet()
    const [cut, reason] = [new AbortController(), new Error("enough")]
    app.onShutdown(() => {
      cut.abort(reason)
      return new Promise(() => {})
    })
    const server = await start(app)
    assert.is(await failure(server.shutdown(cut.signal)), reason)
  })
}
test("app.onShutdown(): of several servers, the last one to stop calls the functions", async () => {
  const app = quiet()
  const called: string[] = []
  app.onShutdown(() => called.push("close"))
  const servers = [await serve(app, "127.0.0.1:0"), await serve(app, "127.0.0.1:0")]
  await app.shutdown()
  for (const server of servers) {
    assert.equal(called, [])
    await server.shutdown()
  }
  assert.equal(called, ["close"])
})
test("app.onShutdown(): simultaneous calls of shutdown() run the functions once, and again after a later start", async () => {
  const app = quiet()
  let count = 0
  app.onShutdown(async () => {
    await new Promise(setImmediate)
    count += 1
  })
  for (const expected of [1, 2]) {
    await app.listen("127.0.0.1:0")
    await Promise.all([app.shutdown(), app.shutdown()])
    assert.is(count, expected)
  }
  await Promise.all([app.shutdown(), app.shutdown()])
  assert.is(
    count,
    3,
    "shutdown() of an app that does not listen, such as one of nodeHandler(), did not call the function once",
  )
})
test("app.onShutdown(): a function that fails does not prevent the others from being called", async () => {
  const app = quiet()
  const called: string[] = []
  app.onShutdown(() => called.push("first"))
  app.onShutdown(() => Promise.reject(new Error("no connection")))
  await app.listen("127.0.0.1:0")
  const error = await failure(app.shutdown())
  assert.ok(isCode("on_shutdown")(error))
  assert.match(String(error), "a function of app.onShutdown() failed: no connection")
  assert.is(((error as FwError).cause as Error).message, "no connection")
  assert.equal(called, ["first"])
  app.onShutdown(() => {
    throw "text"
  })
  assert.match(String(await failure(app.shutdown())), "2 functions of app.onShutdown() failed: a string; no connection")
})

const late: Readonly<Record<string, (app: App) => unknown>> = {
  "get()": (app) => app.get("/x", (c) => c.noContent()),
  "router.mount()": (app) => app.router.mount("/x", () => new Response()),
  "static()": (app) => app.static("/x", "."),
  "notFound()": (app) => app.notFound((c) => c.noContent()),
  "onError()": (app) => app.onError((c) => c.noContent()),
  "mount()": (app) =>
    app.mount({ tree: { appDir: "app", routes: [], middleware: [], pages: [], layouts: [] }, modules: {} }),
}
for (const [call, run] of Object.entries(late)) {
  test(`registration: ${call} after the first request is refused`, async () => {
    const app = quiet()
    await app.request("/")
    assert.ok(isCode("sealed")(await failure((async () => run(app))())))
  })
}
const bad: Readonly<Record<string, readonly [code: string, run: (app: App) => unknown]>> = {
  "get() without a handler": ["handler", (app) => app.get("/", undefined as never)],
  "use() without a middleware": ["middleware", (app) => app.use(undefined as never)],
  "use() without a value": ["middleware", (app) => (app.use as () => void).call(app)],
  "use() with a second value that is not a middleware": ["middleware", (app) => app.use((next) => next, "x" as never)],
  "use() of a group with a second value that is not a middleware": [
    "middleware",
    (app) => app.group("/g", (g) => g.use((next) => next, {} as never)),
  ],
  "notFound() without a handler": ["handler", (app) => app.notFound(undefined as never)],
  "onError() without a function": ["handler", (app) => app.onError("x" as never)],
  "onShutdown() without a function": ["on_shutdown", (app) => app.onShutdown("x" as never)],
  "a group without a slash": ["pattern", (app) => app.group("x?", () => {})],
  "use() after a group's route": [
    "use_late",
    (app) =>
      app.group("/g", (g) => {
        g.get("/", (c) => c.noContent())
        g.use((next) => next)
      }),
  ],
  "use() after a nested group": [
    "use_late",
    (app) =>
      app.group("/g", (g) => {
        g.group("/h", () => {})
        g.use((next) => next)
      }),
  ],
}
test("use(): several middleware of one call run, the first outermost, also in groups", async () => {
  const seen: string[] = []
  const note =
    (name: string): MiddlewareFunc =>
    (next) =>
    (c) => {
      seen.push(name)
      return next(c)
    }
  const app = quiet()
  app.use(note("a"), note("b"))
  app.group("/g", (g) => {
    g.use(note("c"), note("d"))
    g.get("/", (c) => c.noContent())
  })
  assert.is((await app.request("/g")).status, 204)
  assert.equal(seen, ["a", "b", "c", "d"])
})

for (const [what, [code, run]] of Object.entries(bad)) {
  test(`registration: ${what} is refused at once`, () => assert.throws(() => run(quiet()), isCode(code)))
}
test("app.use(): a middleware that returns no handler fails at listen(), and every request gets 500", async () => {
  const app = quiet()
  app.use((() => undefined) as never)
  app.get("/", (c) => c.string(200, "passed"))
  assert.match(String(await failure(app.listen("127.0.0.1:0"))), /returned nothing, not a handler/)
  for (const _ of [1, 2]) assert.is((await app.request("/")).status, 500)
})
test("group.use(): a middleware that returns no handler fails when the group's first route is registered", () => {
  assert.throws(
    () =>
      quiet().group("/g", (g) => {
        g.use((() => 1) as never)
        g.get("/", (c) => c.noContent())
      }),
    /returned a number, not a handler/,
  )
})

test.run()
