/**
 * Tests of what telemetry sends about requests: spans, metrics and log lines, named as the semantic conventions
 * say.
 */
import { once } from "node:events"
import { request as sendRequest } from "node:http"
import { connect } from "node:net"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { WebSocket } from "ws"
import { createJobs, testJobs } from "../../../../adapters/jobs.ts"
import { telemetry } from "../../../../adapters/otel.ts"
import { html } from "../../../../lib/html.ts"
import { App, bodyLimit, HttpError, proxy, requestID, type StandardSchema, timeout } from "../../../../lib/index.ts"
import { memoryStore } from "../../../../lib/store/memory.ts"
import { findFreePort } from "../../../support/free-port.ts"
import { toJobRoutes } from "../../../support/jobs/workshop.ts"
import { type ReceivedSpan, startCollector, type Values } from "../../../support/otel/collector.ts"
import { until } from "../../../support/store/until.ts"

const collector = await startCollector()
Object.assign(process.env, {
  FW_LOG_LEVEL: "off",
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20key",
  OTEL_SERVICE_NAME: "shop",
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
})

const schema: StandardSchema = {
  "~standard": { version: 1, vendor: "test", validate: () => ({ issues: [{ message: "no" }] }) },
}
class PaymentError extends Error {
  override name = "PaymentError"
}
const store = memoryStore()
const closedPort = await findFreePort()
const inner = new App({ logger: false })
inner.get("/orders/{id}", (c) => c.noContent())
inner.get("/bug", () => {
  throw new PaymentError("inner")
})
const app = new App({ logger: false })
telemetry(app, { spans: ["handler"], propagateTo: ["127.0.0.1"] })
app.use(requestID())
app.setProxy(
  (c) => {
    if (c.path === "/proxied/answer") return proxy.responseJSON(418, "tea")
    if (c.path === "/proxied/redirect") return proxy.redirect("/text")
    if (c.path === "/proxied/rewrite") return proxy.rewrite("/users/9")
    throw new PaymentError("in the proxy")
  },
  { matchers: ["/proxied/*"] },
)
app.get("/text", (c) => c.string(200, "hello"))
app.get("/users/{id}", (c) => c.json(200, c.param("id")))
app.post("/users", async (c) => c.json(201, await c.bind(schema)))
app.put("/raw", async (c) => c.json(200, (await c.bytes()).byteLength))
app.group("/small", (group) => {
  group.use(bodyLimit(4))
  group.post("/", async (c) => c.string(200, await c.text()))
})
app.post("/upload", async (c) => c.json(200, (await c.formFile("file"))?.size ?? 0))
app.get("/thrown", () => {
  throw new PaymentError("declined")
})
app.get("/thrown/text", () => {
  throw "a text"
})
app.get("/refused", () => new HttpError(409, "taken"))
app.get("/failed", () => new HttpError(503, "later"))
app.get("/empty", (c) => c.noContent())
app.get("/redirect", (c) => c.redirect(303, "/text"))
app.get("/page", (c) => c.page(200, "Title", html`<p>Hello</p>`))
app.get("/store", async (c) => c.json(200, (await store.kv.get("session:secret")) ?? null))
app.get("/span", async (c) => c.json(200, await c.span("charge card", async () => 1)))
app.get("/stream", (c) =>
  c.stream(
    200,
    (async function* () {
      yield "one"
    })(),
    "text/plain",
  ),
)
app.get("/stream/fails", (c) =>
  c.stream(
    200,
    (async function* () {
      yield "one"
      throw new PaymentError("in the stream")
    })(),
    "text/plain",
  ),
)
app.get("/events", (c) => c.sse(async (events) => events.send({ data: 1 })))
app.get("/fetch", async (c) => c.string(200, await (await fetch(`http://${app.addr}/users/7?token=s3cret`)).text()))
app.get("/fetch/fails", async (c) => {
  await fetch(`http://127.0.0.1:${closedPort}/`).catch(() => {})
  return c.noContent()
})
let onHanging = () => {}
app.get("/hangs", (c) => {
  onHanging()
  return new Promise<never>((_, reject) => c.signal.addEventListener("abort", () => reject(c.signal.reason)))
})
app.group("/slow", (group) => {
  group.use(timeout(0.01))
  group.get("/", (c) => new Promise((resolve) => c.signal.addEventListener("abort", () => resolve(c.noContent()))))
})
app.socket("/socket", () => ({ message: (socket) => socket.close() }))
app.mountHandler("/mounted", inner.fetch)
await app.listen("127.0.0.1:0")
const [, port = ""] = app.addr.split(":")

