/**
 * Measures what `telemetry()` costs a request over HTTP: the processor time in its own code, and in what that code calls, by
 * a profile. A difference between two servers would be smaller than the noise of a machine. Garbage collection is not in it.
 *
 *     node --conditions=fw-source bench/telemetry.mjs      on Node 24; SECONDS=8 for each row unless set
 *
 * A collector on this machine takes what is exported.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { Session } from "node:inspector/promises"
import { join } from "node:path"
import { App } from "../lib/index.ts"

const seconds = Number(process.env.SECONDS ?? 8)
const sampled = (ratio) => ({ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: `${ratio}` })
const tracesOnly = { OTEL_METRICS_EXPORTER: "none", OTEL_LOGS_EXPORTER: "none" }
const contenders = {
  "0 % of the traces": { ...sampled(0), ...tracesOnly },
  "1 % of the traces": { ...sampled(0.01), ...tracesOnly },
  "1 % of the traces, metrics": sampled(0.01),
  "all traces, metrics": sampled(1),
}

/** Starts a server in this process. It takes a profile from one message to the next. */
async function serve() {
  const app = new App({ logger: false })
  app.get("/text", (c) => c.string(200, "Hello, World!"))
  const { telemetry } = await import("../adapters/otel.ts")
  telemetry(app)
  await app.listen("127.0.0.1:0")
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.setSamplingInterval", { interval: 200 })
  const commands = {
    begin: () => session.post("Profiler.start"),
    end: async () => addUp((await session.post("Profiler.stop")).profile),
  }
  process.on("message", async (command) => process.send((await commands[command]()) ?? {}))
  process.on("disconnect", () => process.exit())
  process.send(Number(app.addr.split(":")[1]))
}

/** Returns the microseconds of processor time in a profile: all of it, and that of telemetry. */
function addUp({ nodes, samples, timeDeltas }) {
  const byID = new Map(nodes.map((node) => [node.id, node]))
  const times = new Map()
  for (const [at, id] of samples.entries()) times.set(id, (times.get(id) ?? 0) + timeDeltas[at])
  const sums = { all: 0, telemetry: 0 }
  const visit = ({ id, callFrame: { url, functionName }, children = [] }, isInherited) => {
    const isOwn = /\/adapters\/(?:otel|metrics|shared\/http-attributes)/.test(url)
    const time = functionName === "(idle)" ? 0 : (times.get(id) ?? 0)
    sums.all += time
    if (isOwn || isInherited) sums.telemetry += time
    // These two functions call the code of the request.
    const isAround = isOwn && ["run", "operation.around"].includes(functionName)
    for (const child of children) visit(byID.get(child), isOwn ? !isAround : isInherited)
  }
  visit(nodes[0], false)
  return sums
}

/** Starts a program, and returns it with its first message. */
async function run(script, args, env) {
  const child = fork(script, args, { env: { ...process.env, ...env } })
  return [child, (await once(child, "message"))[0]]
}

async function ask(child, question) {
  child.send(question)
  return (await once(child, "message"))[0]
}

if (process.argv[2] === "serve") await serve()
else {
  const collector = createServer((incoming, outgoing) => incoming.resume().on("end", () => outgoing.end("{}")))
  await once(collector.listen(0, "127.0.0.1"), "listening")
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}`, FW_LOG_LEVEL: "off" }
  for (const [name, env] of Object.entries(contenders)) {
    const [server, port] = await run(process.argv[1], ["serve"], { ...endpoint, ...env })
    const [sender] = await run(join(import.meta.dirname, "support", "load.mjs"), [])
    const send = (milliseconds) => ask(sender, { port, row: "text", connections: 64, milliseconds })
    await send(3000)
    await ask(server, "begin")
    const { count } = await send(seconds * 1000)
    const { all, telemetry } = await ask(server, "end")
    const figure = (time) => (time / count).toFixed(2)
    console.log(`${name.padEnd(28)} ${figure(telemetry)} µs of ${figure(all)} µs for a request`)
    server.disconnect()
    sender.disconnect()
  }
  collector.close()
}
