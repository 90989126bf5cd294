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
import { join } from "node:path"

const seconds = Number(process.env.SECONDS ?? 8)
const sampled = (ratio) => ({ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: `${ratio}` })
const tracesOnly = { OTEL_METRICS_EXPORTER: "none", OTEL_LOGS_EXPORTER: "none" }
const contenders = {
  "0 % of the traces": { ...sampled(0), ...tracesOnly },
  "1 % of the traces": { ...sampled(0.01), ...tracesOnly },
  "1 % of the traces, metrics": sampled(0.01),
  "all traces, metrics": sampled(1),
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
  const child = fork(join(import.meta.dirname, "support", script), args, { env: { ...process.env, ...env } })
  return [child, (await once(child, "message"))[0]]
}

async function ask(child, question) {
  child.send(question)
  return (await once(child, "message"))[0]
}

const collector = createServer((incoming, outgoing) => incoming.resume().on("end", () => outgoing.end("{}")))
await once(collector.listen(0, "127.0.0.1"), "listening")
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}`, FW_LOG_LEVEL: "off" }
for (const [name, env] of Object.entries(contenders)) {
  const [server, { port }] = await run("server.mjs", ["fw with telemetry", ""], { ...endpoint, ...env })
  const [sender] = await run("load.mjs", [])
  const send = (milliseconds) => ask(sender, { port, row: "text", connections: 64, milliseconds })
  await send(3000)
  await ask(server, "cpu-profile")
  const { count } = await send(seconds * 1000)
  const { all, telemetry } = addUp(await ask(server, "end-profile"))
  const figure = (time) => (time / count).toFixed(2)
  console.log(`${name.padEnd(28)} ${figure(telemetry)} µs of ${figure(all)} µs for a request`)
  server.disconnect()
  sender.disconnect()
}
collector.close()