/** Sends a request with any method and any path. */
function send(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = sendRequest({ host: "127.0.0.1", port, method, path, headers, agent: false }, (answer) => {
      answer.resume()
      answer.on("close", () => resolve(answer.statusCode ?? 0))
    })
    outgoing.on("error", reject)
    outgoing.end(body)
  })
}

async function leave(path: string): Promise<number> {
  const hanging = new Promise<void>((resolve) => {
    onHanging = resolve
  })
  const socket = connect(Number(port), "127.0.0.1")
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await hanging
  socket.destroy()
  return 0
}

async function talk(): Promise<number> {
  const client = new WebSocket(`ws://127.0.0.1:${port}/socket`)
  await once(client, "open")
  client.send("hello")
  await once(client, "close")
  return 101
}

const form = {
  type: { "content-type": "multipart/form-data; boundary=x" },
  body: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc\r\n--x--\r\n',
}
const json = { "content-type": "application/json" }

type Row = readonly [
  what: string,
  send: () => Promise<number>,
  name: string,
  status: number,
  more?: Values,
  exception?: string,
]
const rows: readonly Row[] = [
  ["a text", () => send("GET", "/text"), "GET /text", 200, { "http.route": "/text" }],
  ["a parameter", () => send("GET", "/users/7"), "GET /users/{id}", 200, { "url.path": "/users/7" }],
  ["HEAD", () => send("HEAD", "/users/7"), "HEAD /users/{id}", 200, { "http.request.method": "HEAD" }],
  [
    "a query",
    () => send("GET", "/text?page=2&token=s3cret"),
    "GET /text",
    200,
    { "url.query": "page=2&token=REDACTED" },
  ],
  [
    "a user agent",
    () => send("GET", "/text", { "user-agent": "curl/8" }),
    "GET /text",
    200,
    { "user_agent.original": "curl/8" },
  ],
  [
    "a path without a route",
    () => send("GET", "/none"),
    "GET",
    404,
    { "http.route": undefined, "error.type": undefined },
  ],
  ["a method that the route does not have", () => send("DELETE", "/text"), "DELETE /text", 405],
  ["OPTIONS", () => send("OPTIONS", "/text"), "OPTIONS /text", 204],
  [
    "an unknown method",
    () => send("PURGE", "/text"),
    "HTTP /text",
    405,
    { "http.request.method": "_OTHER", "http.request.method_original": "PURGE" },
  ],
  ["a redirect to the canonical path", () => send("GET", "/text/"), "GET /text", 308],
  [
    "data that a schema refuses",
    () => send("POST", "/users", json, "{}"),
    "POST /users",
    400,
    { "error.type": undefined },
  ],
  ["a body that is not valid JSON", () => send("POST", "/users", json, "{"), "POST /users", 400],
  ["a body of bytes", () => send("PUT", "/raw", {}, "abc"), "PUT /raw", 200],
  ["a body that is too large", () => send("POST", "/small", {}, "abcdef"), "POST /small", 413],
  ["an upload", () => send("POST", "/upload", form.type, form.body), "POST /upload", 200],
  [
    "an error that is thrown",
    () => send("GET", "/thrown"),
    "GET /thrown",
    500,
    { "error.type": "PaymentError" },
    "declined",
  ],
  [
    "a text that is thrown",
    () => send("GET", "/thrown/text"),
    "GET /thrown/text",
    500,
    { "error.type": "string" },
    "a text",
  ],
  ["an answer of 409", () => send("GET", "/refused"), "GET /refused", 409, { "error.type": undefined }],
  ["an answer of 503", () => send("GET", "/failed"), "GET /failed", 503, { "error.type": "503" }],
  ["no content", () => send("GET", "/empty"), "GET /empty", 204],
  ["a redirect", () => send("GET", "/redirect"), "GET /redirect", 303],
  ["a page", () => send("GET", "/page"), "GET /page", 200],
  ["a call of a store", () => send("GET", "/store"), "GET /store", 200],
  ["a span of the program", () => send("GET", "/span"), "GET /span", 200],
  ["a stream", () => send("GET", "/stream"), "GET /stream", 200],
  ["a stream of events", () => send("GET", "/events"), "GET /events", 200],
  ["an outgoing request", () => send("GET", "/fetch"), "GET /fetch", 200],
  ["an outgoing request that fails", () => send("GET", "/fetch/fails"), "GET /fetch/fails", 204],
  ["a client that goes away", () => leave("/hangs"), "GET /hangs", 500, { "fw.request.aborted": true }],
  ["a time limit", () => send("GET", "/slow"), "GET /slow", 503, { "error.type": "503" }],
  ["a WebSocket", talk, "GET /socket", 101],
  ["a request without an upgrade to a WebSocket", () => send("GET", "/socket"), "GET /socket", 426],
  ["an answer of the proxy", () => send("GET", "/proxied/answer"), "GET", 418],
  ["a redirect of the proxy", () => send("GET", "/proxied/redirect"), "GET", 302],
  [
    "a path that the proxy rewrites",
    () => send("GET", "/proxied/rewrite"),
    "GET /users/{id}",
    200,
    { "url.path": "/proxied/rewrite" },
  ],
  [
    "an error of the proxy",
    () => send("GET", "/proxied/fails"),
    "GET",
    500,
    { "error.type": "PaymentError" },
    "in the proxy",
  ],
  [
    "a mounted app",
    () => send("GET", "/mounted/orders/7"),
    "GET /mounted/orders/{id}",
    204,
    { "url.path": "/mounted/orders/7" },
  ],
  [
    "an error in a mounted app",
    () => send("GET", "/mounted/bug"),
    "GET /mounted/bug",
    500,
    { "error.type": "PaymentError" },
    "inner",
  ],
]

