/**
 * Measures the nanoseconds that a router needs to find a route: fw, find-my-way, the routers of Hono, rou3 and memoirist.
 *
 *     node bench/router.mjs [--peers FOLDER] [--routes 218] [--rounds 12] [--memory]
 *
 * `--peers` names a folder in which `npm i find-my-way hono rou3 memoirist` was run. Without it, the others are left out.
 * Each path is cut out of a request target for each search, as in a server, because V8 computes the hash of a new string when
 * it is first looked up. The routers run in turn. The least time of all rounds is printed, less the time of the loop itself.
 * `--memory` prints the memory that fw needs per route.
 */
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { build } from "esbuild"
import { record } from "./support/record.mjs"

const { values: options } = parseArgs({
  options: {
    peers: { type: "string", default: process.env.FW_BENCH_PEERS },
    routes: { type: "string", default: "218" },
    rounds: { type: "string", default: "12" },
    memory: { type: "boolean", default: false },
  },
})

/** The resources of an API with twelve routes for each resource, and two more routes. */
const names = Array.from({ length: Math.ceil((Number(options.routes) - 2) / 12) }, (_, i) => createName(i))
const patterns = [
  "/",
  "/assets/*",
  ...names.flatMap((name) =>
    [
      ...["", "/new", "/search/recent", "/{id}", "/{id}/edit", "/{id}/history", "/{id}/comments"],
      ...["/{id}/comments/{comment}", "/{id}/comments/{comment}/replies/{reply}", "/{id}/members/{member}"],
    ].map((rest) => `/${name}${rest}`),
  ),
  ...names.flatMap((name) => [`/api/v1/${name}`, `/api/v1/${name}/{id}`]),
]
const rows = {
  static: names.map((name) => `/api/v1/${name}`),
  "one parameter": names.map((name, i) => `/${name}/item-${i}`),
  "three parameters": names.map((name, i) => `/${name}/item-${i}/comments/c-${i}/replies/r${i}`),
  miss: names.map((name, i) => `/nothing/${name}/item-${i}`),
}

function createName(index) {
  const words =
    "users posts teams projects issues labels files events hooks keys orders items pages tags notes tasks mails roles"
  const list = words.split(" ")
  const turn = Math.floor(index / list.length)
  return `${list[index % list.length]}${turn === 0 ? "" : turn}`
}

/**
 * Imports a module of the sources, which the package does not export. It is bundled first, because Node 20 cannot run
 * TypeScript.
 */
async function importSource(file) {
  const root = join(import.meta.dirname, "..")
  const options = {
    absWorkingDir: root,
    entryPoints: [file],
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
  }
  const { outputFiles } = await build({ ...options, conditions: ["fw-source", "node"] })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`)
}

async function createFwRouter() {
  const { App, getRoutes } = await importSource("lib/app.ts")
  const app = new App({ logger: false })
  const before = process.memoryUsage().heapUsed
  for (const pattern of patterns) app.get(pattern, (c) => c.noContent())
  globalThis.gc?.()
  if (options.memory)
    console.log(`fw: ${Math.round((process.memoryUsage().heapUsed - before) / patterns.length)} bytes per route`)
  const table = getRoutes(app)
  return (path) => table.find("GET", path)
}

/** Returns the other routers by name: for each, a function that finds a path. */
async function loadPeers(folder) {
  const require = createRequire(join(folder, "package.json"))
  const load = (name) => import(pathToFileURL(require.resolve(name)).href)
  const colons = patterns.map((pattern) => pattern.replaceAll(/\{(\w+)\}/g, ":$1"))
  const { default: findMyWay } = await load("find-my-way")
  const way = findMyWay()
  for (const pattern of colons) way.on("GET", pattern, () => {})
  const { Memoirist } = await load("memoirist")
  const memoirist = new Memoirist()
  for (const pattern of colons) memoirist.add("GET", pattern, 1)
  const { createRouter, addRoute, findRoute } = await load("rou3")
  const rou3 = createRouter()
  for (const pattern of colons) addRoute(rou3, "GET", pattern.replace("*", "**"), 1)
  const hono = dirname(require.resolve("hono"))
  const loadHonoRouter = (kind) => import(pathToFileURL(join(hono, "..", "router", kind, "index.js")).href)
  const { RegExpRouter } = await loadHonoRouter("reg-exp-router")
  const { TrieRouter } = await loadHonoRouter("trie-router")
  const { SmartRouter } = await loadHonoRouter("smart-router")
  const smart = new SmartRouter({ routers: [new RegExpRouter(), new TrieRouter()] })
  const trie = new TrieRouter()
  for (const router of [smart, trie]) for (const pattern of colons) router.add("GET", pattern, 1)
  return {
    "find-my-way": (path) => way.find("GET", path),
    memoirist: (path) => memoirist.find("GET", path),
    rou3: (path) => findRoute(rou3, "GET", path),
    "hono SmartRouter": (path) => smart.match("GET", path),
    "hono TrieRouter": (path) => trie.match("GET", path),
  }
}

function readProcessorTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

const finders = { none: (path) => path, fw: await createFwRouter() }
if (options.peers) Object.assign(finders, await loadPeers(options.peers))
else console.error("Peers are left out: no --peers FOLDER was given.")
const minTimes = Object.fromEntries(Object.keys(finders).map((name) => [name, {}]))
const count = 50_000
let foundCount = 0
for (let round = 0; round < Number(options.rounds); round++) {
  for (const [row, paths] of Object.entries(rows)) {
    const targets = paths.map((path) => `${path}?page=1`)
    for (const [name, find] of Object.entries(finders)) {
      const before = readProcessorTime()
      for (let i = 0; i < count; i++) {
        const target = targets[i % targets.length]
        if (find(target.slice(0, target.length - 7))) foundCount++
      }
      minTimes[name][row] = Math.min(
        minTimes[name][row] ?? Number.POSITIVE_INFINITY,
        (readProcessorTime() - before) / count,
      )
    }
  }
}
const time = (name, row) => Math.round(minTimes[name][row] - minTimes.none[row])
const contenders = Object.keys(finders).filter((name) => name !== "none")
record({
  title: `Time to find one of ${patterns.length} routes`,
  unit: "ns",
  better: "less",
  rows: Object.keys(rows).map((row) => ({
    row,
    values: Object.fromEntries(contenders.map((name) => [name, time(name, row)])),
  })),
})
console.log(`${patterns.length} routes, ns per search, Node ${process.version} (${foundCount} found)`)
console.log(["".padEnd(18), ...Object.keys(rows).map((row) => row.padStart(18))].join(""))
for (const name of contenders) {
  const cells = Object.keys(rows).map((row) => String(time(name, row)).padStart(18))
  console.log([name.padEnd(18), ...cells].join(""))
}
