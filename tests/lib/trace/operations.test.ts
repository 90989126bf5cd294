/**
 * Tests of the operations that a program publishes on the channels of node:diagnostics_channel, with one row for
 * each type.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { channel, subscribe, unsubscribe } from "node:diagnostics_channel"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { html } from "../../../lib/html.ts"
import {
  App,
  type Context,
  HttpError,
  type Operation,
  proxy,
  type RequestOperation,
  type StandardSchema,
} from "../../../lib/index.ts"
import { memoryStore } from "../../../lib/store/memory.ts"
import { countSteps } from "../../support/growth/steps.ts"

process.env.FW_LOG_LEVEL = "off"

const store = memoryStore()
const name: StandardSchema<{ name: string }> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => {
      const { name } = Object(value)
      return typeof name === "string" ? { value: { name } } : { issues: [{ message: "no name", path: ["name"] }] }
    },
  },
}
const inner = new App({ logger: false })
inner.get("/users/{id}", (c) => c.noContent())
inner.get("/", (c) => c.noContent())
const bug = new Error("a bug")
const refusal = new HttpError(409, "taken")

function createApp(): App {
  const app = new App({ logger: false })
  app.use(function outermost(next) {
    return (c) => next(c)
  })
  app.setProxy(async (c) => (c.path === "/closed" ? new HttpError(403, "closed") : proxy.continue()), {
    matchers: ["/{any}"],
  })
  app.get("/text", (c) => c.string(200, "héllo"))
  app.get("/refused", () => refusal)
  app.get("/thrown", async () => Promise.reject(bug))
  app.post("/body", async (c) => c.json(200, await c.bind(name)))
  app.get("/query", async (c) => c.json(200, await c.bindQuery(name)))
  app.get("/store", async (c) => {
    await store.kv.set("session:secret", 1)
    return c.json(200, await store.kv.get("plain"))
  })
  app.get("/span", async (c) => c.json(200, [c.span("sync", () => 1), await c.span("async", async () => 2)]))
  app.get("/span/thrown", (c) =>
    c.span("fails", () => {
      throw bug
    }),
  )
  app.get("/page", (c) => c.page(200, "Title", html`<p>Hello</p>`))
  app.get("/stream", (c) =>
    c.stream(
      200,
      (async function* () {
        yield "one"
        yield "two"
      })(),
      "text/plain",
    ),
  )
  app.mountHandler("/inner", inner.fetch)
  return app
}

/** Runs a function, and returns the operations of a type that ended meanwhile. */
async function listen<Message = Operation>(channel: string, run: () => unknown): Promise<Message[]> {
  const seen: Message[] = []
  const listener = (message: unknown) => void seen.push(message as Message)
  subscribe(channel, listener)
  await run()
  unsubscribe(channel, listener)
  return seen
}

const send = async (path: string, init?: RequestInit) => (await createApp().request(path, init)).text()
const post = (data: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(data),
})

type Row = readonly [
  kind: string,
  path: string,
  init: RequestInit | undefined,
  ended: readonly (readonly [name: string, error: unknown])[],
]
const rows: readonly Row[] = [
  ["middleware", "/text", undefined, [["outermost", undefined]]],
  ["handler", "/text", undefined, [['get("/text")', undefined]]],
  ["handler", "/refused", undefined, [['get("/refused")', refusal]]],
  ["handler", "/thrown", undefined, [['get("/thrown")', bug]]],
  ["proxy", "/text", undefined, [["proxy", undefined]]],
  ["validation", "/body", post({ name: "Ada" }), [["body", undefined]]],
  ["validation", "/query?name=Ada", undefined, [["query", undefined]]],
  [
    "store",
    "/store",
    undefined,
    [
      ["kv.set", undefined],
      ["kv.get", undefined],
    ],
  ],
  [
    "span",
    "/span",
    undefined,
    [
      ["sync", undefined],
      ["async", undefined],
    ],
  ],
  ["span", "/span/thrown", undefined, [["fails", bug]]],
  ["render", "/page", undefined, [["c.page()", undefined]]],
]
for (const [kind, path, init, ended] of rows) {
  test(`fw:${kind}: ${path} publishes ${ended.map(([name]) => name).join(", ")}`, async () => {
    const started: Operation[] = []
    const onStart = (message: unknown) => void started.push(message as Operation)
    subscribe(`fw:${kind}:start`, onStart)
    const seen = await listen(`fw:${kind}:end`, () => send(path, init))
    unsubscribe(`fw:${kind}:start`, onStart)
    assert.equal(
      seen.map(({ name, error }) => [name, error]),
      ended,
    )
    assert.equal(
      seen.map(
        (operation) => started.includes(operation) && operation.kind === kind && operation.end >= operation.start,
      ),
      ended.map(() => true),
    )
  })
}