/** The server's spans for each row, and the other spans of their traces. */
const seen = new Map<string, ReceivedSpan[]>()
const parentID = "b7ad6b7169203331"
const createTraceID = (index: number) => `0af7651916cd43dd8448eb2100000${String(index).padStart(3, "0")}`

test.before(async () => {
  for (const [what, run, , status] of rows) {
    const before = collector.spans().length
    const found = await run()
    if (found > 0) assert.is(found, status, what)
    // When the server's span has arrived at the collector, its child spans have arrived too.
    await until(async () => {
      await flush()
      const spans = collector.spans().slice(before)
      const isClosed = what !== "a WebSocket" || spans.some(({ name }) => name.startsWith("socket"))
      return isClosed && spans.some(({ kind }) => kind === 2)
    })
    seen.set(what, collector.spans().slice(before))
  }
})

/** Sends the telemetry that waits to be sent. */
async function flush(): Promise<void> {
  const waiting = new App({ logger: false })
  telemetry(waiting)
  await waiting.listen("127.0.0.1:0")
  await waiting.shutdown()
}

const findChildren = (what: string) => (seen.get(what) ?? []).filter(({ kind }) => kind !== 2)

for (const [what, , name, status, more = {}, exception] of rows) {
  test(`${what} creates the span ${name} of the server`, () => {
    const servers = (seen.get(what) ?? []).filter(({ kind }) => kind === 2)
    // The outgoing request goes to this program, so there is a second server span.
    assert.is(servers.length, what === "an outgoing request" ? 2 : 1)
    const span = servers.at(-1) as ReceivedSpan
    const { values } = span
    assert.is(span.name, name)
    assert.match(span.traceId, /^[\da-f]{32}$/)
    assert.match(span.spanId, /^[\da-f]{16}$/)
    assert.is(span.parentSpanId, undefined)
    assert.ok(BigInt(span.endTimeUnixNano) > BigInt(span.startTimeUnixNano))
    if (what !== "a client that goes away") assert.is(values["http.response.status_code"], status)
    assert.equal(
      [values["url.scheme"], values["server.port"]],
      ["http", what === "a client that goes away" ? 80 : Number(port)],
    )
    assert.is(values["client.address"], "127.0.0.1")
    const isError = Number(values["http.response.status_code"]) >= 500
    assert.is(span.status.code, isError ? 2 : 0)
    for (const [key, value] of Object.entries(more)) assert.is(values[key], value, key)
    const [event] = span.events
    assert.is(event?.values["exception.message"], exception)
    if (event) assert.is(event.name, "exception")
    assert.not.match(JSON.stringify(values), /s3cret/)
  })
}

