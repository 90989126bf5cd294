/**
 * Tests of what middleware of a program can do with a response: read it, replace it, add a signal, and name its
 * route. Each runs with `app.fetch` and on Node.
 */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import {
  App,
  type Context,
  type MiddlewareFunc,
  peekResponse,
  type ResponseChanges,
  replaceResponse,
} from "../../../lib/index.ts"
import { root } from "../../support/tsc.ts"

/** The parts of a response that a client sees. */
interface Seen {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** Requests an app behind a middleware with `app.fetch` and over a socket, and returns both answers. */
async function ask(setUp: (app: App) => void, path = "/"): Promise<Seen[]> {
  const make = () => {
    const app = new App({ logger: false })
    setUp(app)
    return app
  }
  const readAnswer = async (answer: Response): Promise<Seen> => ({
    status: answer.status,
    headers: answer.headers,
    body: await answer.text(),
  })
  const fetched = await readAnswer(await make().request(path))
  const served = make()
  await served.listen("127.0.0.1:0")
  const sent = await readAnswer(await fetch(`http://${served.addr}${path}`, { headers: { connection: "close" } }))
  await served.shutdown()
  return [fetched, sent]
}

const stream = (text: string, onCancel = () => {}) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
    cancel: onCancel,
  })

const bodies: ReadonlyArray<
  readonly [what: string, answer: (c: Context) => Response, content: unknown, size: number | null]
> = [
  ["text", (c) => c.string(200, "añb"), "añb", 4],
  ["JSON", (c) => c.json(200, [1]), "[1]", 3],
  ["bytes", (c) => c.blob(200, "image/png", Uint8Array.of(1, 2)), Uint8Array.of(1, 2), 2],
  ["no body", (c) => c.noContent(), null, 0],
  ["a stream", (c) => c.stream(200, stream("a")), null, null],
  ["a Response of the program", () => new Response(stream("a")), null, null],
]
for (const [what, answer, content, size] of bodies) {
  test(`peekResponse() shows status, headers and body of ${what}`, async () => {
    const seen: unknown[] = []
    await ask((app) => {
      app.use((next) => async (c) => {
        c.setHeader("X-Early", "1")
        const response = await next(c)
        c.setHeader("X-Late", "1")
        const peek = peekResponse(c, response)
        seen.push([peek.content, peek.size, peek.header("X-Early"), peek.header("x-late"), peek.header("X-None")])
        return response
      })
      app.get("/", answer)
    })
    const expected = [content, size, "1", "", ""]
    assert.equal(seen, [expected, expected])
  })
}

const noBody = { status: 304, body: null, remove: ["Content-Type"] }
const replaced: ReadonlyArray<
  readonly [
    what: string,
    changes: ResponseChanges,
    status: number,
    body: string,
    headers: Record<string, string | null>,
  ]
> = [
  ["nothing", {}, 200, "hello", { "content-type": "text/plain; charset=utf-8", "x-set": "early", "x-late": "1" }],
  ["the status", { status: 202 }, 202, "hello", { "x-set": "early" }],
  ["a header", { headers: { "X-Set": "new" } }, 200, "hello", { "x-set": "new" }],
  ["a header that was set late", { headers: { "X-Late": "2" } }, 200, "hello", { "x-late": "2" }],
  ["two headers, which it removes", { remove: ["X-Set", "x-late"] }, 200, "hello", { "x-set": null, "x-late": null }],
  ["the body to a text", { body: "bye", remove: ["content-length"] }, 200, "bye", {}],
  ["the body to null", noBody, 304, "", { "content-type": null, "x-set": "early" }],
  ["the status to one without a body", { status: 204 }, 204, "", {}],
  [
    "the body to a stream made from it",
    {
      body: (body) =>
        body?.pipeThrough(new CompressionStream("gzip")).pipeThrough(new DecompressionStream("gzip")) ?? null,
    },
    200,
    "hello",
    {},
  ],
]
for (const [what, changes, status, body, headers] of replaced) {
  for (const [kind, answer] of [
    ["an answer of the context", (c: Context) => c.string(200, "hello")],
    [
      "a Response of the program",
      () => new Response("hello", { headers: { "content-type": "text/plain; charset=utf-8" } }),
    ],
  ] as const) {
    test(`replaceResponse() of ${kind} changes ${what}`, async () => {
      const all = await ask((app) => {
        // With two more middlewares around it, removed headers must not come back, and cookies must not be doubled.
        app.use((next) => async (c) => {
          const response = await next(c)
          c.appendHeader("Vary", "Origin")
          return response
        })
        app.use((next) => async (c) => {
          c.setHeader("X-Set", "early")
          c.setCookie({ name: "a", value: "b" })
          const response = await next(c)
          c.setHeader("X-Late", "1")
          return replaceResponse(c, response, changes)
        })
        app.get("/", answer)
      })
      for (const seen of all) {
        assert.is(seen.status, status)
        assert.is(seen.body, body)
        assert.is(seen.headers.get("vary"), "Origin")
        assert.is(seen.headers.getSetCookie().length, 1)
        for (const [name, value] of Object.entries(headers)) assert.is(seen.headers.get(name), value, name)
      }
    })
  }
}

