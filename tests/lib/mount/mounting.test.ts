/** Tests of data that an app gets from another app with `router.mount()`, and from a host with `app.fetch()`. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { serve as serveNode } from "../../../adapters/node.ts"
import { serve as serveWorker } from "../../../adapters/workers.ts"
import { App, type Context, HttpError, rateLimit, recover, timeout } from "../../../lib/index.ts"
import type { HandlerContext, RequestHandler } from "../../../lib/types.ts"

process.env.FW_LOG_LEVEL ??= "off"

const tell = (c: Context) => c.json(200, { ip: c.clientIP, key: c.env.KEY ?? null, origin: c.origin, path: c.path })

interface Told {
  readonly ip: string
  readonly key: unknown
}
const told = async (answer: Response) => (await answer.json()) as Told

function quiet(fill: (app: App) => void): App {
  const app = new App({ logger: false })
  fill(app)
  return app
}

const telling = () => quiet((app) => app.get("/tell", tell))

/** Ways to pass the `fetch` of another app. */
const forms: Readonly<Record<string, (app: App) => RequestHandler>> = {
  "app.fetch": (app) => app.fetch,
  "app.fetch bound to the app": (app) => app.fetch.bind(app),
  "a function that passes only the request on": (app) => (request) => app.fetch(request),
  "a function that passes all arguments on": (app) => (request, env, context) => app.fetch(request, env, context),
  "an app in between": (app) => quiet((middle) => middle.router.mount("/", app.fetch)).fetch,
  "an app in between, by mountHandler()": (app) => quiet((middle) => middle.mountHandler("/", app.fetch)).fetch,
}
for (const [name, form] of Object.entries(forms)) {
  test(`mounted as ${name}, an app gets client, bindings and origin of the outer app`, async () => {
    const outer = quiet((app) => app.router.mount("/in", form(telling())))
    const around = { clientIP: "203.0.113.7", env: { KEY: "k" } }
    const request = new Request("https://shop.example/in/tell")
    assert.equal(await (await outer.fetch(request, around)).json(), {
      ip: "203.0.113.7",
      key: "k",
      origin: "https://shop.example",
      path: "/tell",
    })
  })

  test(`mounted as ${name}, an app can wait for background work`, async () => {
    const waiting: Promise<unknown>[] = []
    const inner = quiet((app) =>
      app.get("/", (c) => {
        c.waitUntil(Promise.resolve("done"))
        return c.noContent()
      }),
    )
    const outer = quiet((app) => app.router.mount("/in", form(inner)))
    await outer.fetch(new Request("http://h/in"), { waitUntil: (promise) => waiting.push(promise) })
    assert.equal(await Promise.all(waiting), ["done"])
  })

  test(`mounted as ${name}, an app leaves its log lines and bugs to the outer app`, async () => {
    const level = process.env.FW_LOG_LEVEL
    delete process.env.FW_LOG_LEVEL
    const logged: unknown[] = []
    const logger = (who: string) => ({
      write: (line: string) => logged.push(`${who} ${line}`),
      format: "json" as const,
    })
    const inner = new App({ logger: logger("inner") })
    inner.get("/bug", () => {
      throw new Error("a bug on purpose")
    })
    const outer = new App({ logger: logger("outer") })
    outer.router.mount("/in", form(inner))
    const answer = await outer.request("/in/bug")
    assert.is(answer.status, 500)
    // A body of unknown length is logged when it has been sent.
    await answer.text()
    process.env.FW_LOG_LEVEL = level
    assert.is(logged.length, 1, logged.join("\n"))
    assert.match(String(logged[0]), /^outer .*\/in\/bug.*a bug on purpose/s)
  })
}

test("client and bindings that a wrapper passes win over those of the outer app", async () => {
  const inner = telling()
  const outer = quiet((app) =>
    app.router.mount("/in", (request) => inner.fetch(request, { clientIP: "198.51.100.1", env: { KEY: "other" } })),
  )
  const seen = await told(await outer.request("/in/tell", {}, { env: { KEY: "k" } }))
  assert.equal([seen.ip, seen.key], ["198.51.100.1", "other"])
})

