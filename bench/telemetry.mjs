/**
 * Measures what `telemetry()` costs a request: the processor time of `app.fetch()` with it, with empty listeners of the
 * request channels, and without both. A collector on this machine takes what is exported.
 *
 *   node bench/telemetry.mjs      after npm run build
 *
 * The contenders take turns, each in a process of its own. A figure is the least of the rounds, in microseconds.
 */
import { spawnSync } from "node:child_process"
import { subscribe } from "node:diagnostics_channel"
import { Worker } from "node:worker_threads"
import { App } from "../dist/lib/index.js"

const rounds = Number(process.env.ROUNDS ?? 9)
const [warmUpCount, count] = [20_000, 100_000]
const sampled = (ratio) => ({ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: `${ratio}` })
const tracesOnly = { OTEL_METRICS_EXPORTER: "none", OTEL_LOGS_EXPORTER: "none" }
const contenders = {
  "no listener": {},
  "empty listeners": {},
  "1 % of the traces": { ...sampled(0.01), ...tracesOnly },
  "1 % of the traces, metrics": sampled(0.01),
  "all traces, metrics": sampled(1),
}

/** Returns the microseconds of processor time for one request. */
async function measure(name) {
  const app = new App({ logger: false })
  app.get("/users/{id}", (c) => c.json(200, { id: c.param("id") }))
  if (name === "empty listeners") for (const at of ["start", "end", "sent"]) subscribe(`fw:request:${at}`, () => {})
  if (name.includes("traces")) {
    const { telemetry } = await import("../dist/adapters/otel.js")
    telemetry(app)
  }
  const send = async (count) => {
    for (let i = 0; i < count; i++) {
      await app.fetch(new Request("http://localhost/users/7"))
      // The exporter sends in between, as in a server.
      if (i % 64 === 0) await new Promise(setImmediate)
    }
  }
  await send(warmUpCount)
  const start = process.cpuUsage()
  await send(count)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / count
}

const collector = `const { createServer } = require("node:http")
const { parentPort } = require("node:worker_threads")
const server = createServer((incoming, outgoing) => incoming.resume().on("end", () => outgoing.end("{}")))
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))`

const [name] = process.argv.slice(2)
if (name !== undefined) {
  console.log(await measure(name))
  process.exit()
}
const worker = new Worker(collector, { eval: true })
const port = await new Promise((resolve) => worker.once("message", resolve))
const figures = new Map(Object.keys(contenders).map((contender) => [contender, []]))
for (let round = 0; round < rounds; round++)
  for (const [contender, env] of Object.entries(contenders)) {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }
    const { stdout } = spawnSync(process.execPath, [process.argv[1], contender], {
      // Lines about lost spans would be on standard output.
      env: { ...process.env, ...endpoint, ...env, FW_LOG_LEVEL: "off" },
      stdio: ["ignore", "pipe", "inherit"],
    })
    figures.get(contender).push(Number(stdout))
  }
const least = (contender) => Math.min(...figures.get(contender))
for (const contender of figures.keys())
  console.log(
    `${contender.padEnd(28)} ${least(contender).toFixed(2)} µs, ${(least(contender) - least("empty listeners")).toFixed(2)} more than empty listeners`,
  )
await worker.terminate()
