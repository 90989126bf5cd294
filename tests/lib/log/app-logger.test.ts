/** Tests of the app's request logger: its options, and the environment variables that turn it on and off. */
import { execFileSync, spawnSync } from "node:child_process"
import { request } from "node:http"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, FwError, LogLevelInfo, logger, type RequestLoggerConfig, requestID } from "../../../lib/index.ts"

const isCode = (code: string) => (error: unknown) => error instanceof FwError && error.code === code
const getPort = (app: App) => Number(app.addr.split(":").at(-1))

const line = /^\[\d\d:\d\d:\d\d\] GET \/ 200 in \d+ms \(2B\)/
async function logged(
  config: RequestLoggerConfig,
  path: string,
  change: (app: App) => void = () => {},
): Promise<string> {
  let text = ""
  const app = new App()
  app.setLogger({
    ...config,
    write: (chunk) => {
      text += chunk
    },
  })
  change(app)
  app.get("/", (c) => c.string(200, "ok"))
  // A streamed answer is logged when it has been read.
  await (await app.request(path, { headers: { "user-agent": "curl/8" } })).text()
  return text
}
const level = process.env.FW_LOG_LEVEL
test.before(() => {
  delete process.env.FW_LOG_LEVEL
})
test.after(() => {
  process.env.FW_LOG_LEVEL = level
})
test("app.setLogger(): each request writes one line", async () => assert.match(await logged({}, "/"), line))
test("RequestLoggerConfig level: the level is a constant or a name, and warn does not log a 200", async () => {
  assert.match(await logged({ level: LogLevelInfo }, "/"), line)
  assert.is(await logged({ level: "warn" }, "/"), "")
  assert.match(await logged({ level: "warn" }, "/none"), / 404 /)
})
test("RequestLoggerConfig showUserAgent: the line has the user agent", async () =>
  assert.match(await logged({ showUserAgent: true }, "/"), /"curl\/8"/))
test("RequestLoggerConfig skipPaths: requests for the listed paths are not logged", async () =>
  assert.is(await logged({ skipPaths: ["/"] }, "/"), ""))
test("app.disableLogger() stops the request log, and app.enableLogger() starts it again", async () => {
  assert.is(await logged({}, "/", (app) => app.disableLogger()), "")
  assert.match(
    await logged({}, "/", (app) => {
      app.disableLogger()
      app.enableLogger()
    }),
    line,
  )
})
test("a JSON line has the id that requestID() gave the request, and so has the line of a bug", async () => {
  const lines: string[] = []
  const app = new App({ logger: { format: "json", level: "info", write: (text) => lines.push(text) } })
  app.get("/without", (c) => c.noContent())
  app.group("/with", (g) => {
    g.use(requestID())
    g.get("/", (c) => c.noContent())
    g.get("/bug", () => {
      throw new Error("boom")
    })
  })
  const ids = []
  for (const path of ["/without", "/with", "/with/bug"])
    ids.push((await app.request(path)).headers.get("X-Request-ID") ?? undefined)
  assert.equal(
    lines.map((line) => JSON.parse(line).requestID),
    ids,
  )
  assert.is(new Set(ids).size, 3)
})
test("app.setLogger(): an unknown field is refused", () =>
  assert.throws(() => new App().setLogger({ shout: true } as never), isCode("logger_config")))
test("RequestLoggerConfig showIP: over a socket the line has the peer's address", async () => {
  let text = ""
  const app = new App({
    logger: {
      showIP: true,
      write: (chunk) => {
        text += chunk
      },
    },
  })
  await app.listen("127.0.0.1:0")
  await new Promise((resolve) =>
    request({ port: getPort(app), host: "127.0.0.1", agent: false }, (answer) =>
      answer.resume().on("end", resolve),
    ).end(),
  )
  await app.shutdown()
  assert.match(text, /GET \/ 404 .* 127\.0\.0\.1\n$/)
})