test("a mounted handler of another framework gets bindings and a context, as in a worker", async () => {
  const waiting: Promise<unknown>[] = []
  const outer = quiet((app) =>
    app.router.mount("/in", (request: Request, env, context: HandlerContext) => {
      context.waitUntil(Promise.resolve(1))
      context.passThroughOnException()
      return Response.json([new URL(request.url).pathname, env.KEY, context.clientIP])
    }),
  )
  const around = {
    clientIP: "203.0.113.7",
    env: { KEY: "k" },
    waitUntil: (p: Promise<unknown>) => waiting.push(p),
  }
  assert.equal(await (await outer.fetch(new Request("http://h/in/x"), around)).json(), ["/x", "k", "203.0.113.7"])
  assert.is(waiting.length, 1)
})

test("a mounted app of another copy of fw gets bindings and a context too", async () => {
  const seen: unknown[] = []
  const copy: RequestHandler = (request, env, context) => {
    // To another copy of fw, this is a Request to which nothing is attached.
    return telling().fetch(new Request(request), env, context)
  }
  const outer = quiet((app) => app.router.mount("/in", copy))
  const answer = await outer.fetch(new Request("http://h/in/tell"), {
    clientIP: "203.0.113.7",
    env: { KEY: "k" },
  })
  seen.push(await answer.json())
  assert.equal(seen, [{ ip: "203.0.113.7", key: "k", origin: "http://h", path: "/tell" }])
})

test("on a server, a mounted app gets the connection's address", async () => {
  const outer = quiet((app) => app.router.mount("/in", telling().fetch))
  const server = await serveNode(outer, { host: "127.0.0.1", port: 0 })
  const answer = await fetch(`http://${server.addr}/in/tell`, { headers: { connection: "close" } })
  assert.is((await told(answer)).ip, "127.0.0.1")
  await server.shutdown()
})

test("shutdown() waits for background work of a mounted app, and ends its event streams", async () => {
  const done: string[] = []
  let finish = () => {}
  const inner = quiet((app) => {
    app.get("/later", (c) => {
      c.waitUntil(new Promise<void>((resolve) => (finish = resolve)).then(() => done.push("work")))
      return c.noContent()
    })
    app.get("/events", (c) =>
      c.sse(
        (events) =>
          new Promise((_, reject) => events.signal.addEventListener("abort", () => reject(events.signal.reason))),
      ),
    )
  })
  const outer = quiet((app) => app.router.mount("/in", inner.fetch))
  const server = await serveNode(outer, { host: "127.0.0.1", port: 0 })
  await fetch(`http://${server.addr}/in/later`, { headers: { connection: "close" } })
  const events = await fetch(`http://${server.addr}/in/events`)
  const stopped = server.shutdown().then(() => done.push("stopped"))
  assert.is(await events.text(), "")
  finish()
  await stopped
  assert.equal(done, ["work", "stopped"])
})

test("a timeout in the outer app aborts c.signal in the mounted app", async () => {
  const inner = quiet((app) =>
    app.get("/", async (c) => {
      await new Promise((resolve) => c.signal.addEventListener("abort", resolve))
      return c.string(200, "too late")
    }),
  )
  const outer = quiet((app) => {
    app.use(timeout(0.01))
    app.router.mount("/in", inner.fetch)
  })
  assert.is((await outer.request("/in")).status, 503)
})

test("the outer app sees the error of a mounted app in c.error, and recover() in the outer app handles it", async () => {
  const seen: unknown[] = []
  const inner = quiet((app) => {
    app.get("/bug", () => {
      throw new TypeError("on purpose")
    })
  })
  const outer = quiet((app) => {
    app.use(recover({ answer: (c) => c.string(500, "sorry") }))
    app.use((next) => async (c) => {
      const response = await next(c)
      seen.push(c.error)
      return response
    })
    app.router.mount("/in", inner.fetch)
  })
  assert.is(await (await outer.request("/in/bug")).text(), "sorry")
  assert.is((await outer.request("/in/none")).status, 404)
  assert.instance(seen[0], TypeError)
  assert.instance(seen[1], HttpError)
})

