/**
 * Tests of the metrics and telemetry of a built program: the real Prometheus gets the metrics of one program from two
 * workers, whatever happens to the workers.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { build, serve } from "../support/bin/build/executables.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"
import { findFreePort } from "../support/free-port.ts"
import { startCollector } from "../support/otel/collector.ts"
import { until } from "../support/store/until.ts"
import { root } from "../support/tsc.ts"

const test = suite("metrics of a program")
const cwd = makeProject({
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "main.ts": `import { App } from "fw"
import { metrics } from "fw/metrics"
import { telemetry } from "fw/otel"
const app = new App()
telemetry(app, { propagateTo: ["127.0.0.1"] })
if (process.env.ASKS) app.get("/metrics", metrics())
app.get("/who/{name}", (c) => c.string(200, String(process.pid)))
export default app
`,
})
const start = (env: Readonly<Record<string, string>>) =>
  serve([process.execPath, join(cwd, "dist/node/server.mjs")], cwd, { HOST: "127.0.0.1", FW_LOG_LEVEL: "off", ...env })
const ask = async (url: string) => (await fetch(url, { headers: { connection: "close" } })).text()
/** Returns the number of requests for `/who/{name}` in a text of Prometheus. */
const readCount = (text: string) => Number(/_count\{.*http_route="\/who\/\{name\}".* (\d+)$/m.exec(text)?.[1] ?? 0)

/** Sends requests until two workers have answered. @returns the number of requests, and the processes. */
async function askBoth(url: string) {
  const pids = new Set<number>()
  let count = 0
  while (pids.size < 2) {
    pids.add(Number(await ask(`${url}/who/${count}`)))
    count += 1
  }
  return { count, pids: [...pids] }
}

/**
 * Checks a file or a text with the program that comes with Prometheus. @returns its output, which is empty unless
 * it checks rules.
 */
function check(args: readonly string[], options: { readonly input?: string; readonly cwd?: string }): string {
  const { status, stdout, stderr, error } = spawnSync("promtool", ["check", ...args], { ...options, encoding: "utf8" })
  assert.is(status, 0, error?.message ?? stdout + stderr)
  return stdout + stderr
}

test("promtool accepts the files of the guide", () => {
  const guide = readFileSync(join(root, "docs/guides/metrics-and-alerts.md"), "utf8")
  const directory = mkdtempSync(join(tmpdir(), "fw-alerts-"))
  for (const [, text = "", name = ""] of guide.matchAll(/```yaml\n(# (\S+)\n[\s\S]*?)```/g))
    writeFileSync(join(directory, name), text)
  check(["config", "prometheus.yml"], { cwd: directory })
  check(["rules", "alerts.yml"], { cwd: directory })
  rmSync(directory, { recursive: true })
})

test.before(async () => {
  const made = await build(cwd, ["--target", "node"])
  assert.is(made.code, 0, made.stdout + made.stderr)
})

for (const [where, workers, env] of [
  ["at a path", "2", { ASKS: "yes" }],
  ["at a port", "2", {}],
  ["at a port of a program with one process", "", {}],
] as const) {
  test(`metrics ${where} are those of the whole program`, async () => {
    const port = await findFreePort()
    const served = await start({ ...env, FW_WORKERS: workers, ...(!("ASKS" in env) && { FW_METRICS_PORT: `${port}` }) })
    const read = () => ask(`${"ASKS" in env ? served.url : `http://127.0.0.1:${port}`}/metrics`)
    if (workers === "") {
      await ask(`${served.url}/who/ada`)
      const text = await read()
      assert.is(readCount(text), 1)
      assert.is(check(["metrics"], { input: text }), "")
    } else if ("ASKS" in env) {
      const { count } = await askBoth(served.url)
      assert.is(readCount(await read()), count)
    } else {
      const { count, pids } = await askBoth(served.url)
      assert.is(readCount(await read()), count)
      process.kill(pids[0] as number, "SIGKILL")
      // A connection that is passed to a worker while it is killed is lost.
      await until(() => served.output().includes("Another one starts"))
      const next = await askBoth(served.url)
      assert.is(readCount(await read()), count + next.count)
      served.child.kill("SIGHUP")
      let last = next
      while (last.pids.some((pid) => next.pids.includes(pid))) {
        last = await askBoth(served.url)
        next.count += last.count
      }
      await until(async () => readCount(await read()) === count + next.count)
    }
    assert.is(await served.stop("SIGINT"), 0)
  })
}

test("Prometheus can read the metrics", async () => {
  const [port, own] = [await findFreePort(), await findFreePort()]
  const served = await start({ FW_WORKERS: "2", FW_METRICS_PORT: `${port}` })
  const { count } = await askBoth(served.url)
  const directory = mkdtempSync(join(tmpdir(), "fw-prometheus-"))
  const config = {
    scrape_configs: [{ job_name: "shop", scrape_interval: "1s", static_configs: [{ targets: [`127.0.0.1:${port}`] }] }],
  }
  writeFileSync(join(directory, "prometheus.yml"), JSON.stringify(config))
  const args = ["--config.file=prometheus.yml", "--storage.tsdb.path=data", `--web.listen-address=127.0.0.1:${own}`]
  const prometheus = spawn(process.env.PROMETHEUS ?? "prometheus", args, { cwd: directory, stdio: "ignore" })
  process.once("exit", () => prometheus.kill("SIGKILL"))
  const ended = once(prometheus, "exit")
  const query = encodeURIComponent('http_server_request_duration_seconds_count{job="shop",http_route="/who/{name}"}')
  const url = `http://127.0.0.1:${own}/api/v1/query?query=${query}`
  await until(async () => {
    const answer = await ask(url).catch(() => "")
    return answer.includes(`"${count}"`) && answer.includes('"http_response_status_code":"200"')
  })
  prometheus.kill("SIGKILL")
  await ended
  rmSync(directory, { recursive: true })
  assert.is(await served.stop("SIGINT"), 0)
})

test("telemetry works in a bundle and in an executable", async () => {
  const made = await build(cwd, ["-o", "shop"])
  assert.is(made.code, 0, made.stdout + made.stderr)
  for (const command of [[process.execPath, join(cwd, "dist/node/server.mjs")], [join(cwd, "shop")]] as const) {
    const collector = await startCollector()
    const served = await serve(command, cwd, {
      HOST: "127.0.0.1",
      FW_LOG_LEVEL: "off",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    })
    await ask(`${served.url}/who/ada`)
    assert.is(await served.stop("SIGINT"), 0)
    assert.equal(
      collector.spans().map(({ name, kind }) => [name, kind]),
      [["GET /who/{name}", 2]],
    )
    assert.ok(collector.metrics().some(({ name }) => name === "http.server.request.duration"))
    await collector.close()
  }
})

test("a program does not start if FW_METRICS_PORT is not a port", async () => {
  const ends = (env: Readonly<Record<string, string>>) =>
    start(env).then(
      () => "",
      (error) => String(error.message),
    )
  for (const FW_WORKERS of ["", "2"]) {
    assert.match(await ends({ FW_WORKERS, FW_METRICS_PORT: "many" }), 'FW_METRICS_PORT is "many", which is not a port')
  }
})

test.run()
