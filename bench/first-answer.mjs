/**
 * Measures how much processor time and memory a server uses from its start to its first answer: fw, a bare
 * `http.createServer`, Fastify and Hono.
 *
 *     node bench/first-answer.mjs [--peers FOLDER] [--runs 15] [--node node] [--checkout .]
 *
 * `--peers` names a folder in which `npm i fastify hono @hono/node-server` was run. Without it, Fastify and Hono are left
 * out. The servers are started in turn, so that other work on the machine slows down all of them. Each server measures
 * itself and prints the figures.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { nodeVersion, record } from "./support/record.mjs"
import { median } from "./support/turns.mjs"

const { values: options } = parseArgs({
  options: {
    peers: { type: "string" },
    runs: { type: "string", default: "15" },
    node: { type: "string", default: process.execPath },
    checkout: { type: "string", default: join(import.meta.dirname, "..") },
  },
})

/** Code that each server runs once it listens: it requests the page, prints the figures and ends. */
const requestSource = `(address) => get("http://" + address, (answer) => {
  answer.resume()
  answer.on("end", () => {
    const { user, system } = process.cpuUsage()
    console.log(JSON.stringify({ cpu: (user + system) / 1000, memory: process.memoryUsage().rss / 1e6 }))
    process.exit()
  })
})`
const programs = {
  "http.createServer": `import { createServer, get } from "node:http"
const server = createServer((_, answer) => answer.setHeader("content-type", "text/plain").end("hi"))
server.listen(0, "127.0.0.1", () => (${requestSource})("127.0.0.1:" + server.address().port))`,
  fw: `import { get } from "node:http"
import { App } from "fw"
import { serve } from "fw/node"
const app = new App({ logger: false })
app.get("/", (c) => c.string(200, "hi"))
const server = await serve(app, "127.0.0.1:0")
;(${requestSource})(server.addr)`,
  ...(options.peers && {
    fastify: `import { get } from "node:http"
import Fastify from "fastify"
const app = Fastify({ logger: false })
app.get("/", (_, reply) => reply.send("hi"))
await app.listen({ host: "127.0.0.1", port: 0 })
;(${requestSource})("127.0.0.1:" + app.server.address().port)`,
    hono: `import { get } from "node:http"
import { serve } from "@hono/node-server"
import { Hono } from "hono"
const app = new Hono()
app.get("/", (c) => c.text("hi"))
const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, () =>
  (${requestSource})("127.0.0.1:" + server.address().port))`,
  }),
}

/** @param {number[]} values */
function summarize(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return `median ${sorted[Math.floor(sorted.length / 2)]?.toFixed(1)}, least ${sorted[0]?.toFixed(1)}`
}

const root = mkdtempSync(join(tmpdir(), "fw-bench-"))
try {
  mkdirSync(join(root, "node_modules"))
  symlinkSync(resolve(options.checkout), join(root, "node_modules", "fw"), "dir")
  for (const name of options.peers ? ["fastify", "hono", "@hono"] : [])
    symlinkSync(resolve(options.peers, "node_modules", name), join(root, "node_modules", name), "dir")
  const names = Object.keys(programs)
  for (const [index, text] of Object.values(programs).entries()) writeFileSync(join(root, `${index}.mjs`), text)
  const samples = names.map(() => /** @type {{ cpu: number, memory: number }[]} */ ([]))
  for (let run = 0; run < Number(options.runs); run += 1) {
    for (const [index, list] of samples.entries()) {
      const { stdout, stderr, status } = spawnSync(options.node, [`${index}.mjs`], {
        cwd: root,
        encoding: "utf8",
      })
      if (status !== 0) throw new Error(stderr)
      list.push(JSON.parse(stdout))
    }
  }
  const getMedians = (kind) =>
    Object.fromEntries(
      samples.map((list, index) => [names[index], Math.round(median(list.map((one) => one[kind])) * 10) / 10]),
    )
  const version = nodeVersion(options.node)
  record({
    title: "From the start of the program to its first answer",
    unit: "ms or MB",
    better: "less",
    measure: "http.createServer",
    rows: [
      { row: `${version}, processor time, ms`, values: getMedians("cpu") },
      { row: `${version}, resident memory, MB`, values: getMedians("memory") },
    ],
  })
  for (const [index, list] of samples.entries()) {
    const cpu = summarize(list.map((one) => one.cpu))
    const memory = summarize(list.map((one) => one.memory))
    console.log(`${names[index]?.padEnd(18)} processor ${cpu} ms   memory ${memory} MB`)
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