const children: ReadonlyArray<readonly [what: string, name: string, kind: number, values: Values, status?: number]> = [
  ["a text", 'handler get("/text")', 1, {}],
  ["data that a schema refuses", "validate body", 1, { "fw.validation.issues": 1 }],
  ["a page", "render c.page()", 1, {}],
  ["a call of a store", "kv.get", 3, { "db.system.name": "memory", "fw.store.prefix": "session" }],
  ["a span of the program", "charge card", 1, {}],
  ["an outgoing request", "GET", 3, { "http.response.status_code": 200, "server.address": "127.0.0.1" }],
  ["an outgoing request that fails", "GET", 3, { "server.port": closedPort, "error.type": "Error" }, 2],
  ["an error that is thrown", 'handler get("/thrown")', 1, { "error.type": "PaymentError" }, 2],
  ["a path that the proxy rewrites", "proxy", 1, {}],
  ["a WebSocket", "socket /socket", 1, {}],
]
for (const [what, name, kind, values, status = 0] of children) {
  test(`the span of ${what} has the child ${name}`, () => {
    const span = findChildren(what).find((span) => span.name === name)
    assert.ok(
      span,
      findChildren(what)
        .map(({ name }) => name)
        .join(", "),
    )
    assert.equal([span?.kind, span?.status.code], [kind, status])
    for (const [key, value] of Object.entries(values)) assert.is(span?.values[key], value)
    assert.is(span?.traceId, seen.get(what)?.find(({ kind }) => kind === 2)?.traceId)
  })
}

test("an outgoing request to a host in the settings continues the trace there: one trace has two spans of the server", () => {
  const spans = seen.get("an outgoing request") ?? []
  const client = spans.find(({ kind }) => kind === 3)
  const [called, caller] = spans.filter(({ kind }) => kind === 2)
  assert.is(called?.parentSpanId, client?.spanId)
  assert.is(client?.traceId, caller?.traceId)
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1)
  assert.match(String(client?.values["url.full"]), /\?token=REDACTED$/)
})

test("a request with traceparent is a part of that trace, and is not recorded if that trace is not recorded", async () => {
  const before = collector.spans().length
  await send("GET", "/text", { traceparent: `00-${createTraceID(1)}-${parentID}-01` })
  await send("GET", "/text", { traceparent: `00-${createTraceID(2)}-${parentID}-00` })
  await flush()
  const spans = collector.spans().slice(before)
  assert.equal(
    spans.filter(({ kind }) => kind === 2).map(({ traceId, parentSpanId }) => [traceId, parentSpanId]),
    [[createTraceID(1), parentID]],
  )
})

test("the resource and the headers of the telemetry come from the environment variables", () => {
  const [{ data, headers } = { data: undefined, headers: {} }] = collector.bodies
  const { attributes } = data.resourceSpans[0].resource
  const values = Object.fromEntries(
    attributes.map(({ key, value }: { key: string; value: { stringValue: string } }) => [key, value.stringValue]),
  )
  assert.equal([values["service.name"], values["deployment.environment.name"]], ["shop", "test"])
  assert.match(values["service.instance.id"], /^[\da-f-]{36}$/)
  assert.is((headers as Record<string, unknown>)["x-key"], "a key")
})

