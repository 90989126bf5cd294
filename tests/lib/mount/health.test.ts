/** Tests of `app.health()`: its two paths and its checks, and that `app.shutdown()` waits for load balancers. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { setDevHooks } from "../../../lib/dev/hooks.ts"
import { App, FwError, type HealthOptions, type ShutdownOptions } from "../../../lib/index.ts"
import { SharedCheck } from "../../../lib/mount/health-check.ts"
import { sendTo } from "../../support/contract/runner.ts"

const isCode = (code: string) => (error: unknown) => error instanceof FwError && error.code === code && error.fix !== ""

function appWith(options?: HealthOptions): App {
  const app = new App({ logger: false })
  app.get("/", (c) => c.string(200, "home"))
  app.health(options)
  return app
}

/** Returns the status, `Cache-Control` and body of an answer. */
async function ask(app: App, path: string, method = "GET") {
  const answer = await app.request(path, { method })
  return [answer.status, answer.headers.get("cache-control"), await answer.text()]
}

/** Runs a function, and returns what was reported meanwhile. */
async function collectReports(run: () => Promise<unknown>): Promise<string[]> {
  const reports: string[] = []
  setDevHooks({
    onBug(error) {
      const { message, cause } = error as Error
      reports.push(message, "cause" in (error as Error) ? String(cause) : "none")
    },
  })
  try {
    await run()
  } finally {
    setDevHooks(undefined)
  }
  return reports
}

test("live and ready have default paths, and answer GET and HEAD", async () => {
  const app = appWith()
  assert.equal(await ask(app, "/health/live"), [200, "no-store", '{"status":"ok"}'])
  assert.equal(await ask(app, "/health/ready"), [200, "no-store", '{"status":"ok","checks":{}}'])
  for (const path of ["/health/live", "/health/ready"]) {
    assert.equal(await ask(app, path, "HEAD"), [200, "no-store", ""])
    assert.is((await ask(app, path, "POST"))[0], 405)
  }
})

test("ready names the failed check, and only the report contains the reason", async () => {
  const app = appWith({
    ready: "/ready",
    cache: 0,
    checks: {
      cache: () => "works",
      database: () => Promise.reject(new Error("password of postgres://ada:hunter2@db")),
      disk: async () => false,
    },
  })
  let seen: unknown[] = []
  const reports = await collectReports(async () => {
    await ask(app, "/ready")
    seen = await ask(app, "/ready")
  })
  const checks = '{"cache":"ok","database":"failed","disk":"failed"}'
  assert.equal(seen, [503, "no-store", `{"status":"failed","checks":${checks}}`])
  assert.equal(
    reports,
    [
      'the health check "database" failed: it threw an error',
      "Error: password of postgres://ada:hunter2@db",
      'the health check "disk" failed: it returned false',
      "none",
    ],
    "the two failed checks were not reported once each",
  )
  assert.is((await ask(app, "/health/live"))[0], 200)
})

test("a check that takes too long is aborted, and the others keep their results", async () => {
  let aborted: unknown
  const app = appWith({
    timeout: 0.01,
    checks: {
      database: (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => {
            aborted = signal.reason
            reject(signal.reason)
          }),
        ),
      queue: () => new Promise(() => {}),
      disk: () => {},
    },
  })
  let seen: unknown[] = []
  const reports = await collectReports(async () => {
    seen = await ask(app, "/health/ready")
  })
  assert.equal(reports.filter((_, index) => index % 2 === 0).sort(), [
    'the health check "database" failed: it took longer than 0.01 s',
    'the health check "queue" failed: it took longer than 0.01 s',
  ])
  const checks = '{"database":"timeout","queue":"timeout","disk":"ok"}'
  assert.equal(seen, [503, "no-store", `{"status":"failed","checks":${checks}}`])
  assert.is((aborted as DOMException).name, "TimeoutError")
})

