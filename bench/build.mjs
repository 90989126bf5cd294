/**
 * Measures how long a warm `fw build` of examples/tasks takes, and how long the built executable needs until it
 * listens. Each start of the executable is followed by a start of the bundle under this Node and by one of Node alone,
 * so that other work on the machine slows down all three.
 *
 * Run it by hand: node bench/build.mjs
 */
import { execFileSync, spawn } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const buildCount = 5
const startCount = 21

const directory = mkdtempSync(join(tmpdir(), "fw-bench-build-"))
process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
const example = join(root, "examples", "tasks")
for (const name of readdirSync(example)) {
  if (![".fw", "bin", "dist", "data", "node_modules"].includes(name)) {
    cpSync(join(example, name), join(directory, name), { recursive: true })
  }
}
symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))

const compiler = execFileSync(process.execPath, [join(root, "tests/support/bin/css/css-standalone.mjs")], {
  encoding: "utf8",
})
const FW_CSS_BINARY = compiler.trim().split("\n").at(-1)

/** @param {number[]} list */
function median(list) {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
}

/** @param {string[]} args */
function build(...args) {
  const startTime = performance.now()
  execFileSync(process.execPath, [join(root, "dist/bin/fw.js"), "build", ...args], {
    cwd: directory,
    env: { ...process.env, FW_CSS_BINARY },
    stdio: ["ignore", "ignore", "inherit"],
  })
  return performance.now() - startTime
}

/**
 * Starts a program, and waits until it listens or ends.
 *
 * @param {string} program @param {string[]} args
 */
function start(program, ...args) {
  const startTime = performance.now()
  const env = { PORT: "0", TASKS_DATA: "", FW_LOG_LEVEL: "off" }
  const child = spawn(program, args, { cwd: directory, env, stdio: ["ignore", "pipe", "inherit"] })
  return new Promise((resolve) => {
    const exitPromise = new Promise((done) => child.once("exit", done))
    let durationMs = 0
    const recordTime = () => {
      durationMs ||= performance.now() - startTime
    }
    child.stdout.once("data", () => {
      recordTime()
      child.kill("SIGTERM")
    })
    exitPromise.then(() => {
      recordTime()
      resolve(durationMs)
    })
  })
}

/** @param {string} name @param {number[]} list */
function report(name, list) {
  const [min, max] = [Math.min(...list), Math.max(...list)]
  console.log(`${name.padEnd(44)} ${median(list).toFixed(0).padStart(6)} ms  (${min.toFixed(0)} to ${max.toFixed(0)})`)
}

build("--target", "node")
console.log(`the first build, with Node in the cache or not: ${(build() / 1000).toFixed(1)} s`)
const warm = []
for (let i = 0; i < buildCount; i++) warm.push(build())
report(`fw build, warm, ${buildCount} times`, warm)

const executable = join(directory, "bin", "tasks")
console.log(`the executable: ${(statSync(executable).size / 1e6).toFixed(1)} MB`)
const times = { executable: [], bundle: [], node: [] }
for (let i = 0; i < startCount; i++) {
  times.executable.push(await start(executable))
  times.bundle.push(await start(process.execPath, join(directory, "dist/node/server.mjs")))
  times.node.push(await start(process.execPath, "-e", "0"))
}
report(`the executable until it listens, ${startCount} times`, times.executable)
report(`the bundle under Node ${process.versions.node}, the same`, times.bundle)
report(`node -e 0 under Node ${process.versions.node}, to its end`, times.node)