test("a mounted app reads the forwarded address from the position at which the outer app's trusted proxies end", async () => {
  const headers = { "x-forwarded-for": "203.0.113.9, 10.0.0.2" }
  const ask = async (outer: string[], inner: string[]) => {
    const app = new App({ logger: false, trustedProxies: inner })
    app.get("/tell", tell)
    const around = new App({ logger: false, trustedProxies: outer })
    around.router.mount("/in", app.fetch)
    const answer = await around.fetch(new Request("http://h/in/tell", { headers }), { clientIP: "10.0.0.1" })
    return (await told(answer)).ip
  }
  assert.is(await ask(["10.0.0.0/8"], []), "203.0.113.9")
  assert.is(await ask([], []), "10.0.0.1")
  assert.is(await ask([], ["10.0.0.1"]), "10.0.0.2")
  assert.is(await ask(["10.0.0.1"], ["10.0.0.2"]), "203.0.113.9")
})

test("rateLimit() in a mounted app counts each visitor separately", async () => {
  const inner = quiet((app) => {
    app.use(rateLimit({ limit: 1 }))
    app.get("/", (c) => c.noContent())
  })
  const outer = quiet((app) => app.router.mount("/in", inner.fetch))
  const statuses = []
  for (const clientIP of ["203.0.113.1", "203.0.113.2", "203.0.113.1"])
    statuses.push((await outer.request("/in", {}, { clientIP })).status)
  assert.equal(statuses, [204, 204, 429])
})

/** Tests the same on Workers, which pass their own arguments. */
test("in a worker, a mounted app gets bindings, client and waitUntil()", async () => {
  const waiting: Promise<unknown>[] = []
  const inner = quiet((app) =>
    app.get("/tell", (c) => {
      c.waitUntil(Promise.resolve())
      return tell(c)
    }),
  )
  const outer = quiet((app) => app.router.mount("/in", inner.fetch))
  const request = new Request("http://h/in/tell", { headers: { "cf-connecting-ip": "203.0.113.7" } })
  Object.assign(request, { cf: {} })
  const context = { waitUntil: (promise: Promise<unknown>) => void waiting.push(promise) }
  const seen = await told(await serveWorker(outer).fetch(request, { KEY: "k" }, context))
  assert.equal([seen.ip, seen.key, waiting.length], ["203.0.113.7", "k", 1])
})

const given: ReadonlyArray<readonly [what: string, given: unknown[], seen: readonly [ip: string, key: unknown]]> = [
  ["nothing", [], ["", null]],
  ["undefined", [undefined], ["", null]],
  ["client and bindings", [{ clientIP: "203.0.113.7", env: { KEY: "k" } }], ["203.0.113.7", "k"]],
  ["fields that are undefined", [{ clientIP: undefined, env: undefined, waitUntil: undefined }], ["", null]],
  ["bindings and a context, as a worker", [{ KEY: "k" }, { waitUntil() {} }], ["", "k"]],
  ["bindings and no context, as Hono on Node", [{ KEY: "k" }, undefined], ["", "k"]],
  ["a context that knows the client", [{ KEY: "k" }, { clientIP: "203.0.113.7" }], ["203.0.113.7", "k"]],
  [
    "the second argument of Deno.serve()",
    [{ remoteAddr: { hostname: "::1" }, completed: Promise.resolve() }],
    ["", null],
  ],
  ["the second argument of Next.js", [{ params: Promise.resolve({}) }], ["", null]],
  ["the arguments of map()", [0, [new Request("http://h/")]], ["", null]],
]
for (const [what, args, seen] of given) {
  test(`app.fetch() with ${what} has ${JSON.stringify(seen)} as client and binding`, async () => {
    const fetch = telling().fetch as (...args: unknown[]) => Promise<Response>
    const { ip, key } = await told(await fetch(new Request("http://h/tell"), ...args))
    assert.equal([ip, key], seen)
  })
}

const wrong: ReadonlyArray<readonly [given: object, message: RegExp]> = [
  [{ clientIP: 1 }, /takes a string for clientIP, not a number/],
  [{ clientIP: null }, /takes a string for clientIP, not null/],
  [{ env: "KEY=k" }, /takes an object for env, not a string/],
  [{ waitUntil: Promise.resolve() }, /takes a function for waitUntil, not a promise/],
  [{ clientIp: "203.0.113.7" }, /has no "clientIp".*\n.*Write clientIP\./],
  [{ waituntil() {} }, /has no "waituntil"/],
  // A Worker passes its bindings together with its context.
  [{ REGION: "eu" }, /second argument of app\.fetch\(\) has no "REGION"\n.*\{ env: \{ REGION: … \} \}/],
]
for (const [around, message] of wrong) {
  test(`app.fetch() refuses ${JSON.stringify(Object.keys(around)[0])} with a value of type ${typeof Object.values(around)[0]}`, async () => {
    const fetch = telling().fetch as (...args: unknown[]) => Promise<Response>
    try {
      await fetch(new Request("http://h/tell"), around)
      assert.unreachable()
    } catch (error) {
      assert.is((error as { code?: string }).code, "around")
      assert.match(String(error), message)
    }
  })
}

