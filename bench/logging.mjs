/**
 * Measures the processor time of logging a request: that of an app with its request logger, less that of the same app without
 * a logger.
 *
 *     npm install --prefix /tmp/fw-bench pino
 *     node bench/logging.mjs [--peers /tmp/fw-bench] [--other DIST] [--rounds 201] [--processes 7]
 *
 * fw is compared with Hono and its `logger()`, and with an fw app that logs by pino in a middleware; pino writes in batches.
 * Each of them runs in a process of its own, because a program has only one logger. They run in turn. The lines are written
 * to `/dev/null`. The bench prints two medians over the processes: the difference while the machine is quiet, and the median
 * difference of all rounds. `--other` is the `dist` directory of another version of fw.
 */
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { Hono } from "hono"
import { logger } from "hono/logger"
import { record } from "./support/record.mjs"
import { measureInTurns, median } from "./support/turns.mjs"

const { values: options } = parseArgs({
  options: {
    peers: { type: "string", default: "/tmp/fw-bench" },
    other: { type: "string" },
    rounds: { type: "string", default: "201" },
    processes: { type: "string", default: "7" },
    child: { type: "string" },
  },
})
process.env.FW_LOG_LEVEL = "info"

async function createFwApps(folder, use) {
  const { App } = await import(new URL("lib/index.js", folder).href)
  const createApp = (isOn) => {
    const app = new App({ logger: isOn && !use })
    if (isOn && use) app.use(use)
    app.get("/users/{id}", (c) => c.json(200, { id: c.param("id") }))
    return app
  }
  return [createApp(false), createApp(true)]
}

function createHonoApps() {
  const createApp = (isOn) => {
    const app = new Hono()
    if (isOn) app.use(logger())
    app.get("/users/:id", (c) => c.json({ id: c.req.param("id") }))
    return app
  }
  return [createApp(false), createApp(true)]
}

function createPinoMiddleware() {
  const pino = createRequire(join(resolve(options.peers), "index.js"))("pino")
  const log = pino(pino.destination({ dest: 1, sync: false, minLength: 8192 }))
  return (next) => async (c) => {
    const start = performance.now()
    const response = await next(c)
    log.info({ method: c.method, path: c.path, status: response.status, ms: performance.now() - start })
    return response
  }
}

const here = new URL("../dist/", import.meta.url)
const contenders = {
  fw: () => createFwApps(here),
  ...(options.other && { [options.other]: () => createFwApps(pathToFileURL(`${resolve(options.other)}/`)) }),
  "pino in a middleware": () => createFwApps(here, createPinoMiddleware()),
  "hono/logger": createHonoApps,
}

/**
 * Returns the time that only a tenth of the turns stay below: a turn during which other programs left the processor
 * alone.
 */
const findQuietTime = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 10)]

/** Measures a contender with and without its logger, and sends the results to the parent process. */
async function measureHere(name) {
  const apps = await contenders[name]()
  const [off, on] = await measureInTurns(
    apps.map((app) => () => app.request("/users/7")),
    { rounds: Number(options.rounds), calls: 2000, warmup: 30 },
  )
  const all = median(on.map((time, round) => time - off[round]))
  console.error(JSON.stringify({ quiet: findQuietTime(on) - findQuietTime(off), all, without: findQuietTime(off) }))
}

/** Measures a contender in a process of its own; undefined if it is not installed. */
function measureApart(name) {
  const { status, stderr } = spawnSync(process.execPath, [...process.argv.slice(1), "--child", name], {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  })
  if (status === 0) return JSON.parse(stderr)
  console.log(`${name} is left out: ${/^\w*Error: .*/m.exec(stderr)?.[0] ?? stderr}`)
}

function measureAll() {
  const results = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))
  for (let runsLeft = Number(options.processes); runsLeft > 0; runsLeft -= 1) {
    for (const [name, list] of Object.entries(results)) {
      const result = measureApart(name)
      if (result) list.push(result)
      else delete results[name]
    }
  }
  return results
}

if (options.child) await measureHere(options.child)
else {
  const values = {}
  for (const [name, results] of Object.entries(measureAll())) {
    const getMedian = (key) => median(results.map((result) => result[key]))
    values[name] = getMedian("quiet")
    const [cost, all, without] = ["quiet", "all", "without"].map((key) => getMedian(key).toFixed(2))
    console.log(`${name.padEnd(24)} + ${cost} µs   (${all} in all rounds; ${without} without)`)
  }
  record({
    title: "Processor time that the log line of a request takes",
    unit: "µs",
    better: "less",
    rows: [{ row: "a line per request", values }],
  })
}
