/**
 * Measures how long after a save `fw dev` writes the document of `app.openapi()`. Each file has three operations.
 *
 * Run it after a build: `node bench/openapi-dev.mjs [files] [saves]`
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, watch, writeFileSync } from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))
const [files = "200", saves = "30"] = process.argv.slice(2)
const root = mkdtempSync(join(tmpdir(), "fw-bench-dev-"))

/** @param {string} file @param {string} text */
function writeProjectFile(file, text) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

/** Returns the source of a route. @param {number} n @param {string} mark a literal that the document shows */
function writeRoute(n, mark) {
  return `import { badRequest, type Context } from "fw"
import type { Page } from "../../../lib/shared.ts"
export interface Item${n} { readonly id: string; title: string; state: "new" | "done"; tags: readonly string[]; mark: "${mark}" }
export interface New${n} { title: string; tags?: string[] }
const all = new Map<string, Item${n}>()
export function Get(c: Context) {
  const page: Page<Item${n}> = { items: [...all.values()].slice(0, c.queryInt("limit", 20)), total: all.size }
  return c.json(200, page)
}
export async function Post(c: Context) {
  const { title, tags = [] } = await c.bind<New${n}>()
  if (title === "") throw badRequest("no title")
  const made: Item${n} = { id: title, title, state: "new", tags, mark: "${mark}" }
  return c.json(201, made)
}
export function Delete(c: Context) {
  all.delete(c.query("id"))
  return c.noContent()
}
`
}

/**
 * Returns the memory of a process and all processes that it started, in megabytes. @param {number} pid @returns
 * {number}
 */
function measureMemory(pid) {
  try {
    const ownMemory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean)
    return children.reduce((sum, child) => sum + measureMemory(Number(child)), ownMemory)
  } catch {
    return 0
  }
}

/** Waits until the document contains a text. @param {string} mark */
async function waitForMark(mark) {
  const file = join(root, ".fw/openapi.json")
  const hasMark = () => {
    try {
      return readFileSync(file, "utf8").includes(`"${mark}"`)
    } catch {
      return false
    }
  }
  if (hasMark()) return
  const watcher = watch(join(root, ".fw"))
  try {
    for (;;) {
      await once(watcher, "change")
      if (hasMark()) return
    }
  } finally {
    watcher.close()
  }
}

mkdirSync(join(root, "node_modules"))
mkdirSync(join(root, ".fw"))
for (const name of ["fw", "typescript", "esbuild"])
  symlinkSync(name === "fw" ? checkout : join(checkout, "node_modules", name), join(root, "node_modules", name))
writeProjectFile("package.json", '{ "name": "many", "type": "module" }')
writeProjectFile(
  "main.ts",
  'import { App } from "fw"\nconst app = new App({ logger: false })\napp.openapi()\nexport default app\n',
)
writeProjectFile("lib/shared.ts", "export interface Page<T> { items: T[]; total: number }\n")
for (let n = 0; n < Number(files); n++) writeProjectFile(`app/api/item${n}/route.ts`, writeRoute(n, `start${n}`))

const args = [join(checkout, "dist/bin/fw.js"), "dev", "--port", "0"]
const dev = spawn(process.execPath, args, { cwd: root, stdio: "ignore" })
try {
  const startTime = performance.now()
  await waitForMark("start0")
  const first = performance.now() - startTime
  const times = []
  for (let n = 0; n < Number(saves); n++) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    const start = performance.now()
    writeProjectFile(`app/api/item${n % Number(files)}/route.ts`, writeRoute(n % Number(files), `saved${n}`))
    await waitForMark(`saved${n}`)
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const getQuantile = (/** @type {number} */ part) =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0)
  console.log(
    `${cpus()[0]?.model}, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}, ${files} files, ${saves} saves`,
  )
  console.log(
    `first document ${Math.round(first)} ms after the start; after a save: median ${getQuantile(0.5)} ms, p95 ${getQuantile(0.95)} ms`,
  )
  console.log(`memory of fw dev and all below it: ${Math.round(measureMemory(/** @type {number} */ (dev.pid)))} MB`)
} finally {
  dev.kill("SIGTERM")
  await once(dev, "exit")
  rmSync(root, { recursive: true, force: true })
}