test("replaceResponse() cancels the old body only if nothing reads it", async () => {
  const cancelled: string[] = []
  for (const changes of [{ body: "x" }, { status: 204 }, { status: 202 }, { body: (body: unknown) => body as null }])
    await ask((app) => {
      app.use((next) => async (c) => replaceResponse(c, await next(c), changes))
      app.get("/", (c) =>
        c.stream(
          200,
          stream("a", () => cancelled.push(JSON.stringify(changes))),
        ),
      )
    })
  const twice = (changes: object) => [JSON.stringify(changes), JSON.stringify(changes)]
  assert.equal(cancelled, [...twice({ body: "x" }), ...twice({ status: 204 })])
})

test("replaceResponse() refuses an unknown field, a status and a header that cannot be sent", async () => {
  const app = new App({ logger: false })
  app.get("/", async (c) => {
    const refuses = (changes: object, kind: typeof TypeError | typeof RangeError) =>
      assert.throws(
        () => replaceResponse(c, c.string(200, "a"), changes),
        (error: unknown) => error instanceof kind,
      )
    refuses({ header: {} }, TypeError)
    refuses({ headers: { "a b": "c" } }, TypeError)
    refuses({ status: 99 }, RangeError)
    return c.noContent()
  })
  assert.is((await app.request("/")).status, 204)
})

test("c.addSignal() lets another signal abort c.signal, and keeps earlier ones", async () => {
  for (const first of [true, false]) {
    const [one, other] = [new AbortController(), new AbortController()]
    const app = new App({ logger: false })
    app.get("/", (c) => {
      c.addSignal(one.signal)
      c.addSignal(other.signal)
      assert.not(c.signal.aborted)
      const reason = new Error("too late")
      ;(first ? one : other).abort(reason)
      assert.is(c.signal.reason, reason)
      assert.throws(
        () => c.addSignal({} as AbortSignal),
        (error: unknown) => error instanceof TypeError,
      )
      return c.noContent()
    })
    assert.is((await app.request("/")).status, 204)
  }
})

test("c.pattern and c.originalPath return the pattern of the route and the requested path", async () => {
  const seen: string[] = []
  const note: MiddlewareFunc = (next) => async (c) => {
    const response = await next(c)
    seen.push(`${c.originalPath} ${c.path} ${c.pattern}`)
    return response
  }
  const inner = new App({ logger: false })
  inner.use(note)
  inner.get("/users/{id}", (c) => c.noContent())
  const app = new App({ logger: false })
  app.use(note)
  app.setProxy(async (c) =>
    (await import("../../../lib/index.ts")).proxy[c.path === "/old" ? "rewrite" : "continue"]("/in/users/7"),
  )
  app.router.mount("/in", inner.fetch)
  await app.request("/old")
  await app.request("/none")
  assert.equal(seen, ["/old /users/7 /users/{id}", "/old /in/users/7 /in/*", "/none /none "])
})

test("the app does not report a bug that is in c.reported", async () => {
  for (const reported of [false, true]) {
    const source = `import { App } from "fw"
      const app = new App({ logger: false })
      app.use((next) => async (c) => {
        const response = await next(c)
        c.reported = ${reported}
        return response
      })
      app.get("/", () => { throw new Error("a bug") })
      await app.request("/")`
    const args = [...process.execArgv, "--input-type=module", "-e", source]
    const { stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8", env: {} })
    assert.is(stderr.includes("a bug"), !reported, stderr)
  }
})

test("built-in middleware uses only the public interface of the context", () => {
  const folder = join(root, "lib/middleware")
  for (const name of readdirSync(folder))
    assert.not.match(readFileSync(join(folder, name), "utf8"), /context-access/, name)
})

test.run()
