/**
 * Measures how long `fw openapi generate` takes to read types. Each file has three operations with types of its own.
 * The builds run in turn, so that other work on the machine slows down all of them.
 *
 * Run it after a build: `node bench/openapi-types.mjs [--node node] [files] [runs] [dist …]`
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { nodeVersion, record } from "./support/record.mjs"

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { node: { type: "string", default: process.execPath } },
})
const [count = "200", runs = "5", ...paths] = positionals
const builds = (paths.length > 0 ? paths : [join(checkout, "dist")]).map((path) => resolve(path))

const shared = `import { type Context, notFound } from "fw"
export interface Page<T> { items: T[]; next?: string; total: number }
export function paging(c: Context) { return { page: c.queryInt("page", 1), size: c.queryInt("size", 20) } }
export function missing(): never { throw notFound("none") }
`

/** @param {number} i */
const writeRoute = (i) => `import { type Context, forbidden } from "fw"
import { missing, paging, type Page } from "../../../../lib/page.ts"
/** A thing. */
export interface Thing${i} { id: number; /** Its name. */ name: string; state: "open" | "done"; owner: Owner${i}; tags: string[]; created: Date; due?: Date }
export interface Owner${i} { id: number; mail: string | null; roles: ("admin" | "user")[] }
const things = new Map<number, Thing${i}>()
/**
 * Lists things.
 *
 * @param page - Which page.
 */
export function Get(c: Context<"id">) {
  const { page, size } = paging(c)
  const result: Page<Thing${i}> = { items: [...things.values()].slice(page * size, size), total: things.size }
  return c.json(200, result)
}
/** Adds a thing. */
export async function Post(c: Context<"id">) {
  const { name, owner } = await c.bind<Pick<Thing${i}, "name" | "owner">>()
  if (name === "") throw forbidden("no")
  const thing: Thing${i} = { id: things.size, name, owner, state: "open", tags: [], created: new Date() }
  things.set(thing.id, thing)
  return c.json(201, thing)
}
/** Changes a thing. */
export async function Patch(c: Context<"id">) {
  const change = await c.bind<Partial<Thing${i}>>()
  const thing = things.get(c.paramInt("id"))
  if (!thing) return missing()
  Object.assign(thing, change)
  return c.json(200, { changed: Object.keys(change), thing })
}
`

/** @param {string} root */
function writeProject(root) {
  mkdirSync(join(root, "node_modules"))
  symlinkSync(checkout, join(root, "node_modules/fw"), "dir")
  symlinkSync(join(checkout, "node_modules/typescript"), join(root, "node_modules/typescript"), "dir")
  mkdirSync(join(root, "lib"))
  writeFileSync(join(root, "lib/page.ts"), shared)
  for (let i = 0; i < Number(count); i++) {
    const directory = join(root, `app/api/things${i}/[id]`)
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, "route.ts"), writeRoute(i))
  }
}

/** @param {string} root @param {string} dist */
function run(root, dist) {
  const command = [options.node, join(dist, "bin/fw.js"), "openapi", "generate", "--force", "--json"]
  const start = performance.now()
  // The `time` of bash also counts the processor time of TypeScript, which runs in a child process.
  const args = ["-c", 'TIMEFORMAT="cpu %U %S"; time "$@"', "bench", ...command]
  const { status, stdout, stderr } = spawnSync("bash", args, { cwd: root, encoding: "utf8" })
  const wall = performance.now() - start
  if (status !== 0 || JSON.parse(stdout).data.operations !== 3 * Number(count)) throw new Error(stdout + stderr)
  const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(stderr) ?? []
  return { wall, cpu: (Number(user) + Number(system)) * 1000 }
}

const root = mkdtempSync(join(tmpdir(), "fw-bench-types-"))
try {
  writeProject(root)
  const samples = builds.map(() => /** @type {{ wall: number, cpu: number }[]} */ ([]))
  for (let i = 0; i < Number(runs); i++) for (const [at, dist] of builds.entries()) samples[at]?.push(run(root, dist))
  for (const [at, dist] of builds.entries()) {
    const [wall, cpu] = /** @type {const} */ (["wall", "cpu"]).map((name) => {
      const values = (samples[at] ?? []).map((one) => Math.round(one[name])).sort((a, b) => a - b)
      return { median: values[Math.floor(values.length / 2)], least: values[0] }
    })
    record({
      title: `Time of fw openapi generate for ${3 * Number(count)} operations`,
      unit: "ms",
      better: "less",
      onlyFw: true,
      rows: [
        {
          row: nodeVersion(options.node),
          values: { "fw, until it ends": wall.median, "fw and TypeScript, processor": cpu.median },
        },
      ],
    })
    const figures = Object.entries({ wall, cpu }).map(
      ([name, { median, least }]) => `${name} median ${median} ms, least ${least} ms`,
    )
    console.log(`${dist}: ${3 * Number(count)} operations, ${figures.join("; ")}`)
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
