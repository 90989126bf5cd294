/**
 * Measures a page with two slow blocks in fw (`{defer}`), in Hono (streaming Suspense) and in the app router of Next.js.
 *
 *     node bench/defer.mjs [--peers FOLDER] [--rounds 31]
 *
 * `--peers` names a folder in which `npm i hono @hono/node-server next react react-dom` was run. Without it, only fw is
 * measured. The page of Next.js is built in that folder. The blocks wait for 100 and 200 ms. Each framework gets one request
 * in turn, so that other work on the machine slows down all of them. The table has the medians. No answer is compressed.
 * "Scripts" are the files that the page loads. The aim: fw sends its first byte within 20 ms, and its last byte as soon as
 * the slower block is done.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { get } from "node:http"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { blockDelaysMs, createFwProject, createHonoProject, createNextProject } from "./support/defer-projects.mjs"

const { values: options } = parseArgs({
  options: {
    peers: { type: "string", default: process.env.FW_BENCH_PEERS },
    rounds: { type: "string", default: "31" },
  },
})
const checkout = join(import.meta.dirname, "..")
const folder = mkdtempSync(join(tmpdir(), "fw-bench-defer-"))
const children = []

async function findFreePort() {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address()
  server.close()
  return port
}

/** Requests a URL. Returns the milliseconds until the first and the last byte of the body, and the body. */
function measure(url) {
  return new Promise((resolve, reject) => {
    const startTime = performance.now()
    get(url, { agent: false, headers: { accept: "text/html", "accept-encoding": "identity" } }, (response) => {
      let first
      let body = ""
      response.setEncoding("utf8").on("data", (text) => {
        first ??= performance.now() - startTime
        body += text
      })
      response.on("end", () =>
        resolve({ first, total: performance.now() - startTime, body, status: response.statusCode }),
      )
    }).on("error", reject)
  })
}

/** Waits until a server answers. */
async function waitForServer(url, child) {
  while (child.exitCode === null) {
    const answer = await measure(url).catch(() => null)
    if (answer?.status === 200) return answer
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`the server of ${url} has ended`)
}

async function start(label, { cwd, args, portFlag }) {
  const port = await findFreePort()
  const allArgs = portFlag ? [...args, portFlag, String(port)] : args
  const env = { ...process.env, PORT: String(port), NODE_ENV: "production" }
  const child = spawn(process.execPath, allArgs, { cwd, env, stdio: ["ignore", "ignore", "inherit"] })
  children.push(child)
  const url = `http://127.0.0.1:${port}/`
  const { body } = await waitForServer(url, child)
  if (body.split("<li>").length !== 101) throw new Error(`${label} did not send both blocks`)
  return { label, url, scripts: await countScriptBytes(url, body), samples: [] }
}

async function countScriptBytes(url, body) {
  const sources = new Set([...body.matchAll(/<script[^>]*\ssrc="([^"]+)"/g)].map(([, source]) => source))
  const files = await Promise.all([...sources].map((source) => measure(new URL(source, url))))
  return files.reduce((sum, file) => sum + Buffer.byteLength(file.body), 0)
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

try {
  const { peers } = options
  const contenders = [await start("fw", createFwProject(join(folder, "fw"), checkout))]
  if (peers) {
    contenders.push(await start("Hono", createHonoProject(join(folder, "hono"), peers)))
    contenders.push(await start("Next.js", createNextProject(peers)))
  }
  for (let round = 0; round < Number(options.rounds) + 5; round++) {
    for (const one of contenders) {
      const sample = await measure(one.url)
      // The first rounds only warm up the servers.
      if (round >= 5) one.samples.push(sample)
    }
  }
  console.log(`blocks of ${blockDelaysMs.join(" and ")} ms, ${options.rounds} rounds\n`)
  console.log("| | first byte | total | page | scripts |\n| --- | --- | --- | --- | --- |")
  for (const { label, samples, scripts } of contenders) {
    const first = median(samples.map((sample) => sample.first)).toFixed(1)
    const total = median(samples.map((sample) => sample.total)).toFixed(0)
    const bytes = median(samples.map(({ body }) => Buffer.byteLength(body)))
    console.log(`| ${label} | ${first} ms | ${total} ms | ${bytes} bytes | ${scripts} bytes |`)
  }
} finally {
  for (const child of children) child.kill("SIGKILL")
  rmSync(folder, { recursive: true, force: true })
}