const wrongOfTests: ReadonlyArray<readonly [what: string, given: unknown[], message: RegExp]> = [
  [
    "bindings, as Hono has it",
    [{ REGION: "eu" }],
    /third argument of app\.request\(\) has no "REGION"\n.*\{ env: \{ REGION: … \} \}/,
  ],
  ["a binding with a name in small letters", [{ db: {} }], /has no "db"\n.*\{ env: \{ db: … \} \}/],
  ["a binding with an unusual name", [{ "my-kv": {} }], /\{ env: \{ "my-kv": … \} \}/],
  ["bindings next to env", [{ env: {}, REGION: "eu" }], /has no "REGION"/],
  ["a misspelled name", [{ clientIp: "::1" }], /has no "clientIp"\n.*Write clientIP\./],
  ["a context, as Hono has it", [{}, { waitUntil() {} }], /fourth argument\n.*waitUntil: /],
  ["a context and no bindings", [undefined, { waitUntil() {} }], /fourth argument/],
  ["a text", ["eu"], /is an object, not a string/],
  ["null", [null], /is an object, not null/],
]
for (const [what, given, message] of wrongOfTests) {
  test(`app.request() refuses ${what}`, async () => {
    const app = telling()
    const request = app.request.bind(app) as (...args: unknown[]) => Promise<Response>
    for (const [path, init] of [["/tell"], ["/tell", {}], ["/tell", { signal: new AbortController().signal }]]) {
      try {
        await request(path, init, ...given)
        assert.unreachable()
      } catch (error) {
        assert.is((error as { code?: string }).code, "around", String(error))
        assert.match(String(error), message)
      }
    }
  })
}

test("waitUntil() of a host is called with the host as this", async () => {
  class Host {
    readonly waiting: Promise<unknown>[] = []
    waitUntil(promise: Promise<unknown>): void {
      this.waiting.push(promise)
    }
  }
  const app = quiet((app) =>
    app.get("/", (c) => {
      c.waitUntil(Promise.resolve())
      return c.noContent()
    }),
  )
  const [one, two] = [new Host(), new Host()]
  await app.fetch(new Request("http://h/"), one)
  await app.fetch(new Request("http://h/"), {}, two)
  assert.equal([one.waiting.length, two.waiting.length], [1, 1])
})

test("app.request() has the client 127.0.0.1, unless another one is given", async () => {
  const app = telling()
  const ip = async (...more: [RequestInit?, { clientIP?: string }?]) =>
    (await told(await app.request("/tell", ...more))).ip
  assert.is(await ip(), "127.0.0.1")
  assert.is(await ip({}, {}), "127.0.0.1")
  assert.is(await ip({}, { clientIP: "203.0.113.7" }), "203.0.113.7")
  assert.is(await ip({}, { clientIP: "" }), "")
})

test("c.signal of a mounted app aborts even if nothing else of its request is in memory", async () => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const inner = new App({ logger: false })
  let isAborted = false
  inner.get("/", (c) => {
    c.signal.addEventListener("abort", () => {
      isAborted = true
    })
    return c.stream(200, new ReadableStream({ pull: (out) => out.enqueue(new Uint8Array(1)) }))
  })
  const outer = new App({ logger: false })
  outer.mountHandler("/in", inner.fetch)
  const client = new AbortController()
  const request = new Request("http://h/in", { signal: client.signal })
  const answer = await outer.fetch(request)
  for (let turn = 0; turn < 3; turn++) {
    // Weak references keep their objects alive until the current turn of the event loop ends.
    await new Promise(setImmediate)
    collect()
  }
  client.abort()
  assert.ok(request.signal.aborted && isAborted)
  await answer.body?.cancel()
})

test.run()
