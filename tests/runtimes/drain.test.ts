/**
 * Tests programs on Bun and Deno that wait for load balancers when SIGTERM stops them, and that show their metrics.
 * tests/slow/health-programs has the same for Node.
 */
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { getCommand } from "../support/adapters/runtimes.ts"
import { build, type Served, serve } from "../support/bin/build/executables.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"
import { findFreePort } from "../support/free-port.ts"
import { until } from "../support/store/until.ts"

const cwd = makeProject({
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "main.ts":
    'import { App } from "fw"\nconst app = new App()\napp.health({ drain: 3600 })\n' +
    'app.onShutdown(() => new Promise(setImmediate).then(() => console.log("closed")))\nexport default app\n',
  "app/api/who/route.ts":
    'import type { Context } from "fw"\nexport const Get = (c: Context) => {\n  ;(globalThis as { Bun?: { gc(now: boolean): void } }).Bun?.gc(true)\n  return c.string(200, "here")\n}\n',
})

async function ask(served: Served, path: string): Promise<string> {
  const answer = await fetch(served.url + path, { headers: { connection: "close" } })
  return `${answer.status} ${await answer.text()}`
}

for (const runtime of ["bun", "deno"] as const) {
  const start = (env = {}) =>
    serve([...getCommand(runtime), join(cwd, "dist", runtime, "server.mjs")], cwd, {
      HOME: cwd,
      FW_LOG_LEVEL: "off",
      ...env,
    })

  test(`the bundle for ${runtime} is built`, async () => {
    const { code, stdout, stderr } = await build(cwd, ["--target", runtime])
    assert.is(code, 0, stdout + stderr)
  })

  test(`${runtime}: FW_METRICS_PORT shows the requests`, async () => {
    const port = await findFreePort()
    const served = await start({ FW_METRICS_PORT: `${port}` })
    for (let count = 0; count < 3; count += 1) await ask(served, "/api/who")
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: "close" } })).text()
    assert.match(text, /^http_server_request_duration_seconds_count\{.*http_route="\/api\/who"\} 3$/m)
    assert.is(await served.stop("SIGINT"), 0)
  })

  test(`${runtime}: after SIGTERM readiness answers 503 and requests are answered, until a second signal`, async () => {
    const served = await start()
    assert.is(await ask(served, "/health/ready"), '200 {"status":"ok","checks":{}}')
    served.child.kill("SIGTERM")
    await until(async () => (await ask(served, "/health/ready")) === '503 {"status":"stopping"}')
    assert.is(await ask(served, "/health/live"), '200 {"status":"ok"}')
    assert.is(await ask(served, "/api/who"), "200 here")
    assert.is(await served.stop("SIGTERM"), 143)
  })

  test(`${runtime}: SIGTERM ends the program after FW_DRAIN, and SIGINT at once`, async () => {
    const short = await start({ FW_DRAIN: "0.1" })
    assert.is(await short.stop("SIGTERM"), 0)
    assert.match(short.output(), /^closed$/m)
    const interrupted = await start()
    assert.is(await interrupted.stop("SIGINT"), 0)
  })
}

test.run()
