/** Tests of `c.log` and `log`, with which a program writes its own lines. */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { test } from "uvu"
import * as assert from "uvu/assert"
import {
  App,
  type Context,
  type LogRecord,
  log,
  pinoLog,
  type RequestLoggerConfig,
  requestID,
} from "../../../lib/index.ts"
import { getProcessWriter, setProcessWriter } from "../../../lib/log/process-log.ts"
import type { LogMessage } from "../../../lib/log/record.ts"
import { testClient } from "../../../lib/testing.ts"

test.before.each(() => {
  delete process.env.FW_LOG_LEVEL
})

/** Runs a function in a request, and returns what it wrote. */
async function written(run: (c: Context) => void, config: RequestLoggerConfig = {}): Promise<string> {
  let text = ""
  const write = (chunk: string) => {
    text += chunk
  }
  const app = new App({ logger: { skipPaths: ["/*"], now: () => 1_700_000_000_000, write, ...config } })
  app.use(requestID({ trust: true }))
  app.get("/orders/{id}", (c) => {
    run(c)
    return c.noContent()
  })
  await app.request("/orders/7", { headers: { "x-request-id": "r-1" } })
  return text.replace(/^\[\d\d:/gm, "[hh:")
}
const parse = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as LogRecord)
const json = async (run: (c: Context) => void, config: RequestLoggerConfig = {}) =>
  parse(await written(run, { format: "json", ...config }))

const texts: ReadonlyArray<readonly [name: string, run: (c: Context) => void, text: string]> = [
  ["a message", (c) => c.log.info("order placed"), "[hh:13:20] info order placed\n"],
  [
    "fields",
    (c) => c.log.warn("low", { item: "green tea", left: 2, ids: [1, 2], none: null, unset: undefined }),
    '[hh:13:20] warn low item="green tea" left=2 ids=[1,2] none=null\n',
  ],
  ["an error with the id of its request", (c) => c.log.error("failed"), "[hh:13:20] error failed requestID=r-1\n"],
  [
    "a line break from a client, which begins no new line",
    (c) => c.log.info("a\n[12:00:00] b", { q: "x\u001b[2Jy" }),
    "[hh:13:20] info a\\u000a[12:00:00] b q=x\\u001b[2Jy\n",
  ],
  [
    "with()",
    (c) => c.log.with({ tenant: "blue" }).with({ shop: 2 }).info("hello", { n: 1 }),
    "[hh:13:20] info hello tenant=blue shop=2 n=1\n",
  ],
]
for (const [name, run, text] of texts) test(`c.log as text: ${name}`, async () => assert.is(await written(run), text))

test("c.log as text: an error is below its line, with its causes", async () => {
  const error = new Error("declined", { cause: new TypeError("no card") })
  const text = await written((c) => c.log.error("payment failed", { order: 7, error }))
  assert.match(text, /^\[hh:13:20\] error payment failed order=7 requestID=r-1\n {4}error: Error: declined\n {8}/)
  assert.match(text, /\n {6}caused by TypeError: no card\n/)
  assert.ok(text.split("\n").every((line, index) => index === 0 || line === "" || line.startsWith("    ")))
})

test("c.log as JSON: time, level, message, fields, and the request", async () => {
  assert.equal(await json((c) => c.log.info("order placed", { order: 7 })), [
    {
      time: "2023-11-14T22:13:20.000Z",
      level: "info",
      message: "order placed",
      order: 7,
      requestID: "r-1",
      pattern: "/orders/{id}",
    },
  ])
})

const cyclic: Record<string, unknown> = { name: "a" }
cyclic.self = cyclic
const deep = JSON.parse(`${'{"a":'.repeat(20)}1${"}".repeat(20)}`)
const values: ReadonlyArray<readonly [name: string, given: unknown, written: unknown]> = [
  ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
  ["a bigint", 7n, "7"],
  ["a number that JSON does not have", Number.NaN, "NaN"],
  ["a function", Math.max, String(Math.max)],
  ["a map", new Map([["a", 1]]), { a: 1 }],
  ["a set", new Set([1]), [1]],
  ["bytes", new Uint8Array(3), "(3 bytes)"],
  ["an object that contains itself", cyclic, { name: "a", self: "[circular]" }],
  [
    "a getter that throws",
    Object.defineProperty({}, "x", { enumerable: true, get: () => assert.unreachable() }),
    { x: "(a value that cannot be read)" },
  ],
  ["a toJSON that throws", { toJSON: () => assert.unreachable() }, "(a value that cannot be shown)"],
  ["a long list", Array.from({ length: 500 }, () => 1), Array.from({ length: 100 }, () => 1)],
]
for (const [name, given, expected] of values)
  test(`c.log: ${name} has a form in JSON`, async () =>
    assert.equal((await json((c) => c.log.info("m", { value: given })))[0]?.value, expected))

test("c.log: fields that are too deep and texts that are too long are cut", async () => {
  const [line] = await json((c) => c.log.info("m", { deep, text: "x".repeat(100_000) }))
  assert.ok(JSON.stringify(line).length < 10_000)
})

test("c.log: fields that are named as a part of the line do not replace it", async () => {
  const [line] = await json((c) => c.log.info("m", { level: "none", message: "x", time: 1 }))
  assert.equal([line?.level, line?.message, line?.level_, line?.message_, line?.time_], ["info", "m", "none", "x", 1])
})

