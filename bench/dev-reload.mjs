/**
 * Measures how long after a save `fw dev` sends the new answer. Ten edits are made while requests are sent in a loop.
 * The project has 100 routes, or 500 pages with `--templates`.
 *
 * An edit is saved every 1.5 s, as a fast user would; with `--pause=400`, saves come while the next process still
 * starts. `--memory` makes 100 edits and prints the memory of all processes before and after them, without that of
 * TypeScript (PSS, Linux only).
 *
 * Run it by hand: node bench/dev-reload.mjs [--templates] [--pause=<ms>] [--memory]
 */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { Agent, get } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { devTable, record } from "./support/record.mjs"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const usesTemplates = process.argv.includes("--templates")
const pauseMs = Number(process.argv.find((arg) => arg.startsWith("--pause="))?.slice("--pause=".length) ?? 1500)
const routeCount = usesTemplates ? 500 : 100
const measuresMemory = process.argv.includes("--memory")
const editCount = measuresMemory ? 100 : 10
const editedIndex = 42

/** @param {number} index @param {number} version */
function pageText(index, version) {
  return `import type { Context } from "fw"

template Row(name: string, done: boolean) {
  <li class={["row", done && "done"]}><a href={\`/api/r${index}?name=\${name}\`}>{name}</a></li>
}

template Page(c: Context) {
  <h1>Page ${index}</h1>
  <p id="version">${version}</p>
  <ul>{for (const name of ["a", "b", c.path]) { {Row(name, name === "a")} }}</ul>
}
`
}

/** The file that answers `/api/r<index>`. @param {number} index */
function getFile(index) {
  return join("app", "api", `r${index}`, usesTemplates ? "page.tpl" : "route.ts")
}

/** @param {number} index @param {number} version */
function writeText(index, version) {
  return usesTemplates ? pageText(index, version) : routeText(index, version)
}

/** @param {number} index @param {number} version */
function routeText(index, version) {
  return `import { type Context, notFound } from "fw"

/** Answers number ${index}. */
export function Get(c: Context): Response {
  if (c.query("missing") === "true") throw notFound("number ${index} is missing")
  return c.json(200, { route: ${index}, version: ${version} })
}

export async function Post(c: Context): Promise<Response> {
  const body = await c.bind<{ name: string }>()
  return c.json(200, { route: ${index}, hello: body.name })
}
`
}

/** @param {string} project */
function makeProject(project) {
  mkdirSync(join(project, "node_modules"))
  symlinkSync(root, join(project, "node_modules", "fw"))
  symlinkSync(join(root, "node_modules", "esbuild"), join(project, "node_modules", "esbuild"))
  writeFileSync(join(project, "package.json"), '{ "type": "module" }\n')
  writeFileSync(join(project, "main.ts"), 'import { App } from "fw"\n\nexport default new App({ logger: false })\n')
  for (let i = 0; i < routeCount; i++) {
    mkdirSync(dirname(join(project, getFile(i))), { recursive: true })
    writeFileSync(join(project, getFile(i)), writeText(i, 0))
  }
}

/** @param {string} project @returns {Promise<{ child: import("node:child_process").ChildProcess, port: number }>} */
function startDev(project) {
  const child = spawn(process.execPath, [join(root, "dist", "bin", "fw.js"), "dev", "--port", "0"], {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
  })
  return new Promise((resolve, reject) => {
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text
      const port = /Local: +http:\/\/localhost:(\d+)/.exec(output)?.[1]
      if (port) resolve({ child, port: Number(port) })
    })
    child.once("exit", (code) => reject(new Error(`fw dev ended with ${code}:\n${output}`)))
  })
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 })