const program = `
  import { App } from ${JSON.stringify(new URL("../../../lib/index.ts", import.meta.url).href)}
  for (const [index, env] of JSON.parse(process.argv[1]).entries()) {
    for (const name in process.env) delete process.env[name]
    Object.assign(process.env, env)
    const app = new App()
    app.get("/{app}/", (c) => c.string(200, "ok"))
    app.get("/{app}/bug", () => { throw new Error("seen", { cause: new Error("behind") }) })
    for (const path of ["/", "/none", "/bug"]) await (await app.request("/" + index + path)).text()
  }
`
/** Returns the request lines of apps by path. Each app is created under another environment, in one process. */
function printed(envs: readonly Record<string, string>[]): string[] {
  const { PATH = "" } = process.env
  const text = execFileSync(
    process.execPath,
    [...process.execArgv, "--input-type=module", "-e", program, "--", JSON.stringify(envs)],
    { env: { PATH }, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  )
  const logged = [...text.matchAll(/GET \/(\d+)(\S+) \d/g)]
  return envs.map((_, index) => logged.flatMap(([, app, path]) => (Number(app) === index ? [path] : [])).join(" "))
}

const environments: ReadonlyArray<readonly [subject: string, env: Record<string, string>, paths: string]> = [
  ["FW_LOG_LEVEL", { FW_LOG_LEVEL: "debug" }, "/ /none /bug"],
  ["FW_LOG_LEVEL", { FW_LOG_LEVEL: "info" }, "/ /none /bug"],
  ["FW_LOG_LEVEL", { FW_LOG_LEVEL: "warn" }, "/none /bug"],
  ["FW_LOG_LEVEL", { FW_LOG_LEVEL: "error" }, "/bug"],
  ["FW_LOG_LEVEL", { FW_LOG_LEVEL: "off" }, ""],
  ["FW_LOG_LEVEL", { FW_LOG_LEVEL: "error", FW_DEV: "true", GO_ENV: "production" }, "/bug"],
  ["FW_DEV", { FW_DEV: "true", GO_ENV: "production" }, "/ /none /bug"],
  ["GO_ENV", { GO_ENV: "production" }, "/none /bug"],
  ["GO_ENV", { NODE_ENV: "production" }, "/none /bug"],
  ["GO_ENV", { GO_ENV: "development" }, "/ /none /bug"],
]
const lines = printed(environments.map(([, env]) => env))
for (const [index, [subject, env, paths]] of environments.entries()) {
  test(`${subject}: ${JSON.stringify(env)} logs ${paths || "nothing"}`, () => assert.is(lines[index], paths))
}
test("FW_LOG_LEVEL: a value that is not a level is refused when the app is created", () => {
  process.env.FW_LOG_LEVEL = "loud"
  assert.throws(() => new App(), isCode("log_level"))
  // The log level also applies to reports of bugs, which are written even if requests are not logged.
  assert.throws(() => new App({ logger: false }), isCode("log_level"))
  delete process.env.FW_LOG_LEVEL
})
/** Code that throws at a path, and the number of reports of this bug on standard error. */
const bugs: ReadonlyArray<readonly [path: string, code: string, times: number]> = [
  ["/thrown", "a.get(p, () => { throw new Error(p) })", 1],
  ["/undefined", "a.get(p, () => { throw undefined })", 0],
  ["/nothing", "a.get(p, () => {})", 1],
  ["/http", "a.get(p, () => { throw badRequest('Error: ' + p) })", 0],
  ["/badheader", "a.get(p, () => new HttpError(400, 'x', { headers: { '/badheader': '1' } }))", 1],
  [
    "/buried",
    "a.group(p, (g) => { g.use((next) => async (c) => { await next(c); throw badRequest('x') }); g.get('/', () => { throw new Error(p) }) })",
    1,
  ],
  [
    "/again",
    "a.group(p, (g) => { g.use((next) => async (c) => { await next(c); throw c.error }); g.get('/', () => { throw new Error(p) }) })",
    1,
  ],
  ["/recovered", "a.group(p, (g) => { g.use(recover()); g.get('/', () => { throw new Error(p) }) })", 1],
  [
    "/answered",
    "a.group(p, (g) => { g.use(recover({ answer: (c) => c.noContent() })); g.get('/', () => { throw new Error(p) }) })",
    1,
  ],
  ["/onerror-same", "a.onError((c, e) => { throw e }); a.get(p, () => { throw new Error(p) })", 1],
  ["/onerror-http", "a.onError(() => { throw badRequest('Error: ' + p) }); a.get(p, (c) => c.json(200, undefined))", 0],
  ["/onerror-other", "a.onError(() => { throw new Error(p) }); a.get(p, (c) => c.json(200, undefined))", 1],
]
function reported(env: Record<string, string>): string {
  const index = JSON.stringify(new URL("../../../lib/index.ts", import.meta.url).href)
  const runs = bugs.map(
    ([path, code]) => `{ const p = "${path}"; const a = new App({ logger: false }); ${code}; await a.request(p) }`,
  )
  const source = `import { App, badRequest, HttpError, recover } from ${index}\n${runs.join("\n")}`
  const args = [...process.execArgv, "--input-type=module", "-e", source]
  return spawnSync(process.execPath, args, { env, encoding: "utf8" }).stderr
}
test("errors: each bug is reported once, even if its answer is replaced, and no HttpError is reported", () => {
  const text = reported({})
  for (const [path, , times] of bugs) {
    const lines = text.split("\n").filter((line) => /^\w*Error: /.test(line) && line.includes(path))
    assert.is(lines.length, times, `${path} in\n${text}`)
  }
  assert.match(text, /^TypeError: undefined was thrown$/m)
})
test("FW_LOG_LEVEL: with off, bugs are not reported either", () => assert.is(reported({ FW_LOG_LEVEL: "off" }), ""))

test("logger() that is registered with use() replaces the app's own logger", async () => {
  let text = ""
  const write = (chunk: string) => {
    text += chunk
  }
  const app = new App({ logger: { write } })
  app.use(logger({ write, showUserAgent: true }))
  app.get("/", (c) => c.string(200, "ok"))
  await (await app.request("/")).text()
  assert.match(text, /^\[[\d:]+\] GET \/ 200 .* ""\n$/)
})
test("logger(): a bug is reported once", async () => {
  let text = ""
  const app = new App({ logger: false })
  app.use(
    logger({
      write: (chunk) => {
        text += chunk
      },
    }),
  )
  app.get("/", () => {
    throw new Error("once")
  })
  await (await app.request("/")).text()
  assert.is(text.split("Error: once").length, 2)
})

test.run()
