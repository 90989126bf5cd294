/**
 * Counts requests that a server loses when it gets SIGTERM while clients with kept-alive connections send without a pause:
 * fw, node:http, Fastify and Hono.
 *
 *     node bench/shutdown.mjs [--peers FOLDER] [--dist FOLDER] [--runs 20] [--connections 50]
 *
 * `--peers` names a folder in which `npm i fastify hono @hono/node-server` was run. Without it, Fastify and Hono are left
 * out. The clients are raw sockets of this process. Half of them request an answer that takes some milliseconds, the others
 * an answer that is sent at once. A request is **dropped** if it was sent on a connection that had not received
 * `Connection: close`, and the answer did not arrive whole. A server is **late** if it still runs two seconds after its last
 * answer, or four seconds after SIGTERM; then it is killed. The aim for fw: none dropped and none late. Otherwise the exit
 * code is 1.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { connect } from "node:net"
import { join } from "node:path"
import { parseArgs } from "node:util"

const here = import.meta.dirname
const { values: options } = parseArgs({
  options: {
    peers: { type: "string", default: process.env.FW_BENCH_PEERS },
    dist: { type: "string", default: join(here, "..", "dist") },
    runs: { type: "string", default: "20" },
    connections: { type: "string", default: "50" },
  },
})
const connections = Number(options.connections)

/**
 * Opens a connection and sends requests until either side closes it. Counts the complete responses, and notes whether
 * one was incomplete.
 */
function runClient(port, path, tally) {
  return new Promise((resolve) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`
    const socket = connect(port, "127.0.0.1").setNoDelay()
    let pending = ""
    let isWaiting = false
    let mustClose = false
    const ask = () => {
      isWaiting = true
      pending = ""
      socket.write(request)
    }
    socket.on("connect", ask)
    socket.on("data", (chunk) => {
      pending += chunk.toString("latin1")
      if (!isWhole(pending)) return
      isWaiting = false
      tally.answered += 1
      tally.last = performance.now()
      mustClose = /\r\nconnection: close\r\n/i.test(pending)
      if (mustClose) socket.end()
      else ask()
    })
    // After a reset, `close` is emitted too. A reset matters only if a response is missing.
    socket.on("error", () => {})
    socket.on("close", () => {
      if (isWaiting && !mustClose) tally.dropped += 1
      resolve()
    })
  })
}

function isWhole(text) {
  const head = text.indexOf("\r\n\r\n")
  if (head < 0) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))
  return length ? text.length >= head + 4 + Number(length[1]) : text.endsWith("\r\n0\r\n\r\n")
}

/** Starts a server, sends it requests, ends it by SIGTERM, and returns what was counted. */
async function run(name, folder) {
  const server = fork(join(here, "support/shutdown-server.mjs"), [name, folder ?? ""], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  })
  const exited = once(server, "exit")
  const [{ port }] = await once(server, "message")
  const tally = { answered: 0, dropped: 0, last: 0, late: false, exit: 0 }
  const clients = Array.from({ length: connections }, (_, i) => runClient(port, i % 2 ? "/" : "/sync", tally))
  await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 100))
  server.kill("SIGTERM")
  const guard = setInterval(() => {
    if (performance.now() - tally.last < 2000 && performance.now() - start < 4000) return
    tally.late = true
    server.kill("SIGKILL")
  }, 50)
  const start = performance.now()
  await exited
  clearInterval(guard)
  tally.exit = performance.now() - tally.last
  await Promise.all(clients)
  return tally
}

const contenders = [["fw", options.dist], ["http"]]
if (options.peers) contenders.push(["fastify", options.peers], ["hono", options.peers])
else console.log("Fastify and Hono are left out: no --peers FOLDER was given.")

console.log(`${options.runs} runs, ${connections} connections\n`)
for (const [name, folder] of contenders) {
  const tallies = []
  for (let i = 0; i < Number(options.runs); i++) tallies.push(await run(name, folder))
  const sum = (key) => tallies.reduce((total, tally) => total + Number(tally[key]), 0)
  const slowest = Math.max(...tallies.map(({ exit }) => exit))
  console.log(
    `${name.padEnd(8)} answered ${String(sum("answered")).padStart(7)}  dropped ${String(sum("dropped")).padStart(5)}  late ${sum("late")}  exit at most ${Math.round(slowest)} ms after the last answer`,
  )
  if (name === "fw" && sum("dropped") + sum("late") > 0) process.exitCode = 1
}
