/**
 * Measures what logging a request costs: the processor time of an app with its request logger, less that of the same app
 * without.
 *
 *     npm install --prefix /tmp/fw-bench pino
 *     node bench/logging.mjs [--peers /tmp/fw-bench] [--other DIST] [--rounds 61] > /dev/null
 *
 * Next to fw: Hono with its `logger()`, and fw with pino in a middleware in place of its logger, to a destination that
 * writes in batches. Lines go to standard output. Results go to standard error. `--other` is the `dist` of another version.
 */
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { Hono } from "hono"
import { logger } from "hono/logger"
import { record } from "./support/record.mjs"
import { median, turns } from "./support/turns.mjs"

const { values: options } = parseArgs({
  options: {
    peers: { type: "string", default: "/tmp/fw-bench" },
    other: { type: "string" },
    rounds: { type: "string", default: "61" },
  },
})
process.env.FW_LOG_LEVEL = "info"

async function fw(folder, use) {
  const { App } = await import(new URL("lib/index.js", folder).href)
  const make = (isOn) => {
    const app = new App({ logger: isOn && !use })
    if (isOn && use) app.use(use)
    app.get("/users/{id}", (c) => c.json(200, { id: c.param("id") }))
    return app
  }
  return [make(false), make(true)]
}

function hono() {
  const make = (isOn) => {
    const app = new Hono()
    if (isOn) app.use(logger())
    app.get("/users/:id", (c) => c.json({ id: c.req.param("id") }))
    return app
  }
  return [make(false), make(true)]
}

function pinoMiddleware() {
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
const contenders = { fw: await fw(here) }
if (options.other) contenders[options.other] = await fw(pathToFileURL(`${resolve(options.other)}/`))
try {
  contenders["pino in a middleware"] = await fw(here, pinoMiddleware())
} catch (error) {
  console.error(`pino is left out: ${error.message.split("\n")[0]}`)
}
contenders["hono/logger"] = hono()

const found = Object.entries(contenders)
const apps = found.flatMap(([, pair]) => pair)
const times = await turns(
  apps.map((app) => () => app.request("/users/7")),
  { rounds: Number(options.rounds), calls: 3000 },
)
const costs = {}
for (const [at, [name]] of found.entries()) {
  const [off, on] = [times[2 * at], times[2 * at + 1]]
  costs[name] = median(on.map((time, round) => time - off[round]))
  console.error(`${name.padEnd(24)} + ${costs[name].toFixed(2)} µs   (${median(off).toFixed(2)} without)`)
}
record({
  id: "logging",
  title: "Processor time that the log line of a request takes",
  unit: "µs",
  better: "less",
  rows: [{ row: "a line per request", values: costs }],
})
