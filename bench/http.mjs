/**
 * Measures the processor time of a server per request. On Node, fw is compared with Fastify, Hono and a bare server that does
 * the same work by hand; on Bun and Deno with Hono and Elysia.
 *
 *     node bench/http.mjs [--peers FOLDER] [--dist FOLDER]… [--row NAME]… [--node PATH | --bun PATH | --deno PATH]
 *                         [--routes N]… [--driver own|wrk] [--processes 5] [--rounds 5] [--seconds 1] [--connections 64] [--json]
 *
 * `--peers` names a folder in which `npm i fastify @fastify/cookie @fastify/cors hono @hono/node-server elysia @elysiajs/cors`
 * was run. Without it, the other frameworks are left out.
 * `--dist` names a build of fw; give it several times to compare builds. Default: this checkout's `dist`.
 * `--routes` compares fw with different numbers of routes, each at least 10, and leaves the other frameworks out. Each ratio
 * compares a number with the first one.
 * `--node`, `--bun` and `--deno` name the program that runs the servers. Default: this Node.
 * `--driver wrk` sends the requests with the program `wrk`. Default: a small program of this bench.
 *
 * Each server is started `--processes` times, because V8 optimizes a program differently in each process. On Linux, the
 * servers run on the first core and the sender on the last one. In each round, every server gets requests for `--seconds`,
 * one server after the other, so that other work on the machine slows down all of them. A ratio compares measurements of the
 * same round. The printed range is that of the medians of the processes. Request logging is turned off, except in the row
 * `program`.
 */
import { execFileSync, fork, spawnSync } from "node:child_process"
import { once } from "node:events"
import { availableParallelism, loadavg } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { record } from "./support/record.mjs"
import { fewestRoutes, rows, sharedRows, usualRows } from "./support/workload.mjs"
import { createWrkDriver, hasWrk } from "./support/wrk.mjs"

const here = import.meta.dirname
const { values: options } = parseArgs({
  options: {
    peers: { type: "string", default: process.env.FW_BENCH_PEERS },
    dist: { type: "string", multiple: true, default: [join(here, "..", "dist")] },
    row: { type: "string", multiple: true },
    routes: { type: "string", multiple: true, default: [] },
    node: { type: "string", default: process.execPath },
    bun: { type: "string" },
    deno: { type: "string" },
    driver: { type: "string", default: "own" },
    processes: { type: "string", default: "5" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "1" },
    connections: { type: "string", default: "64" },
    json: { type: "boolean", default: false },
  },
})
options.row ??= options.routes.length > 0 ? sharedRows : usualRows
const unknownRows = options.row.filter((row) => !(row in rows))
if (unknownRows.length > 0)
  throw new Error(`there is no row ${unknownRows.join(", ")}: use ${Object.keys(rows).join(", ")}`)
if (options.routes.some((routes) => !(Number(routes) >= fewestRoutes)))
  throw new Error(`--routes takes numbers from ${fewestRoutes} on`)
if (options.row.includes("program") && options.row.length > 1)
  throw new Error("the row program is measured alone, because its middleware is that of the whole app")
const milliseconds = Number(options.seconds) * 1000
const connections = Number(options.connections)
const canPin = spawnSync("taskset", ["-c", "0", "true"]).status === 0

/** The command that runs a program on one core only. */
function getPinCommand(core) {
  return canPin ? ["taskset", "-c", String(core)] : []
}

/** The program that runs the servers, and the frameworks that are compared on it. */
const runtime = options.bun
  ? {
      program: options.bun,
      args: [],
      bare: ["bare Bun.serve", "bare fetch"],
      peers: ["hono", "elysia", "bare, reads a header"],
    }
  : options.deno
    ? {
        program: options.deno,
        args: ["run", "--quiet", "--no-prompt", "-A"],
        bare: ["bare Deno.serve", "bare fetch"],
        peers: ["hono", "elysia", "bare, reads a header"],
      }
    : { program: options.node, args: [], bare: ["bare node:http", "bare"], peers: ["fastify", "hono"] }

/** Returns the servers to compare: fw with several numbers of routes, or builds of fw and other frameworks. */
function listContenders({ dist, peers, routes }) {
  const builds = dist.map((one) => ({
    label: dist.length > 1 ? `fw ${one}` : "fw",
    name: "fw",
    folder: resolve(one),
  }))
  if (routes.length > 0) return routes.map((count) => ({ ...builds[0], label: `fw, ${count} routes`, routes: count }))
  if (!peers) console.error("Peers are left out: no --peers FOLDER was given.")
  const others = peers ? runtime.peers.map((name) => ({ label: name, name, folder: peers })) : []
  return [{ label: runtime.bare[0], name: runtime.bare[1] }, ...builds, ...others]
}

const contenders = listContenders(options)

