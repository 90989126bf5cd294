/**
 * Runs the benches behind `docs/performance.md` and writes their figures to `bench/results.json`. After it,
 * `node scripts/performance.mjs` writes the tables and charts of the page.
 *
 *     node bench/performance.mjs [--only TABLE]… [--work FOLDER] [--short]
 *
 * It needs a build (`npm run build`), Linux and the npm registry: the peers and the other runtimes are installed in
 * `--work`, which is kept for the next run. `--short` takes a fifth of the time, to try the script. `--only` replaces
 * some tables and keeps the others; the page says when and on what they were measured, if that is another day or
 * machine. Nothing else should run on the machine meanwhile: the whole takes about 45 minutes.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { cpus, loadavg, release, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"

const here = import.meta.dirname
const { values: options } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    work: { type: "string", default: join(tmpdir(), "fw-performance") },
    short: { type: "boolean", default: false },
  },
})
if (!process.version.startsWith("v20.")) throw new Error("run it by Node 20, which is one of the rows")
const results = join(here, "results.json")
const runtimes = JSON.parse(readFileSync(join(here, "../tests/runtimes/versions.json"), "utf8")).dependencies
const peers = {
  fastify: "5.12.8",
  hono: "4.13.19",
  "@hono/node-server": "2.1.8",
  elysia: "1.4.30",
  "find-my-way": "9.10.1",
  rou3: "1.0.0",
  memoirist: "1.2.2",
  eta: "4.6.0",
  ghtml: "4.0.2",
  preact: "11.2.0",
  "preact-render-to-string": "6.8.2",
  svelte: "5.57.3",
  "@kitajs/html": "4.2.13",
  zod: "4.6.7",
  valibot: "1.5.0",
  typebox: "1.4.3",
  ajv: "8.20.0",
  "ajv-formats": "3.0.1",
  arktype: "2.2.9",
  pino: "10.4.0",
}

/** Installs packages in a folder below `--work`, unless these very ones are there. */
function install(name, packages) {
  const folder = join(options.work, name)
  const file = join(folder, "package.json")
  const text = JSON.stringify({ private: true, dependencies: packages })
  if (existsSync(file) && readFileSync(file, "utf8") === text) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, text)
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"]
  execFileSync("npm", args, { cwd: folder, stdio: "inherit" })
  return folder
}

const peerFolder = install("peers", peers)
const runtimeFolder = join(install("runtimes", runtimes), "node_modules")
const programs = {
  "node-20": process.execPath,
  "node-24": join(runtimeFolder, "node-24/bin/node"),
  "node-26": join(runtimeFolder, "node-26/bin/node"),
  bun: join(runtimeFolder, "@oven/bun-linux-x64/bin/bun"),
  deno: join(runtimeFolder, "@deno/linux-x64-glibc/deno"),
}
/** Returns the version that a runtime prints. */
const versionOf = (program) =>
  execFileSync(program, ["--version"], { encoding: "utf8" }).trim().split("\n")[0]

const amount = (long, short) => String(options.short ? short : long)
const http = (option, program) => [
  "http.mjs",
  ...["--peers", peerFolder, option, program],
  ...["--processes", amount(5, 1), "--rounds", amount(3, 3), "--seconds", amount(0.7, 0.5)],
]
const nodes = /** @type {const} */ (["node-20", "node-24", "node-26"])
/** Arguments of the bench, or of several benches, for each table, or group of tables. */
const plan = {
  ...Object.fromEntries(nodes.map((name) => [`http-${name}`, http("--node", programs[name])])),
  "http-bun": http("--bun", programs.bun),
  "http-deno": http("--deno", programs.deno),
  "http-routes": [
    "http.mjs",
    ...["10", "200", "10000"].flatMap((count) => ["--routes", count]),
    ...["--processes", amount(5, 1), "--rounds", amount(4, 3), "--seconds", amount(0.6, 0.4)],
  ],
  router: ["router.mjs", "--peers", peerFolder, "--rounds", amount(20, 3)],
  start: nodes.map((name) => {
    const args = ["--peers", peerFolder, "--node", programs[name], "--runs", amount(21, 3)]
    return ["first-answer.mjs", ...args]
  }),
  rendering: ["rendering.mjs", "--peers", peerFolder],
  table: ["template.mjs", peerFolder],
  logging: ["logging.mjs", "--peers", peerFolder],
  validation: ["validation.mjs", "--peers", peerFolder, "--rounds", amount(15, 2)],
  dev: [["dev-reload.mjs"], ["dev-reload.mjs", "--templates"], ["dev-browser.mjs"]],
  openapi: nodes.map((name) => ["openapi-types.mjs", "--node", programs[name], "200", amount(9, 2)]),
  size: ["bundle-size.mjs"],
}

/** The tables that a bench records. */
function run(name) {
  const file = join(options.work, "record.jsonl")
  rmSync(file, { force: true })
  const load = loadavg()[0]
  console.error(`${name} (load ${load.toFixed(1)})`)
  const commands = Array.isArray(plan[name][0]) ? plan[name] : [plan[name]]
  for (const command of commands) runOne(name, command, file)
  const found = new Map()
  for (const line of readFileSync(file, "utf8").trimEnd().split("\n")) {
    const table = JSON.parse(line)
    const rows = [...(found.get(table.id)?.rows ?? []), ...table.rows]
    found.set(table.id, { ...table, rows, load: Math.round(load * 10) / 10 })
  }
  return [...found.values()]
}

function runOne(name, [script, ...args], file) {
  const { status } = spawnSync(process.execPath, [join(here, script), ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, FW_BENCH_RECORD: file, FW_BENCH_TABLE: name },
  })
  if (status !== 0) throw new Error(`bench/${script} failed`)
}

const wanted = options.only ?? Object.keys(plan)
const unknown = wanted.filter((name) => !(name in plan))
if (unknown.length > 0)
  throw new Error(`there is no table ${unknown.join(", ")}: use ${Object.keys(plan).join(", ")}`)
const before = options.only && existsSync(results) ? JSON.parse(readFileSync(results, "utf8")) : undefined
const tables = new Map(before?.tables.map((table) => [table.id, table]))
const date = new Date().toISOString().slice(0, 10)
const machine = {
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  system: `Linux ${release().split("-")[0]}`,
}
for (const name of wanted)
  for (const table of run(name)) tables.set(table.id, { ...table, date, processor: machine.processor })
const made = {
  date: before?.date ?? date,
  isShort: before?.isShort ?? options.short,
  machine: before?.machine ?? machine,
  runtimes: Object.fromEntries(Object.entries(programs).map(([name, path]) => [name, versionOf(path)])),
  peers,
  tables: [...tables.values()],
}
writeFileSync(results, `${JSON.stringify(made, null, 2)}\n`)