test("a check that took too long and fails later is reported again, with the reason", async () => {
  let isLate = true
  const store = () => (isLate ? new Promise(() => {}) : Promise.reject(new Error("ECONNREFUSED")))
  const app = appWith({ cache: 0, timeout: 0.01, checks: { store } })
  const reports = await collectReports(async () => {
    await ask(app, "/health/ready")
    isLate = false
    for (let i = 0; i < 3; i++) await ask(app, "/health/ready")
  })
  assert.equal(reports, [
    'the health check "store" failed: it took longer than 0.01 s',
    "none",
    'the health check "store" failed: it threw an error',
    "Error: ECONNREFUSED",
  ])
})

test("many requests share one run, whose result is kept", async () => {
  let runs = 0
  let end = () => {}
  const first = new Promise<void>((resolve) => {
    end = resolve
  })
  const check = () => {
    runs += 1
    return first
  }
  const kept = appWith({ cache: 3600, timeout: 3600, checks: { database: check } })
  const all = Promise.all(Array.from({ length: 50 }, () => ask(kept, "/health/ready")))
  end()
  assert.equal(new Set((await all).map(([status]) => status)), new Set([200]))
  await ask(kept, "/health/ready")
  assert.is(runs, 1)
  const fresh = appWith({ cache: 0, checks: { database: check } })
  await ask(fresh, "/health/ready")
  await ask(fresh, "/health/ready")
  assert.is(runs, 3)
})

test("if requests cannot wait for each other, each runs the check unless there is a recent result", async () => {
  let runs = 0
  const count = async () => {
    runs += 1
  }
  const check = new SharedCheck("database", count, { timeout: 3600, cache: 3600 })
  assert.equal(await Promise.all([check.getResult(false), check.getResult(false)]), ["ok", "ok"])
  assert.is(runs, 2)
  assert.is(await check.getResult(false), "ok")
  assert.is(runs, 2)
})

const wrong: ReadonlyArray<readonly [options: unknown, says: RegExp]> = [
  ["/health", /takes an object of options/],
  [{ path: "/health" }, /no option "path"/],
  [{ live: "health" }, /"health" as live, which is not a plain path/],
  [{ ready: "/{name}" }, /as ready/],
  [{ ready: "/:name" }, /as ready/],
  [{ ready: "/ready?all" }, /as ready/],
  [{ ready: 7 }, /takes a string as ready/],
  [{ live: "/health", ready: "/health" }, /"\/health" for both live and ready/],
  [{ timeout: 0 }, /timeout .* is 0, which is not a number of seconds above 0/],
  [{ timeout: "2" }, /timeout/],
  [{ cache: -1 }, /cache .* is -1/],
  [{ drain: Number.NaN }, /drain .* is NaN/],
  [{ drain: 1e9 }, /drain/],
  [{ checks: ["database"] }, /takes an object of functions as checks/],
  [{ checks: null }, /takes an object of functions as checks/],
  [{ checks: { database: true } }, /the health check "database" is a boolean, not a function/],
]
for (const [options, says] of wrong) {
  test(`app.health(${JSON.stringify(options)}) is refused`, () => {
    const app = new App({ logger: false })
    const error = (() => {
      try {
        app.health(options as HealthOptions)
      } catch (error) {
        return error as FwError
      }
      return undefined
    })()
    assert.is(error?.code, "health_options")
    assert.match(error?.message ?? "", says)
  })
}

test("a path that has a route is refused, and so is a second app.health()", () => {
  const app = appWith()
  assert.throws(() => app.health(), isCode("conflict"))
  assert.throws(() => app.get("/health/live", (c) => c.noContent()), /health\("\/health\/live"\)/)
})

/** Starts an app, and returns it with a function that requests a path. */
async function listening(options?: HealthOptions) {
  const app = appWith(options)
  await app.listen("127.0.0.1:0")
  const port = Number(app.addr.split(":").at(-1))
  const asked = async (path: string) => {
    const { status, body } = await sendTo(port, path)
    return `${status} ${body}`
  }
  return { app, asked }
}

