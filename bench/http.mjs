/**
 * Server CPU time per request: fw next to a bare node:http server that does the same work, and next to Fastify and Hono.
 *
 *     node bench/http.mjs [--peers FOLDER] [--dist FOLDER]… [--rounds 15] [--seconds 1] [--connections 64]
 *
 * `--peers` names a folder where `npm i fastify hono @hono/node-server` was run; without it they are left out.
 * `--dist` names a build of fw; several compare several builds in one run. Default: this checkout's `dist`.
 * Contenders take turns, a slice each, so that noise hits all alike; the medians of the slices are printed. The bare
 * server routes by a Map and a split. Aim: fw's CPU time is at most 1.15 times the bare server's.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { parseArgs } from "node:util"

const here = import.meta.dirname
const { values: options } = parseArgs({
  options: {
    peers: { type: "string", default: process.env.FW_BENCH_PEERS },
    dist: { type: "string", multiple: true, default: [join(here, "..", "dist")] },
    rounds: { type: "string", default: "15" },
    seconds: { type: "string", default: "1" },
    connections: { type: "string", default: "64" },
  },
})

async function start(label, name, folder) {
  const child = fork(join(here, "support/server.mjs"), [name, folder ?? ""])
  const [{ port }] = await once(child, "message")
  return { label, child, port, slices: { json: [], echo: [] } }
}

async function cpu({ child }) {
  child.send("cpu")
  const [usage] = await once(child, "message")
  return usage.cpu
}

/** One slice: microseconds of the server's CPU time for each request, and requests a second. */
async function slice(load, contender, kind, milliseconds) {
  const before = await cpu(contender)
  load.send({ port: contender.port, kind, connections: Number(options.connections), milliseconds })
  const [{ count }] = await once(load, "message")
  return { cpu: ((await cpu(contender)) - before) / count, rate: (count * 1000) / milliseconds }
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function print(contenders, kind) {
  const base = contenders[0].slices[kind]
  console.log(`\n${kind === "json" ? "GET, JSON answer with a parameter" : "POST, JSON echo of 1 KB"}`)
  for (const { label, slices } of contenders) {
    const time = median(slices[kind].map(({ cpu }) => cpu))
    // Slice by slice against the bare server's of the same round: a noisy moment weighs on both.
    const ratio = median(slices[kind].map(({ cpu }, round) => cpu / base[round].cpu))
    const rate = Math.round(median(slices[kind].map(({ rate }) => rate)))
    console.log(
      `  ${label.padEnd(24)} ${time.toFixed(1).padStart(6)} µs CPU  ${ratio.toFixed(2)} × bare  ${rate} requests/s`,
    )
  }
}

const contenders = [await start("bare node:http", "bare")]
for (const folder of options.dist)
  contenders.push(await start(options.dist.length > 1 ? `fw ${folder}` : "fw", "fw", folder))
if (options.peers) {
  for (const name of ["fastify", "hono"]) contenders.push(await start(name, name, options.peers))
} else console.log("Fastify and Hono are left out: no --peers FOLDER was given.")
const load = fork(join(here, "support/load.mjs"))
await once(load, "message")

const milliseconds = Number(options.seconds) * 1000
const kinds = ["json", "echo"]
for (const contender of contenders) for (const kind of kinds) await slice(load, contender, kind, 1500)
for (let round = 0; round < Number(options.rounds); round++) {
  const order = contenders.map((_, i) => contenders[(i + round) % contenders.length])
  for (const kind of kinds) {
    for (const contender of order)
      contender.slices[kind].push(await slice(load, contender, kind, milliseconds))
  }
}
for (const kind of kinds) print(contenders, kind)
for (const { child } of [...contenders, { child: load }]) child.disconnect()
