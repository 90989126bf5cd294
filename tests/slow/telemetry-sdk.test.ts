/**
 * Tests of telemetry with the packages of OpenTelemetry: a trace through two programs that each have an SDK, and a
 * query of PostgreSQL, and what is sent beside what otlp-transformer makes of it.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { startCollector } from "../support/otel/collector.ts"
import { createSerializer } from "../support/otel/otlp-transformer.ts"
import { startPostgres } from "../support/store/postgres.ts"
import { until } from "../support/store/until.ts"
import { installTools } from "../support/tools.ts"
import { root } from "../support/tsc.ts"

const modules = await installTools([
  "@opentelemetry/api@^1.10.0",
  "@opentelemetry/exporter-trace-otlp-http@^0.301.0",
  "@opentelemetry/instrumentation-http@^0.301.0",
  "@opentelemetry/instrumentation-pg",
  "@opentelemetry/instrumentation-undici",
  "@opentelemetry/sdk-node@^0.301.0",
  "pg@^8.23.1",
])
const folder = mkdtempSync(join(tmpdir(), "fw-otel-"))
symlinkSync(modules, join(folder, "node_modules"), "junction")
const source = (path: string) => JSON.stringify(pathToFileURL(join(root, path)).href)
writeFileSync(
  join(folder, "sdk.mjs"),
  `import { register } from "node:module"
import { NodeSDK } from "@opentelemetry/sdk-node"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { HttpInstrumentation } from "@opentelemetry/instrumentation-http"
import { PgInstrumentation } from "@opentelemetry/instrumentation-pg"
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici"
const { INSTRUMENTED } = process.env
register("@opentelemetry/instrumentation/hook.mjs", import.meta.url)
const all = INSTRUMENTED ? [new HttpInstrumentation(), new PgInstrumentation(), new UndiciInstrumentation()] : []
const sdk = new NodeSDK({ traceExporter: new OTLPTraceExporter(), instrumentations: all })
sdk.start()
process.on("message", async () => {
  await sdk.shutdown()
  process.exit()
})
`,
)
writeFileSync(
  join(folder, "program.mjs"),
  `import { App } from ${source("dist/lib/index.js")}
import { database } from ${source("dist/adapters/db.js")}
import { telemetry } from ${source("dist/adapters/otel.js")}
import pg from "pg"
const { NEXT, DATABASE } = process.env
const db = database(new pg.Pool({ connectionString: DATABASE }))
const app = new App({ logger: false })
telemetry(app, { propagateTo: ["127.0.0.1"] })
app.get("/first/{id}", async (c) => c.string(200, await c.span("ask", async () => (await fetch(NEXT + "/second/7")).text())))
app.get("/second/{id}", async (c) => c.json(200, await db.query("SELECT 1 AS one")))
await app.listen("127.0.0.1:0")
process.send({ addr: app.addr })
`,
)

const postgres = await startPostgres()

/** Starts a program. Returns its address, and a function that ends it. */
async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, ["--import", "./sdk.mjs", "program.mjs"], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      FW_LOG_LEVEL: "off",
      DATABASE: `postgres://postgres@127.0.0.1:${postgres.port}/postgres`,
      ...env,
    },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  })
  const [{ addr }] = (await once(child, "message")) as [{ addr: string }]
  const stop = async () => {
    child.send("stop")
    await once(child, "exit")
  }
  return { url: `http://${addr}`, stop }
}

for (const INSTRUMENTED of ["", "1"]) {
  test(`one trace goes through two programs and a query${INSTRUMENTED ? ", also with instrumentations, and no span is there twice" : ""}`, async () => {
    const collector = await startCollector()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRICS_EXPORTER: "none",
      OTEL_LOGS_EXPORTER: "none",
      INSTRUMENTED,
    }
    const second = await start({ ...env, OTEL_SERVICE_NAME: "second" })
    const first = await start({ ...env, OTEL_SERVICE_NAME: "first", NEXT: second.url })
    const answer = await fetch(`${first.url}/first/1`)
    assert.is(await answer.text(), '[{"one":1}]')
    await first.stop()
    await second.stop()
    await until(() => collector.spans().length >= 5)
    const spans = collector.spans().filter(({ name }) => !/connect/i.test(name))
    assert.is(new Set(spans.map(({ traceId }) => traceId)).size, 1)
    const kinds = spans
      .map(({ name, kind }) => `${kind} ${name.replace(/SELECT.*/, "SELECT").replace(/pg\.query:/, "")}`)
      .sort()
    assert.equal(kinds, ["1 ask", "2 GET /first/{id}", "2 GET /second/{id}", "3 GET", "3 SELECT"])
    const named = (name: string) => spans.find((span) => span.name.includes(name))
    assert.is(named("ask")?.parentSpanId, named("/first")?.spanId)
    assert.is(named("/second")?.parentSpanId, spans.find(({ name }) => name === "GET")?.spanId)
    assert.is(named("/second")?.values["http.route"], "/second/{id}")
    await collector.close()
  })
}

test("what telemetry sends about requests of every kind is what otlp-transformer makes of the same data", () => {
  const file = join(folder, "bodies.json")
  const args = [
    "--conditions=fw-source",
    "--import=./scripts/loader.mjs",
    "tests/adapters/otel/alone/telemetry.test.ts",
  ]
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH, FW_OTLP_FILE: file },
    encoding: "utf8",
  })
  assert.is(status, 0, stdout)
  const bodies: { path: string; data: object }[] = JSON.parse(readFileSync(file, "utf8"))
  const serialize = createSerializer(modules)
  assert.equal([...new Set(bodies.map(({ path }) => path))].sort(), ["/v1/logs", "/v1/metrics", "/v1/traces"])
  for (const { path, data } of bodies) assert.equal(serialize(path, data), data)
})

test("PostgreSQL stops", () => postgres.end())

test.run()