/** Starts a program. The promise `ended` rejects when the program ends or could not be started. */
function run(script, args, options) {
  const child = fork(join(here, "support", script), args, options)
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${script} ${args.join(" ")} ended with ${code}`)
  })
  ended.catch(() => {})
  return { child, ended }
}

/** Returns the next message that a program sends. @throws Error if it ends first. */
async function waitForMessage({ child, ended }) {
  const [message] = await Promise.race([once(child, "message"), ended])
  return message
}

async function start({ name, folder = "", routes = "" }) {
  const server = run("server.mjs", [name, folder, routes, ...options.row.filter((row) => row === "program")], {
    execPath: runtime.program,
    execArgv: runtime.args,
  })
  const { child } = server
  const { port } = await waitForMessage(server)
  if (canPin) execFileSync("taskset", ["-acp", "0", String(child.pid)], { stdio: "ignore" })
  return { ...server, port }
}

async function readProcessorTime(server) {
  server.child.send("cpu")
  return (await waitForMessage(server)).cpu
}

async function createOwnDriver() {
  const sender = run("load.mjs", [])
  const { child: load } = sender
  await waitForMessage(sender)
  if (canPin)
    execFileSync("taskset", ["-acp", String(availableParallelism() - 1), String(load.pid)], {
      stdio: "ignore",
    })
  const drive = async (work) => {
    load.send(work)
    const { count } = await waitForMessage(sender)
    return { count, milliseconds: work.milliseconds }
  }
  return { drive, stop: () => load.disconnect() }
}

/**
 * Measures a server for some seconds. Returns the microseconds of processor time per request, and the requests per
 * second.
 */
async function measureSlice(drive, server, row, time) {
  const startTime = await readProcessorTime(server)
  const progress = await drive({ port: server.port, row, connections, milliseconds: time })
  return {
    cpu: ((await readProcessorTime(server)) - startTime) / progress.count,
    rate: (progress.count * 1000) / progress.milliseconds,
  }
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** Measures one process of every server: `slices[row][contender][round]`. */
async function measure(drive) {
  const servers = []
  for (const contender of contenders) servers.push(await start(contender))
  const slices = Object.fromEntries(options.row.map((row) => [row, servers.map(() => [])]))
  for (const server of servers) for (const row of options.row) await measureSlice(drive, server, row, 1000)
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const row of options.row) {
      for (let turn = 0; turn < servers.length; turn++) {
        const index = (turn + round) % servers.length
        slices[row][index].push(await measureSlice(drive, servers[index], row, milliseconds))
      }
    }
  }
  for (const { child } of servers) child.disconnect()
  return slices
}

if (options.driver === "wrk" && !hasWrk()) throw new Error("wrk is not installed")
const { drive, stop } =
  options.driver === "wrk"
    ? { drive: createWrkDriver(getPinCommand(availableParallelism() - 1)), stop: () => {} }
    : await createOwnDriver()
const processes = []
for (let i = 0; i < Number(options.processes); i++) processes.push(await measure(drive))
stop()

const result = options.row.map((row) => ({
  row,
  contenders: contenders.map(({ label }, index) => {
    const ratios = processes.map((slices) =>
      slices[row][index].map(({ cpu }, round) => cpu / slices[row][0][round].cpu),
    )
    const contenderSlices = processes.flatMap((slices) => slices[row][index])
    return {
      label,
      cpu: median(contenderSlices.map(({ cpu }) => cpu)),
      least: Math.min(...contenderSlices.map(({ cpu }) => cpu)),
      ratio: median(ratios.flat()),
      processes: ratios.map(median),
      rate: Math.round(median(contenderSlices.map(({ rate }) => rate))),
    }
  }),
}))
const formatRounded = (value) => Math.round(value * 1000) / 1000
record({
  title: `Processor time of a request, as a multiple of ${contenders[0].label}`,
  unit: "multiple",
  better: "less",
  measure: contenders[0].label,
  onlyFw: options.routes.length > 0,
  rows: result.map(({ row, contenders }) => ({
    row: rows[row].title,
    values: Object.fromEntries(contenders.map(({ label, ratio }) => [label, formatRounded(ratio)])),
  })),
})
const load = loadavg()[0].toFixed(1)
const base = options.routes.length > 0 ? contenders[0].label : "bare"
if (options.json) console.log(JSON.stringify({ program: runtime.program, driver: options.driver, load, result }))
else {
  console.log(`driver ${options.driver}, ${runtime.program}, load ${load}; all loggers are off`)
  for (const { row, contenders } of result) {
    console.log(`\n${rows[row].title}`)
    for (const { label, cpu, least, ratio, processes, rate } of contenders) {
      const range = `${Math.min(...processes).toFixed(2)}–${Math.max(...processes).toFixed(2)}`
      console.log(
        `  ${label.padEnd(24)} ${cpu.toFixed(1).padStart(6)} µs CPU (least ${least.toFixed(1)})  ${ratio.toFixed(2)} × ${base} (${range})  ${rate} requests/s`,
      )
    }
  }
}
