/** Tests of the metrics of one process, and of the sum over several workers. */
import { once } from "node:events"
import { createServer } from "node:net"
import type { Meter } from "@opentelemetry/api"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { sqliteJobs } from "../../../adapters/jobs/sqlite.ts"
import { AllWorkers } from "../../../adapters/metrics/all-workers.ts"
import { combineMetrics, Instrument, type Metric } from "../../../adapters/metrics/metric.ts"
import { listenForScrapes } from "../../../adapters/metrics/port.ts"
import { formatPrometheus } from "../../../adapters/metrics/prometheus.ts"
import { collectMetrics } from "../../../adapters/metrics/registry.ts"
import { metrics } from "../../../adapters/metrics.ts"
import { passMetrics } from "../../../adapters/otel/program-metrics.ts"
import { App, basicAuth, HttpError } from "../../../lib/index.ts"
import { findFreePort } from "../../support/free-port.ts"
import { TestClock } from "../../support/jobs/test-clock.ts"
import { createJob, startProcess } from "../../support/jobs/workshop.ts"

const test = suite("metrics")

const app = new App({ logger: false })
app.get("/metrics", basicAuth({ users: { prometheus: "let-me-in" } }), metrics())
app.get("/users/{id}", (c) => c.string(200, c.param("id")))
app.get("/bug", () => {
  throw new HttpError(503, "later")
})
app.get("/news", (c) => c.sse(() => new Promise((resolve) => c.signal.addEventListener("abort", resolve))))
let ends = () => {}
app.get("/waits", async (c) => {
  await new Promise<void>((resolve) => {
    ends = resolve
  })
  return c.noContent()
})
const headers = { authorization: `Basic ${btoa("prometheus:let-me-in")}` }
const readText = async () => (await fetch(`http://${app.addr}/metrics`, { headers })).text()
/** Returns the lines of a metric, without those about `/metrics` itself. */
const readLines = (text: string, name: string) =>
  text.split("\n").filter((line) => line.startsWith(name) && !line.includes('route="/metrics"'))

test.before(async () => {
  process.env.FW_LOG_LEVEL = "off"
  await app.listen("127.0.0.1:0")
})
test.after(() => app.shutdown())

test("the OpenTelemetry of a program also gets the metrics that have no value yet", () => {
  const names: string[] = []
  const create = (name: string) => {
    names.push(name)
    return { record() {} }
  }
  const gauges = { createObservableGauge: create, createObservableUpDownCounter: create }
  const meter = { ...gauges, createHistogram: create, addBatchObservableCallback() {} }
  passMetrics(meter as unknown as Meter, collectMetrics, () => true)
  for (const name of ["http.server.active_requests", "nodejs.eventloop.delay.p99", "fw.job.active", "fw.engine.jobs"])
    assert.ok(names.includes(name), `the metric ${name} is missing`)
})