test("fw:proxy: an HttpError that the proxy returns is published as the error", async () => {
  const [operation] = await listen("fw:proxy:end", () => send("/closed"))
  assert.is((operation as { error: HttpError } | undefined)?.error.status, 403)
})

test("fw:validation: the schema's issues are published, but no values", async () => {
  const [operation] = await listen("fw:validation:end", () => send("/body", post({ secret: "x" })))
  assert.equal(operation?.issues, [{ message: "no name", path: ["name"] }])
  assert.equal(operation?.attributes, {})
})

test("fw:store: the engine is published, and only the part of a key before its first colon", async () => {
  const seen = await listen("fw:store:end", () => send("/store"))
  assert.equal(
    seen.map(({ attributes }) => attributes),
    [
      { "db.system.name": "memory", "db.operation.name": "kv.set", "fw.store.prefix": "session" },
      { "db.system.name": "memory", "db.operation.name": "kv.get", "fw.store.prefix": "" },
    ],
  )
})

const answers: ReadonlyArray<readonly [path: string, name: string, status: number, type: string]> = [
  ["/text", "GET /text", 200, "text/plain; charset=utf-8"],
  ["/none", "GET", 404, "application/json"],
  ["/inner/users/7", "GET /inner/users/{id}", 204, ""],
  ["/inner", "GET /inner", 204, ""],
  ["/thrown", "GET /thrown", 500, "application/json"],
]
for (const [path, name, status, type] of answers) {
  test(`fw:request: ${path} is published once, as ${name}`, async () => {
    const [operation, ...more] = await listen<RequestOperation>("fw:request:end", () => send(path))
    assert.is(more.length, 0)
    assert.equal([operation?.name, operation?.status, operation?.type.startsWith(type)], [name, status, true])
  })
}

test("fw:request:sent: a stream counts as sent when it has been read to its end or cancelled", async () => {
  for (const finish of [(answer: Response) => answer.text(), (answer: Response) => answer.body?.cancel()]) {
    const order: string[] = []
    const seen = await listen<RequestOperation>("fw:request:sent", async () => {
      const [{ end, sent } = { end: 0, sent: -1 }] = await listen<RequestOperation>("fw:request:end", async () => {
        const answer = await createApp().request("/stream")
        order.push("answered")
        await finish(answer)
      })
      assert.ok(sent >= end && end > 0)
    })
    assert.is(seen.length, 1)
  }
})

test("a store that is bound to fw:request:start is set in all code that the request runs", async () => {
  const storage = new AsyncLocalStorage<string>()
  const started = channel("fw:request:start")
  started.bindStore(storage, (message) => (message as RequestOperation).c.path)
  const seen: (string | undefined)[] = []
  const listener = () => void seen.push(storage.getStore())
  subscribe("fw:store:end", listener)
  await send("/store")
  unsubscribe("fw:store:end", listener)
  started.unbindStore(storage)
  assert.equal(seen, ["/store", "/store"])
})

test("no operation is created while nobody subscribes", async () => {
  const app = createApp()
  const { now } = performance
  let made = 0
  // Each operation reads the clock when it is created, and without a logger nothing else reads it.
  performance.now = () => {
    made += 1
    return now.call(performance)
  }
  const paths = ["/text", "/refused", "/query?name=Ada", "/store", "/span", "/page", "/stream", "/inner/users/7"]
  const sendAll = async () => {
    for (const path of paths) await (await app.request(path)).text()
  }
  try {
    await sendAll()
    assert.is(made, 0)
    const seen = await listen("fw:span:end", sendAll)
    assert.is(made, 2 * seen.length)
    assert.is(seen.length, 2)
  } finally {
    performance.now = now
  }
})

test("a span allocates nothing while nobody subscribes", async () => {
  const app = new App({ logger: false })
  let found: Context | undefined
  app.get("/", (c) => {
    found = c
    return c.noContent()
  })
  await app.request("/")
  const c = found as Context
  const run = () => 1
  const repeat = () => {
    for (let i = 0; i < 20_000; i++) c.span("part", run)
  }
  repeat()
  // V8 allocates memory for itself in some of the counts only. Memory of a span would be in all of them.
  const counts: number[] = []
  for (let i = 0; i < 3; i++) counts.push((await countSteps(repeat)).bytes)
  const quiet = Math.min(...counts)
  let watched = 0
  await listen("fw:span:end", async () => {
    watched = (await countSteps(repeat)).bytes
  })
  // Counting itself needs some kilobytes, and 20,000 objects need more than one million bytes.
  assert.ok(quiet < 100_000, `${quiet} bytes were allocated without a subscriber`)
  assert.ok(watched > 1_000_000, `only ${watched} bytes were allocated with a subscriber`)
})

test.run()
