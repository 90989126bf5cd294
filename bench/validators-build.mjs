/**
 * Measures how long the validators of a project take: to open its types, to find and read the calls, to write the file, and
 * to read again after one file changed. `node bench/validators-build.mjs [files] [edits]`, with three calls per file, after a build.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { KeptTypes } from "../dist/bin/openapi/kept-types.js"
import { openTypes } from "../dist/bin/tools/typescript/program.js"
import { KeptCalls } from "../dist/bin/validators/kept.js"
import { sourceFiles } from "../dist/bin/validators/prepare.js"
import { candidates, filesWithCalls, readCalls } from "../dist/bin/validators/read.js"
import { writeValidators } from "../dist/bin/validators/write.js"

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))
const [files = "200", edits = "30"] = process.argv.slice(2)
const root = mkdtempSync(join(tmpdir(), "fw-bench-validators-"))

/** @param {string} file @param {string} text */
function put(file, text) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

/** @param {number} n @param {string} mark a literal in one of its types */
function route(n, mark) {
  return `import type { Context } from "fw"
import type { Address, Page } from "../../../lib/shared.ts"
interface Item${n} { id: number; title: string; state: "new" | "done"; tags: string[]; address?: Address; mark: "${mark}" }
export async function Post(c: Context) {
  return c.json(201, await c.bind<Item${n}>())
}
export async function Put(c: Context) {
  return c.json(200, await c.bindForm<{ title: string; count: number; at?: Date; n${n}?: string }>())
}
export async function Get(c: Context) {
  const query = await c.bindQuery<Page & { q${n}?: string }>()
  return c.json(200, query)
}
`
}

/** @template T @param {() => Promise<T> | T} work @returns {Promise<[result: T, wall: number, cpu: number]>} */
async function timed(work) {
  const began = performance.now()
  const cpu = process.cpuUsage()
  const result = await work()
  const took = performance.now() - began
  const { user, system } = process.cpuUsage(cpu)
  return [result, took, (user + system) / 1000]
}

/** @param {number[]} times @param {number} part */
function quantile(times, part) {
  return [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * part)]?.toFixed(1)
}

put("package.json", '{ "type": "module" }')
put(
  "tsconfig.json",
  JSON.stringify({
    compilerOptions: { module: "nodenext", target: "es2022", strict: true, noEmit: true, types: [] },
  }),
)
put(
  "lib/shared.ts",
  "export interface Address { street: string; city: string; zip: string }\nexport interface Page { page?: number; limit?: number }\n",
)
for (let n = 0; n < Number(files); n++) put(`app/r/r${n}/route.ts`, route(n, "first"))
mkdirSync(join(root, "node_modules"))
symlinkSync(checkout, join(root, "node_modules/fw"))
symlinkSync(join(checkout, "node_modules/typescript"), join(root, "node_modules/typescript"))
symlinkSync(join(checkout, "node_modules/@typescript"), join(root, "node_modules/@typescript"))

const [roots, finding] = await timed(async () => candidates(root, await sourceFiles(root)))
const [program, opening] = await timed(() => openTypes(root, { files: roots }))
if ("untyped" in program) throw new Error(program.untyped)
const [found, reading, readingCPU] = await timed(() => readCalls(program, filesWithCalls(program)))
program.close()
const validators = found.flatMap(({ calls }) => calls.flatMap(({ validator }) => validator ?? []))
const [text, writing, writingCPU] = await timed(() => writeValidators(validators))

const types = new KeptTypes(root)
const kept = new KeptCalls(root, types)
await kept.read()
/** @type {number[]} */
const times = []
/** @type {number[]} */
const cpuTimes = []
for (let i = 0; i < Number(edits); i++) {
  put("app/r/r7/route.ts", route(7, `edit ${i}`))
  const [, took, cpu] = await timed(() => kept.read())
  times.push(took)
  cpuTimes.push(cpu)
}
/** @type {number[]} */
const shared = []
for (let i = 0; i < 5; i++) {
  put(
    "lib/shared.ts",
    `export interface Address { street: string; city: string; zip: string; n${i}?: 1 }\nexport interface Page { page?: number; limit?: number }\n`,
  )
  const [, took] = await timed(() => kept.read())
  shared.push(took)
}
await types.close()
rmSync(root, { recursive: true })

const load = loadavg()[0]?.toFixed(1)
console.log(`${files} files, ${validators.length} calls; ${cpus().length} processors, load ${load}`)
console.log(`find files ${finding.toFixed(0)} ms, open types ${opening.toFixed(0)} ms`)
const cpu = (/** @type {number} */ time) => `${time.toFixed(0)} ms of this processor`
console.log(`find and read calls ${reading.toFixed(0)} ms, ${cpu(readingCPU)}`)
console.log(`write ${writing.toFixed(0)} ms, ${cpu(writingCPU)}, ${text.length} characters`)
const least = `${Math.min(...times).toFixed(1)} ms, median ${quantile(times, 0.5)} ms, p95 ${quantile(times, 0.95)} ms`
console.log(`after one file changed: least ${least}; processor: median ${quantile(cpuTimes, 0.5)} ms`)
console.log(`after a file that all import changed: median ${quantile(shared, 0.5)} ms`)
