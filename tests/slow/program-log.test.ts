/**
 * Tests of the lines that a built program prints besides those of requests, as text and as JSON: its start,
 * failures outside of requests, and its end.
 */
import { once } from "node:events"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { type Served, serve } from "../support/bin/build/executables.ts"
import { fw } from "../support/bin/cli/command.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"
import { until } from "../support/store/until.ts"

const cwd = makeProject({
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "main.ts": `import { App } from "fw"
const { LOG, START } = process.env
const app = new App({ logger: LOG ? { format: LOG } : {} })
app.health({ cache: 0, checks: { disk: () => false } })
if (START === "fails") throw new Error("no settings")
if (START === "listens") process.on("uncaughtException", ({ message }) => console.log(\`seen: \${message}\`))
if (START === "never closes") app.onShutdown(() => new Promise(() => setInterval(() => {}, 60_000)))
export default app
`,
  "app/api/slow/route.ts": `import type { Context } from "fw"
export async function Get(c: Context) {
  console.log("slow begins")
  await new Promise(() => {})
  return c.noContent()
}
`,
  "app/api/later/route.ts": `import type { Context } from "fw"
export function Get(c: Context) {
  setTimeout(() => { throw new TypeError("thrown later") })
  return c.noContent()
}
`,
  "app/api/rejects/route.ts": `import type { Context } from "fw"
export function Get(c: Context) {
  void Promise.reject(new RangeError("rejected later"))
  return c.noContent()
}
`,
})

const start = (env: Readonly<Record<string, string>>) =>
  serve([process.execPath, join(cwd, "dist/node/server.mjs")], cwd, { HOST: "127.0.0.1", ...env })

/** Returns the lines of a program that are not about requests, parsed if they are JSON. */
function readLines(served: Served): Record<string, unknown>[] {
  return served
    .output()
    .trimEnd()
    .split("\n")
    .map((line) => (line.startsWith("{") ? JSON.parse(line) : { text: line }))
    .filter(({ method }) => method === undefined)
}

const test = suite("the log of a program")

test.before(async () => {
  const { code, stdout, stderr } = await fw(["build", "--target", "node"], { cwd, env: {} })
  assert.is(code, 0, stdout + stderr)
})

for (const [path, title] of [
  ["/api/later", "TypeError: thrown later"],
  ["/api/rejects", "RangeError: rejected later"],
] as const) {
  test(`an uncaught error (${path}) ends the program with its stack, and without the line of the bundle`, async () => {
    const served = await start({})
    const closed = once(served.child, "close")
    await fetch(served.url + path).catch(() => {})
    assert.equal(await closed, [1, null])
    assert.match(served.output(), new RegExp(`^${title}\\n    at .*\\n`, "m"))
    const longest = Math.max(
      ...served
        .output()
        .split("\n")
        .map((line) => line.length),
    )
    assert.ok(longest < 400, served.output())
  })

  test(`an uncaught error (${path}) is one line in a JSON log`, async () => {
    const served = await start({ LOG: "json" })
    const closed = once(served.child, "close")
    await fetch(served.url + path).catch(() => {})
    assert.equal(await closed, [1, null])
    const { level, error, time } = readLines(served).at(-1) ?? {}
    assert.is(level, "error")
    assert.ok(!Number.isNaN(Date.parse(String(time))))
    assert.match(String(error), new RegExp(`^${title}\\n    at `))
  })
}

test("a program with its own listener for uncaught errors keeps running, as it does without fw", async () => {
  const served = await start({ START: "listens" })
  await fetch(`${served.url}/api/later`)
  await until(() => served.output().includes("seen: thrown later"))
  assert.is((await fetch(`${served.url}/health/live`)).status, 200)
  assert.is(await served.stop("SIGTERM"), 0)
})

test("without a terminal, all lines are JSON: the start, and a failed check", async () => {
  const served = await start({})
  assert.is((await fetch(`${served.url}/health/ready`)).status, 503)
  assert.is(await served.stop("SIGINT"), 0)
  const [listening, check] = readLines(served).filter(({ text }) => text === undefined)
  assert.is(listening?.level, "info")
  assert.match(String(listening?.message), /^Listening on 127\.0\.0\.1:\d+$/)
  assert.is(check?.level, "error")
  assert.match(String(check?.error), /^Error: the health check "disk" failed: it returned false/)
})

test("when the program ends after 30 s, it names unfinished requests, without queries", async () => {
  const [text, json, open] = await Promise.all([
    start({ LOG: "text" }),
    start({}),
    start({ LOG: "text", START: "never closes" }),
  ])
  for (const served of [text, json]) void fetch(`${served.url}/api/slow?token=secret`).catch(() => {})
  await until(() => [text, json].every((served) => served.output().includes("slow begins")))
  const ends = [text, json, open].map((served) => served.stop("SIGINT"))
  assert.equal(await Promise.all(ends), [1, 1, 1])
  const left = "stopped after 30 s with 1 request unfinished: GET /api/slow"
  assert.match(text.output(), new RegExp(`^fw: ${left}$`, "m"))
  const { level, message } = readLines(json).at(-1) ?? {}
  assert.equal([level, message], ["warn", left])
  assert.match(open.output(), /^fw: stopped after 30 s with a function of app\.onShutdown\(\) unfinished$/m)
})

test("lines are text if the log is text", async () => {
  const served = await start({ LOG: "text" })
  assert.is((await fetch(`${served.url}/health/ready`)).status, 503)
  await until(() => /^Error: the health check "disk" failed/m.test(served.output()))
  assert.match(served.output(), /^Listening on 127\.0\.0\.1:\d+$/m)
  assert.is(await served.stop("SIGINT"), 0)
})

test("workers and the process that starts them write JSON too", async () => {
  const served = await start({ FW_WORKERS: "2" })
  await until(() => served.output().includes('"2 workers"'))
  assert.equal(
    readLines(served).map(({ level, message }) => [level, String(message).replace(/:\d+$/, "")]),
    [
      ["info", "Listening on 127.0.0.1"],
      ["info", "2 workers"],
    ],
  )
  served.child.kill("SIGHUP")
  await until(() => served.output().includes("2 workers were replaced"))
  assert.ok(
    readLines(served).every(({ message }) => typeof message === "string"),
    served.output(),
  )
  assert.is(await served.stop("SIGINT"), 0)
})

test("an error at the start is text, unless the app has set JSON before", async () => {
  const text = await start({ START: "fails" }).catch(String)
  assert.match(String(text), /^Error: no settings\n {4}at /m)
  const json = await start({ LOG: "json", START: "fails" }).catch(String)
  assert.match(
    String(json),
    /^\{"time":"[^"]+","level":"error","message":"Error: no settings","error":"Error: no settings\\n/m,
  )
})

test("FW_WORKER, which only workers have, is reported as a misspelt FW_WORKERS in a program without workers", async () => {
  const served = await start({ FW_WORKER: "2" })
  assert.match(served.output(), /^fw: FW_WORKER is not a variable of fw, and is ignored: use FW_WORKERS$/m)
  assert.is(await served.stop("SIGINT"), 0)
})

test("a misspelt variable of fw is named, with the correct name", async () => {
  const served = await start({ FW_LOGLEVEL: "debug", FW_WORKER_NAME: "a" })
  assert.match(served.output(), /^fw: FW_LOGLEVEL is not a variable of fw, and is ignored: use FW_LOG_LEVEL$/m)
  assert.not.match(served.output(), /FW_WORKER_NAME/)
  assert.is(await served.stop("SIGINT"), 0)
})

test.run()
