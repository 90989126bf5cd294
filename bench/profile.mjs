/**
 * Shows what a request costs a server, function by function.
 *
 *     node bench/profile.mjs [--name fw|bare|fastify|hono] [--folder dist] [--row json] [--mode cpu|heap|deopt]
 *                            [--seconds 5] [--top 40] [--node PATH] [--out FILE]
 *
 * `cpu` samples the time that each function takes itself, per request. `heap` samples the bytes that each function allocates,
 * including what was collected again. `deopt` lists the functions whose optimized code V8 discarded after the first second.
 * `--out` keeps the profile for Chromium's developer tools: name the file `.cpuprofile` or `.heapprofile`.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

const here = import.meta.dirname
const { values: options } = parseArgs({
  options: {
    name: { type: "string", default: "fw" },
    folder: { type: "string", default: join(here, "..", "dist") },
    row: { type: "string", default: "json" },
    mode: { type: "string", default: "cpu" },
    seconds: { type: "string", default: "5" },
    top: { type: "string", default: "40" },
    node: { type: "string", default: process.execPath },
    out: { type: "string" },
  },
})
const isDeopt = options.mode === "deopt"
const server = fork(join(here, "support/server.mjs"), [options.name, options.folder], {
  execPath: options.node,
  execArgv: isDeopt ? ["--trace-deopt"] : [],
  stdio: ["ignore", "pipe", "inherit", "ipc"],
})
let output = ""
server.stdout.setEncoding("utf8").on("data", (chunk) => {
  output += chunk
})
const [{ port }] = await once(server, "message")
const load = fork(join(here, "support/load.mjs"))
await once(load, "message")

async function send(seconds) {
  load.send({ port, row: options.row, connections: 64, milliseconds: seconds * 1000 })
  return (await once(load, "message"))[0].count
}

async function ask(command) {
  server.send(command)
  return (await once(server, "message"))[0]
}

/** Returns the name of a function with its file and line. */
function formatPlace({ functionName, url, lineNumber }) {
  const file = url.startsWith("file:") ? relative(join(here, ".."), fileURLToPath(url)) : url
  return `${functionName || "(anonymous)"} ${file}:${lineNumber + 1}`
}

function addValue(sums, frame, value) {
  if (value > 0) sums.set(formatPlace(frame), (sums.get(formatPlace(frame)) ?? 0) + value)
}

function sumTimes({ nodes, samples, timeDeltas }) {
  const byID = new Map(nodes.map((node) => [node.id, node]))
  const sums = new Map()
  for (const [i, id] of samples.entries()) addValue(sums, byID.get(id).callFrame, timeDeltas[i])
  return sums
}

function sumBytes({ head }) {
  const sums = new Map()
  const visit = (node) => {
    addValue(sums, node.callFrame, node.selfSize)
    for (const child of node.children) visit(child)
  }
  visit(head)
  return sums
}

function print(sums, count, unit, digits) {
  const all = [...sums].filter(([name]) => !name.startsWith("(idle)")).sort((a, b) => b[1] - a[1])
  const total = all.reduce((sum, [, value]) => sum + value, 0)
  console.log(`${(total / count).toFixed(digits)} ${unit} per request, ${count} requests`)
  for (const [name, value] of all.slice(0, Number(options.top)))
    console.log(`${(value / count).toFixed(digits).padStart(8)} ${unit}  ${name}`)
}

await send(isDeopt ? 1 : 2)
if (isDeopt) {
  output = ""
  await send(Number(options.seconds))
  const bailouts = output.split("\n").filter((line) => line.includes("bailout") || line.includes("reason:"))
  console.log(bailouts.join("\n") || "no function was given up")
} else {
  await ask(`${options.mode}-profile`)
  const count = await send(Number(options.seconds))
  const profile = await ask("end-profile")
  if (options.out) writeFileSync(options.out, JSON.stringify(profile))
  if (options.mode === "cpu") print(sumTimes(profile), count, "µs", 3)
  else print(sumBytes(profile), count, "bytes", 0)
}
server.disconnect()
load.disconnect()