test("c.log: secrets are hidden at every depth, in errors too, and by names that the program lists", async () => {
  const error = Object.assign(new Error("refused"), { authToken: "s3cret", code: "E1" })
  const [line] = await json(
    (c) =>
      c.log.with({ apiKey: "s3cret" }).info("m", {
        password: "s3cret",
        Authorization: "s3cret",
        "set-cookie": ["s3cret"],
        user: { access_token: "s3cret", name: "Ada", list: [{ clientSecret: "s3cret" }] },
        customerPIN: "s3cret",
        error,
        shown: "yes",
      }),
    { mask: ["pin"] },
  )
  assert.not.match(JSON.stringify(line), /s3cret/)
  assert.equal([line?.password, line?.customerPIN, line?.shown], ["[masked]", "[masked]", "yes"])
  assert.equal(line?.user, { access_token: "[masked]", name: "Ada", list: [{ clientSecret: "[masked]" }] })
  assert.match(String(line?.error), /code: "E1"/)
})

test("c.log: an error may take the place of the fields or of the message", async () => {
  const error = new Error("declined")
  const lines = await json((c) => {
    c.log.error("payment failed", error)
    c.log.error(error as never)
  })
  assert.equal(
    lines.map(({ message, error }) => [message, String(error).split("\n")[0]]),
    [
      ["payment failed", "Error: declined"],
      ["declined", "Error: declined"],
    ],
  )
})

const levels: ReadonlyArray<readonly [env: Record<string, string>, config: RequestLoggerConfig, written: string]> = [
  [{}, {}, "info warn error"],
  [{ FW_LOG_LEVEL: "debug" }, {}, "debug info warn error"],
  [{ FW_LOG_LEVEL: "error" }, { level: "debug" }, "error"],
  [{ FW_LOG_LEVEL: "off" }, {}, ""],
  [{ FW_DEV: "true" }, {}, "debug info warn error"],
  // In production, requests are not logged, but the lines of the program are.
  [{ NODE_ENV: "production" }, {}, "info warn error"],
  [{ NODE_ENV: "production" }, { level: "warn" }, "warn error"],
]
for (const [env, config, expected] of levels) {
  test(`c.log: ${JSON.stringify({ ...env, ...config })} writes ${expected || "nothing"}`, async () => {
    Object.assign(process.env, env)
    try {
      const text = await written((c) => {
        for (const level of ["debug", "info", "warn", "error"] as const) c.log[level]("m")
      }, config)
      assert.is([...text.matchAll(/\] (\w+) m/g)].map(([, level]) => level).join(" "), expected)
    } finally {
      for (const name of Object.keys(env)) delete process.env[name]
    }
  })
}

test("log: a line outside of a request contains no request", () => {
  const before = getProcessWriter({ get: () => undefined, vars: {}, loadURLPattern: () => Promise.reject() })
  const lines: LogRecord[] = []
  setProcessWriter({ minRank: 1, secretNames: [], now: () => 0, write: (record) => void lines.push(record) }, true)
  log.with({ job: "import" }).info("begins", { files: 3 })
  log.debug("unseen")
  setProcessWriter(before, true)
  assert.equal(lines, [{ time: "1970-01-01T00:00:00.000Z", level: "info", message: "begins", job: "import", files: 3 }])
})

test("pinoLog(): the lines of the program and of requests go to pino, at their levels", async () => {
  const seen: unknown[] = []
  const at = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void seen.push([level, message, fields.order ?? fields.status])
  const pino = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") }
  const before = getProcessWriter({ get: () => undefined, vars: {}, loadURLPattern: () => Promise.reject() })
  const app = new App({ logger: { sink: pinoLog(pino) } })
  setProcessWriter(before, true)
  app.get("/", (c) => {
    c.log.warn("order placed", { order: 7 })
    return c.noContent()
  })
  await app.request("/")
  await app.request("/none")
  assert.equal(seen, [
    ["warn", "order placed", 7],
    ["info", "GET / 204", 204],
    ["warn", "GET /none 404", 404],
  ])
})

test("testClient(): client.lines has the lines of its requests, of every level, also of mounted apps", async () => {
  process.env.FW_LOG_LEVEL = "off"
  const inner = new App()
  inner.get("/", (c) => {
    c.log.debug("inner")
    return c.noContent()
  })
  const app = new App()
  app.get("/", (c) => {
    c.log.debug("outer", { n: 1 })
    return c.noContent()
  })
  app.mountHandler("/inner", inner.fetch)
  const client = testClient(app)
  await client.request("/")
  await client.request("/inner")
  await testClient(app).request("/")
  assert.equal(
    client.lines.map(({ level, message, n, pattern }) => [level, message, n, pattern]),
    [
      ["debug", "outer", 1, "/"],
      ["debug", "inner", undefined, "/"],
    ],
  )
})

test("fw:log: a subscriber sees the lines of the program and of requests, and may add fields", async () => {
  const seen: LogMessage[] = []
  const listener = (message: unknown) => {
    const { record } = message as LogMessage
    record.trace_id = "abc"
    seen.push(message as LogMessage)
  }
  subscribe("fw:log", listener)
  const lines = await json((c) => c.log.info("m"), { skipPaths: [] })
  const text = await written((c) => c.log.info("m"), { skipPaths: [] })
  unsubscribe("fw:log", listener)
  assert.equal(
    lines.map(({ trace_id }) => trace_id),
    ["abc", "abc"],
  )
  assert.not.match(text, /abc/)
  assert.equal(
    seen.map(({ record, c }) => [record.message, (c as Context | undefined)?.path]),
    [
      ["m", "/orders/7"],
      ["GET /orders/7 204", "/orders/7"],
      ["m", "/orders/7"],
      ["GET /orders/7 204", "/orders/7"],
    ],
  )
})

test("RequestLoggerConfig mask: anything but names is refused", () =>
  assert.throws(() => new App({ logger: { mask: [7] as never } }), /mask/))

test.run()