/** @param {number} port @returns {Promise<number>} the version that answers */
function requestVersion(port) {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: `/api/r${editedIndex}`, agent }
    get(options, (answer) => {
      let body = ""
      answer.setEncoding("utf8").on("data", (text) => {
        body += text
      })
      answer.once("end", () => {
        if (answer.statusCode === 200) resolve(Number(/(?:"version":|<p id="version">)(\d+)/.exec(body)?.[1]))
        else reject(new Error(`${answer.statusCode} ${body}`))
      })
      answer.once("error", reject)
    }).once("error", reject)
  })
}

/** Returns the text of a file in `/proc`; empty if the process has ended. @param {string} path */
function readProcessFile(path) {
  try {
    return readFileSync(join("/proc", path), "utf8")
  } catch {
    return ""
  }
}

/**
 * Prints the memory of a process and of the processes that it started, each with the name of its program. @param
 * {string} when @param {number} first
 */
function printMemory(when, first) {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), Number(/^PPid:\s*(\d+)/m.exec(readProcessFile(`${name}/status`))?.[1])]),
  )
  const isOurs = (/** @type {number | undefined} */ pid) =>
    pid !== undefined && (pid === first || (parents.has(pid) && isOurs(parents.get(pid))))
  const rows = [...parents.keys()].filter(isOurs).map((pid) => {
    const size = Number(/^Pss:\s*(\d+)/m.exec(readProcessFile(`${pid}/smaps_rollup`))?.[1] ?? 0) / 1024
    return { size, command: readProcessFile(`${pid}/cmdline`).replaceAll("\0", " ") }
  })
  const countedRows = rows.filter(({ command }) => !/facts-child|typescript|tsc/.test(command))
  const sum = countedRows.reduce((total, { size }) => total + size, 0)
  const list = countedRows.map(({ size, command }) => {
    return `${/(?:^|\/)(esbuild|[\w-]+\.js)\b/.exec(command)?.[1] ?? command} ${size.toFixed(0)}`
  })
  console.log(`memory ${when}: ${sum.toFixed(0)} MB in ${countedRows.length} processes (${list.join(", ")})`)
}

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle - 0.5)] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

async function main() {
  const project = mkdtempSync(join(tmpdir(), "fw-bench-"))
  makeProject(project)
  const { child, port } = await startDev(project)
  const failures = []
  const latest = { version: 0, at: 0 }
  let requests = 0
  let isRunning = true
  const loop = async () => {
    while (isRunning) {
      requests += 1
      try {
        const version = await requestVersion(port)
        if (version > latest.version) Object.assign(latest, { version, at: performance.now() })
      } catch (error) {
        failures.push(error)
      }
      // About as often as a browser would ask. More requests would slow down the reload that is measured.
      await sleep(1)
    }
  }
  const loops = [loop(), loop()]
  const times = []
  await sleep(pauseMs)
  if (measuresMemory) printMemory("at the start", child.pid ?? 0)
  for (let version = 1; version <= editCount; version++) {
    const startTime = performance.now()
    writeFileSync(join(project, getFile(editedIndex)), writeText(editedIndex, version))
    while (latest.version < version) await sleep(1)
    times.push(latest.at - startTime)
    if (!measuresMemory) console.log(`edit ${String(version).padStart(2)}: ${times.at(-1)?.toFixed(1)} ms`)
    await sleep(pauseMs)
  }
  if (measuresMemory) printMemory(`after ${editCount} edits`, child.pid ?? 0)
  isRunning = false
  await Promise.all(loops)
  agent.destroy()
  console.log(`median ${median(times).toFixed(1)} ms, ${requests} requests, ${failures.length} refused or failed`)
  const row = usesTemplates ? "template of 500 pages, to the answer" : "handler of 100 routes, to the answer"
  record({ ...devTable, rows: [{ row, values: { "fw dev": median(times) } }] })
  for (const error of failures.slice(0, 5)) console.log(String(error))
  const exitPromise = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  await exitPromise
  rmSync(project, { recursive: true, force: true })
  process.exitCode = failures.length > 0 ? 1 : 0
}

await main()
