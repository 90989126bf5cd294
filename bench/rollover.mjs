/**
 * Counts requests that fail while the workers of a program are replaced. `wrk` sends requests to an executable whose workers
 * are replaced again and again, in turn by SIGHUP and by a new file in place of the old one.
 *
 *     node bench/rollover.mjs [--times 10] [--workers 2] [--connections 64] [--dist FOLDER]
 *
 * It builds the executable twice with `fw build`: each new file is the other build, and must answer afterwards. It needs
 * `wrk` (Debian has it). The aim is 0 failed requests: no socket error, no time-out, no status but 200. Otherwise the exit
 * code is 1.
 */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { parseArgs } from "node:util"
import { hasWrk } from "./support/wrk.mjs"

const checkout = join(import.meta.dirname, "..")
const { values: options } = parseArgs({
  options: {
    times: { type: "string", default: "10" },
    workers: { type: "string", default: "2" },
    connections: { type: "string", default: "64" },
    dist: { type: "string", default: join(checkout, "dist") },
  },
})
if (!hasWrk()) throw new Error("wrk is not installed")

const root = mkdtempSync(join(tmpdir(), "fw-rollover-"))
process.once("exit", () => rmSync(root, { recursive: true, force: true }))

/** Builds an executable whose answers name its version. */
function build(version) {
  const route = `export const Get = (c) => c.string(200, ${JSON.stringify(version)})\n`
  writeFileSync(join(root, "app/api/version/route.ts"), route)
  execFileSync(process.execPath, [join(options.dist, "bin/fw.js"), "build"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  })
  renameSync(join(root, "bin/shop"), join(root, version))
}

/** Replaces the program by another build, as a deployment does. */
function deploy(version) {
  copyFileSync(join(root, version), join(root, "next"))
  renameSync(join(root, "next"), join(root, "shop"))
}

/** Starts the program, and waits until it listens. */
async function start() {
  const env = {
    PATH: process.env.PATH,
    PORT: "0",
    HOST: "127.0.0.1",
    FW_WORKERS: options.workers,
    FW_LOG_LEVEL: "off",
  }
  const child = spawn(join(root, "shop"), { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] })
  let replacementCount = 0
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (line.endsWith("workers were replaced")) child.emit("replaced", ++replacementCount)
    else if (!line.startsWith("fw: replacing")) console.error(line)
  })
  const lines = createInterface({ input: child.stdout })
  for await (const line of lines) {
    const port = /^Listening on .*:(\d+)$/.exec(line)?.[1]
    if (port) return { child, url: `http://127.0.0.1:${port}/api/version` }
  }
  throw new Error("the program ended before it listened")
}

async function ask(url) {
  const answer = await fetch(url, { headers: { connection: "close" } })
  return answer.text()
}

/** Runs wrk until the returned `stop` is called, which returns the figures of wrk. */
function load(url) {
  const child = spawn("wrk", ["-t1", `-c${options.connections}`, "-d3600s", "--latency", url])
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text))
  const exitPromise = once(child, "close")
  return async () => {
    child.kill("SIGINT")
    await exitPromise
    const numbers = (pattern) => pattern.exec(output)?.slice(1).map(Number) ?? []
    const [requests = 0] = numbers(/(\d+) requests in/)
    const errors = numbers(/Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/)
    const [refused = 0] = numbers(/Non-2xx or 3xx responses: (\d+)/)
    return { requests, failed: [...errors, refused].reduce((sum, one) => sum + one, 0), output }
  }
}

mkdirSync(join(root, "node_modules"))
mkdirSync(join(root, "app/api/version"), { recursive: true })
writeFileSync(join(root, "package.json"), '{ "name": "shop", "type": "module" }\n')
symlinkSync(join(options.dist, ".."), join(root, "node_modules/fw"), "dir")
symlinkSync(join(checkout, "node_modules/esbuild"), join(root, "node_modules/esbuild"), "dir")
for (const version of ["blue", "green"]) build(version)
deploy("blue")

const { child, url } = await start()
const stop = load(url)
for (let time = 1; time <= Number(options.times); time += 1) {
  const startTime = performance.now()
  const isNewFile = time % 2 === 0
  const version = time % 4 < 2 ? "blue" : "green"
  const replacement = once(child, "replaced")
  if (isNewFile) deploy(version)
  else child.kill("SIGHUP")
  await replacement
  // A connection that is just being opened may still reach a worker that is about to end.
  while (isNewFile && (await ask(url)) !== version);
  const seconds = ((performance.now() - startTime) / 1000).toFixed(1)
  console.log(`${String(time).padStart(2)}  ${isNewFile ? `new file: ${version}` : "SIGHUP"}  ${seconds} s`)
}
const { requests, failed, output } = await stop()
child.kill("SIGINT")
await once(child, "close")
console.log(output.trim())
console.log(
  `${options.times} roll-overs of ${options.workers} workers: ${requests} requests, ${failed} failed (aim: 0)`,
)
process.exitCode = failed > 0 || requests === 0 ? 1 : 0