test("lines of the log are sent with the ids of their trace and span", async () => {
  delete process.env.FW_LOG_LEVEL
  const lines: string[] = []
  const logging = new App({ logger: { write: (text) => lines.push(text), format: "json", skipPaths: ["/*"] } })
  logging.get("/order", (c) => {
    c.log.warn("order placed", { order: 7, password: "s3cret" })
    return c.noContent()
  })
  await logging.request("/order", { headers: { traceparent: `00-${createTraceID(3)}-${parentID}-01` } })
  process.env.FW_LOG_LEVEL = "off"
  await flush()
  const line = collector.lines().find(({ body }) => body.stringValue === "order placed")
  assert.equal([line?.severityNumber, line?.values.order, line?.values.password], [13, 7, "[masked]"])
  assert.is(line?.traceId, createTraceID(3))
  const written = JSON.parse(lines[0] ?? "{}")
  assert.equal([written.trace_id, written.span_id], [line?.traceId, line?.spanId])
})

test("adding a job is a span in the trace of the request, and an attempt of the job begins a new trace", async () => {
  const adding = new App({ logger: false })
  const fails = () => {
    throw new PaymentError("declined")
  }
  await adding.mount(toJobRoutes({ "mail/welcome": { Job: fails, options: { retries: 0 } } }))
  const queue = testJobs()
  const jobs = createJobs<{ "mail/welcome": undefined }>()
  adding.get("/add", async (c) => c.json(202, await jobs.add("mail/welcome")))
  await adding.request("/add", { headers: { traceparent: `00-${createTraceID(4)}-${parentID}-01` } })
  await queue.run().catch(() => {})
  await flush()
  const [send, attempt] = ["send mail/welcome", "process mail/welcome"].map((name) =>
    collector.spans().find((span) => span.name === name),
  )
  assert.equal([send?.kind, send?.traceId, send?.status.code], [4, createTraceID(4), 0])
  assert.equal([attempt?.kind, attempt?.parentSpanId, attempt?.status.code], [5, undefined, 2])
  assert.is(attempt?.events[0]?.values["exception.type"], "PaymentError")
  for (const [span, type] of [
    [send, "send"],
    [attempt, "process"],
  ] as const) {
    const { "messaging.destination.name": name, "messaging.operation.type": does } = span?.values ?? {}
    assert.equal([name, does, span?.values["messaging.message.id"]], ["mail/welcome", type, "1"])
  }
})

test("the metrics have the names, units, attributes and buckets of the conventions", async () => {
  await flush()
  const metrics = collector.metrics()
  const duration = metrics.find(({ name }) => name === "http.server.request.duration")
  assert.equal([duration?.unit, duration?.form], ["s", "histogram"])
  const point = duration?.points.find(
    ({ values }) => values["http.route"] === "/users/{id}" && values["http.request.method"] === "GET",
  )
  assert.equal(point?.explicitBounds, [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10])
  assert.is(point?.bucketCounts?.length, 15)
  assert.is(
    point?.bucketCounts?.reduce((sum, count) => sum + count, 0),
    point?.count,
  )
  assert.equal([point?.values["url.scheme"], point?.values["http.response.status_code"]], ["http", 200])
  const active = metrics.find(({ name }) => name === "http.server.active_requests")
  assert.equal([active?.form, active?.unit, active?.isMonotonic], ["sum", "{request}", false])
  for (const name of ["process.memory.usage", "v8js.memory.heap.used", "nodejs.eventloop.utilization"])
    assert.ok(
      metrics.some((metric) => metric.name === name),
      `the metric ${name} is missing`,
    )
})

test("the program and the collector stop", async () => {
  await app.shutdown()
  await collector.close()
})

test.run()