test("metrics() is a handler, so a guard can refuse requests for metrics", async () => {
  const refused = await fetch(`http://${app.addr}/metrics`)
  assert.equal([refused.status, await refused.text()].join().includes("_bucket"), false)
  const answer = await fetch(`http://${app.addr}/metrics`, { headers })
  assert.is(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
  assert.is(answer.headers.get("cache-control"), "no-store")
})

test("requests are counted by method, route and status, whatever their paths are", async () => {
  const requests = [
    ["GET", "/users/7"],
    ["GET", "/users/8"],
    ["PROPFIND", "/users/8"],
    ["GET", "/nothing-here"],
    ["GET", "/bug"],
  ] as const
  for (const [method, path] of requests) await (await fetch(`http://${app.addr}${path}`, { method })).text()
  const scheme = 'url_scheme="http"'
  assert.equal(readLines(await readText(), "http_server_request_duration_seconds_count"), [
    `http_server_request_duration_seconds_count{http_request_method="GET",${scheme},http_response_status_code="200",http_route="/users/{id}"} 2`,
    `http_server_request_duration_seconds_count{http_request_method="_OTHER",${scheme},http_response_status_code="405",http_route="/users/{id}"} 1`,
    `http_server_request_duration_seconds_count{http_request_method="GET",${scheme},http_response_status_code="404"} 1`,
    `http_server_request_duration_seconds_count{http_request_method="GET",${scheme},http_response_status_code="503",http_route="/bug",error_type="503"} 1`,
  ])
})

test("running requests count as active, including the request that reads the metrics", async () => {
  const waits = fetch(`http://${app.addr}/waits`)
  const active = async () => readLines(await readText(), "http_server_active_requests").map((line) => line.at(-1))
  while ((await active())[0] !== "2") await new Promise(setImmediate)
  ends()
  await waits
  assert.is((await active())[0], "1")
})

test("an event stream counts as a request until it starts, and then as an open stream", async () => {
  const gone = new AbortController()
  await fetch(`http://${app.addr}/news`, { signal: gone.signal })
  const text = await readText()
  assert.match(text, 'http_route="/news"} 1')
  assert.match(text, 'fw_server_open_streams{fw_stream_type="events"} 1')
  assert.match(text, 'http_server_active_requests{http_request_method="GET",url_scheme="http"} 1')
  gone.abort()
  while (!(await readText()).includes('fw_server_open_streams{fw_stream_type="events"} 0'))
    await new Promise(setImmediate)
})

test("metrics of the runtime are included", async () => {
  const text = await readText()
  for (const name of [
    "process_memory_usage_bytes ",
    'v8js_memory_heap_used_bytes{v8js_heap_space_name="old_space"} ',
    'v8js_memory_heap_limit_bytes{v8js_heap_space_name="old_space"} ',
    "nodejs_eventloop_utilization_ratio ",
    "nodejs_eventloop_delay_p99_seconds ",
  ])
    assert.is(readLines(text, name).length, 1, name)
})

const histogram = (buckets: number[], sum: number): Metric => ({
  name: "h",
  description: "h",
  unit: "s",
  kind: "histogram",
  bounds: [1],
  points: [{ attributes: { a: "x" }, value: { count: buckets.reduce((one, other) => one + other), sum, buckets } }],
})
const number = (kind: Metric["kind"], value: number): Metric => ({
  name: kind,
  description: "a\nb",
  unit: "1",
  kind,
  points: [{ attributes: { path: 'a"\\' }, value }],
})

test("a bucket has the values up to its bound (OpenTelemetry, metrics data model)", () => {
  const instrument = new Instrument("h", "s", "h", [1, 2])
  for (const value of [0.5, 1, 1.5, 2, 2.5]) instrument.record(value, {})
  assert.equal(instrument.read().points, [{ attributes: {}, value: { count: 5, sum: 7.5, buckets: [2, 2, 1] } }])
})

test("numbers and histograms of several processes are added up, and of other values the worst value counts", () => {
  const one = [histogram([1, 2], 3.5), number("updown", 2), number("gauge", 0.5)]
  const other = [histogram([1, 0], 0.5), number("updown", 3), number("gauge", 0.25)]
  const expected = [histogram([2, 2], 4), number("updown", 5), number("gauge", 0.5)]
  assert.equal(combineMetrics([one, other]), expected)
  assert.is(
    formatPrometheus(expected),
    `# HELP h_seconds h
# TYPE h_seconds histogram
h_seconds_bucket{a="x",le="1"} 2
h_seconds_bucket{a="x",le="+Inf"} 4
h_seconds_sum{a="x"} 4
h_seconds_count{a="x"} 4
# HELP updown_ratio a\\nb
# TYPE updown_ratio gauge
updown_ratio{path="a\\"\\\\"} 5
# HELP gauge_ratio a\\nb
# TYPE gauge_ratio gauge
gauge_ratio{path="a\\"\\\\"} 0.5
`,
  )
})

test("the histograms of a worker remain when it ends, and simultaneous requests for metrics are combined", async () => {
  const [one, other] = [{ counts: 3 }, { counts: 4 }]
  const asked: object[] = []
  const all = new AllWorkers<typeof one>((worker) => {
    asked.push(worker)
    // One worker ends while it is asked for its metrics.
    queueMicrotask(() =>
      worker.counts > 9 ? all.forget(worker) : all.receive(worker, [histogram([worker.counts, 0], 0)]),
    )
  })
  const readNumbers = (found: readonly Metric[]) =>
    found.flatMap(({ points }) => points.map(({ value }) => (typeof value === "number" ? value : value.count)))
  assert.equal(await all.collect(), [])
  for (const worker of [one, other]) all.receive(worker, [histogram([0, 0], 0), number("updown", 1)])
  const both = await Promise.all([all.collect(), all.collect()])
  assert.equal([both.map(readNumbers), asked.length], [[[7], [7]], 2])
  all.forget(one)
  other.counts = 10
  assert.equal(readNumbers(await all.collect()), [7])
})

for (const given of ["many", "", "0x10", "65536", "example.com:9464", "127.0.0.1:", "[::1]:99999"]) {
  test(`FW_METRICS_PORT=${given} is refused`, async () => {
    const error = await listenForScrapes(given, () => []).catch((thrown) => thrown)
    assert.is(error.code, "metrics_port")
  })
}

test("a separate port answers only this machine, and only /metrics", async () => {
  const port = await findFreePort()
  await listenForScrapes(`${port}`, async () => [number("updown", 7)])
  const ask = async (path: string, method = "GET") => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { connection: "close" } })
    return `${answer.status} ${(await answer.text()).split("\n").at(-2)}`
  }
  assert.is(await ask("/metrics"), '200 updown_ratio{path="a\\"\\\\"} 7')
  assert.match(await ask("/"), /^404 /)
  assert.match(await ask("/metrics", "POST"), /^404 /)
  const other = createServer().listen(port, "127.0.0.2")
  await once(other, "listening")
  other.close()
  assert.is((await listenForScrapes(`127.0.0.1:${port}`, () => []).catch((thrown) => thrown)).code, "port_in_use")
})

test("attempts of jobs are counted by name, and the engine's jobs are counted too", async () => {
  const clock = new TestClock()
  const files = {
    "mail/welcome": { Job: () => {} },
    report: {
      Job: () => {
        throw new RangeError("no data")
      },
      options: { retries: 0 },
    },
  }
  const { runner, engine } = await startProcess(files, sqliteJobs({ file: ":memory:" }), clock)
  for (const name of ["mail/welcome", "mail/welcome", "report"]) await engine.add(createJob(name))
  runner.start()
  await clock.advance(10_000)
  const stopped = runner.stop(0)
  await clock.advance(5000)
  await stopped
  await engine.close()
  const text = await readText()
  const system = 'messaging_system="sqlite",messaging_operation_name="process"'
  assert.equal(readLines(text, "messaging_process_duration_seconds_count"), [
    `messaging_process_duration_seconds_count{messaging_destination_name="mail/welcome",${system}} 2`,
    `messaging_process_duration_seconds_count{messaging_destination_name="report",${system},error_type="RangeError"} 1`,
  ])
  assert.equal(readLines(text, "fw_job_active"), [
    'fw_job_active{messaging_destination_name="mail/welcome"} 0',
    'fw_job_active{messaging_destination_name="report"} 0',
  ])
  assert.equal(readLines(text, "fw_engine_jobs"), [
    'fw_engine_jobs{messaging_destination_name="report",fw_job_state="failed"} 1',
  ])
})

test.run()