test("readiness answers 503 after shutdown() is called, and requests are answered until the delay has passed", async () => {
  let runs = 0
  const { app, asked } = await listening({ drain: 3600, checks: { count: () => ++runs } })
  assert.is(await asked("/health/ready"), '200 {"status":"ok","checks":{"count":"ok"}}')
  const stopped = app.shutdown()
  assert.is(await asked("/health/ready"), '503 {"status":"stopping"}')
  assert.is(runs, 1, "a check ran after shutdown()")
  assert.is(await asked("/health/live"), '200 {"status":"ok"}')
  assert.is(await asked("/"), "200 home")
  await app.shutdown(undefined, { drain: 0 })
  await stopped
  assert.is(app.addr, "")
  await app.listen("127.0.0.1:0")
  assert.is((await app.request("/health/ready")).status, 200, "the app is not ready, although it listens again")
  await app.shutdown(undefined, { drain: 0 })
})

test("a check that ends after shutdown() has started does not make the program ready", async () => {
  let end = () => {}
  let begun = () => {}
  const begins = new Promise<void>((resolve) => {
    begun = resolve
  })
  const check = () =>
    new Promise<void>((resolve) => {
      end = resolve
      begun()
    })
  const { app } = await listening({ drain: 3600, timeout: 3600, checks: { slow: check } })
  const asked = app.request("/health/ready")
  await begins
  const stopped = app.shutdown()
  end()
  assert.is((await asked).status, 503)
  await app.shutdown(undefined, { drain: 0 })
  await stopped
})

test("an abort signal ends the delay and the server, and without one the delay ends after its time", async () => {
  const { app } = await listening({ drain: 3600 })
  const end = new AbortController()
  const stopped = app.shutdown(end.signal).then(
    () => "ended",
    (error) => error,
  )
  end.abort("enough")
  assert.is(await stopped, "enough")
  const short = await listening({ drain: 0.01 })
  await short.app.shutdown()
  assert.is(short.app.addr, "")
})

test("the option timeout of shutdown() ends requests that still run", async () => {
  const app = new App({ logger: false })
  let begun = () => {}
  const begins = new Promise<void>((resolve) => {
    begun = resolve
  })
  app.get("/hang", () => {
    begun()
    return new Promise(() => {})
  })
  await app.listen("127.0.0.1:0")
  const hanging = fetch(`http://${app.addr}/hang`).catch(() => "cut")
  await begins
  const error = await app.shutdown(undefined, { timeout: 0.01 }).catch((error) => error)
  assert.is(error.name, "TimeoutError")
  assert.is(await hanging, "cut")
})

test("shutdown() without a server also refuses wrong options", async () => {
  for (const options of [{ drain: -1 }, { timeout: "5" }, { delay: 1 }, 5, null]) {
    const refused = await appWith()
      .shutdown(undefined, options as ShutdownOptions)
      .catch((error) => error)
    assert.ok(isCode("shutdown")(refused), JSON.stringify(options))
  }
})

test("FW_DRAIN has precedence over the option, and is checked when the app listens", async () => {
  const before = process.env.FW_DRAIN
  try {
    process.env.FW_DRAIN = "5s"
    const refused = await appWith()
      .listen("127.0.0.1:0")
      .catch((error) => error)
    assert.ok(isCode("shutdown")(refused))
    assert.match(refused.message, 'FW_DRAIN is "5s"')
    process.env.FW_DRAIN = "0"
    const quick = await listening({ drain: 3600 })
    await quick.app.shutdown()
    assert.is(quick.app.addr, "")
    process.env.FW_DRAIN = "3600"
    const plain = new App({ logger: false })
    plain.get("/", (c) => c.string(200, "home"))
    await plain.listen("127.0.0.1:0")
    const stopped = plain.shutdown()
    assert.is(await (await fetch(`http://${plain.addr}/`)).text(), "home")
    await plain.shutdown(undefined, { drain: 0 })
    await stopped
  } finally {
    if (before === undefined) delete process.env.FW_DRAIN
    else process.env.FW_DRAIN = before
  }
})

test.run()
