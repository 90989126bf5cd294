/**
 * Tests of the rate limit over several requests: which clients are counted together, when they are forgotten, and
 * how much memory it needs.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { setDevHooks } from "../../../lib/dev/hooks.ts"
import { App, FwError, type RateLimitOptions, type RateLimitStore, rateLimit } from "../../../lib/index.ts"
import { RateLimitMemory } from "../../../lib/middleware/rate-limit-memory.ts"
import { toNetwork } from "../../../lib/request/address.ts"
import { memoryStore } from "../../../lib/store/memory.ts"
import { rateLimitCases } from "../../support/contract/rate-limit.ts"
import { contract } from "../../support/contract/runner.ts"

contract(rateLimitCases)

/** Returns an app that counts requests by a header. */
function limited(options: RateLimitOptions): App {
  const app = new App({ logger: false })
  app.use(rateLimit({ key: (c) => c.header("x-key"), ...options }))
  app.get("/", (c) => c.string(200, "ok"))
  return app
}

async function statuses(app: App, keys: readonly string[]): Promise<number[]> {
  const list: number[] = []
  for (const key of keys) list.push((await app.request("/", { headers: { "x-key": key } })).status)
  return list
}

test("requests are counted separately for each key", async () => {
  assert.equal(await statuses(limited({ limit: 2 }), ["a", "a", "b", "a", "b", "b"]), [200, 200, 200, 429, 200, 429])
})

test("a request without an address is an error that says what to write, because it must not be counted together with others", async () => {
  const errors: unknown[] = []
  const app = new App({ logger: false })
  app.onError((c, error) => {
    errors.push(error)
    return c.noContent()
  })
  app.use(rateLimit({ limit: 1 }))
  app.get("/", (c) => c.string(200, "ok"))
  for (let i = 0; i < 3; i++) assert.is((await app.fetch(new Request("http://h/"))).status, 204)
  const [error] = errors as FwError[]
  assert.is(errors.length, 3)
  assert.equal([error?.code, error instanceof FwError], ["rate_limit", true])
  assert.match(String(error), /c\.clientIP is ""\n.*app\.fetch\(request, \{ clientIP \}\).*rateLimit\(\{ key:/)
})

test("requests are counted per client if the host gives the address", async () => {
  const app = new App({ logger: false })
  app.use(rateLimit({ limit: 1 }))
  app.get("/", (c) => c.string(200, "ok"))
  const ask = async (clientIP: string) => (await app.request("/", {}, { clientIP })).status
  const addresses = ["203.0.113.1", "203.0.113.2", "2001:db8::1", "2001:db8::2", "203.0.113.1"]
  const seen = []
  for (const address of addresses) seen.push(await ask(address))
  assert.equal(seen, [200, 200, 200, 429, 429])
})

test("long keys are shortened, and stay distinct", async () => {
  const keys: string[] = []
  const hit = (key: string) => {
    keys.push(key)
    return { count: 1, reset: 1 }
  }
  const long = "k".repeat(4000)
  await statuses(limited({ store: { hit } }), [`${long}1`, `${long}2`, `${long}1`, "k".repeat(128)])
  assert.equal(
    keys.map((key) => key.length),
    [64, 64, 64, 128],
  )
  assert.is(new Set(keys).size, 3)
})

test("a window begins with the first request and ends after its time", () => {
  let now = 1000
  const store = new RateLimitMemory(10, 100, () => now)
  assert.equal(store.hit("a", 60), { count: 1, reset: 60 })
  now += 59_500
  assert.equal(store.hit("a", 60), { count: 2, reset: 0.5 })
  now += 500
  assert.equal(store.hit("a", 60), { count: 1, reset: 60 })
})

test("rounding does not make a window longer", () => {
  // The sum 9494.984785 + 60000 - 9494.984785 is slightly more than 60000.
  assert.equal(new RateLimitMemory(10, 100, () => 9494.984785).hit("a", 60), { count: 1, reset: 60 })
})

test("the memory is limited: expired windows are removed first, then those that end first", () => {
  let now = 0
  const store = new RateLimitMemory(3, 100, () => now)
  for (const key of ["a", "b", "a", "c", "d"]) {
    store.hit(key, 60)
    now += 1000
  }
  assert.is(store.size, 3)
  assert.is(store.hit("b", 60).count, 2, "the count of b was lost")
  assert.is(store.hit("a", 60).count, 1, "the window of a, which ends first, was not removed")
  assert.is(store.size, 3)
  now += 61_000
  store.hit("e", 60)
  assert.is(store.size, 1, "expired windows were kept")
  for (let i = 0; i < 10_000; i++) store.hit(`key ${i}`, 60)
  assert.is(store.size, 3)
})

test("a client that has used up its limit is still counted when many other clients arrive", () => {
  let now = 0
  const store = new RateLimitMemory(3, 2, () => now)
  const hits = (...keys: string[]) => keys.map((key) => store.hit(key, 60).count)
  assert.equal(hits("blocked", "blocked", "blocked"), [1, 2, 3])
  for (let i = 0; i < 1000; i++) store.hit(`other ${i}`, 60)
  assert.is(store.size, 3)
  assert.equal(hits("blocked"), [4])
  now += 60_000
  assert.equal(hits("blocked"), [1], "the window of the blocked client did not end")
})

test("expired windows are removed before that of a blocked client, whatever the order in which limits were used up", () => {
  // Each row has the keys that are counted at a time in seconds. A window has 2 seconds, and the memory holds 3
  // keys.
  const orders: ReadonlyArray<ReadonlyArray<readonly [seconds: number, keys: string]>> = [
    [
      [0, "ab"],
      [1.5, "lll"],
      [1.53, "ab"],
      [2.23, "x"],
    ],
    [
      [0, "ab"],
      [1.5, "lllab"],
      [2.23, "x"],
    ],
    [
      [0, "aabb"],
      [1.5, "lll"],
      [2.23, "xy"],
    ],
    [
      [0, "ab"],
      [1.5, "l"],
      [1.6, "a"],
      [1.7, "ll"],
      [1.8, "b"],
      [2.23, "xx"],
    ],
    [
      [0, "a"],
      [0.5, "b"],
      [1.5, "lll"],
      [1.9, "ba"],
      [2.55, "xxyy"],
    ],
  ]
  for (const order of orders) {
    let now = 0
    const store = new RateLimitMemory(3, 2, () => now)
    for (const [seconds, keys] of order) {
      now = seconds * 1000
      for (const key of keys) store.hit(key, 2)
    }
    assert.ok(store.hit("l", 2).count > 2, JSON.stringify(order))
    assert.ok(store.size <= 3)
  }
})

test("the memory is limited even if every client has used up its limit", () => {
  let now = 0
  const store = new RateLimitMemory(3, 1, () => now)
  for (let i = 0; i < 1000; i++) store.hit(`key ${i}`, 60)
  assert.is(store.size, 3)
  assert.is(store.hit("key 0", 60).count, 1)
  assert.is(store.hit("key 999", 60).count, 2)
  now += 60_000
  store.hit("new", 60)
  assert.is(store.size, 1)
})

const networks: ReadonlyArray<readonly [address: string, network: string]> = [
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002:ffff::1", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
  ["", ""],
  ["unknown:", "unknown:"],
]
for (const [address, network] of networks) {
  test(`${JSON.stringify(address)} is counted as ${JSON.stringify(network)}`, () =>
    assert.is(toNetwork(address), network))
}

test("by default clients of one IPv6 network are counted as one, also behind a trusted proxy", async () => {
  const app = new App({ logger: false, trustedProxies: ["127.0.0.0/8"] })
  const seen: string[] = []
  const hit = (key: string) => {
    seen.push(key)
    return { count: 1, reset: 1 }
  }
  app.use(rateLimit({ store: { hit } }))
  app.get("/", (c) => c.string(200, "ok"))
  const { viaSocket } = await import("../../support/contract/runner.ts")
  await viaSocket(app, { path: "/", headers: { "x-forwarded-for": "2001:db8::5" } })
  await viaSocket(app, "/")
  assert.equal(seen, ["2001:db8:0:0::/64", "127.0.0.1"])
})

const failing = { hit: () => Promise.reject(new Error("the store is away")) }
for (const [onFailure, status] of [
  [undefined, 503],
  ["closed", 503],
  ["open", 200],
] as const)
  test(`while the store fails, onFailure ${onFailure} answers ${status}, and the outage is reported once`, async () => {
    const reports: unknown[] = []
    setDevHooks({ onBug: (error) => reports.push(error) })
    try {
      const app = limited({ store: failing, ...(onFailure && { onFailure }) })
      for (let index = 0; index < 3; index++) {
        const answer = await app.request("/", { headers: { "x-key": "a" } })
        assert.is(answer.status, status)
        assert.is(answer.headers.get("retry-after"), status === 503 ? "1" : null)
        assert.not.match(await answer.text(), /away/)
      }
    } finally {
      setDevHooks(undefined)
    }
    assert.equal(
      reports.map((error) => (error as Error).message),
      ["the store is away"],
    )
  })

test("two apps with one store share a limit", async () => {
  const store = memoryStore()
  const [one, two] = [limited({ limit: 3, store }), limited({ limit: 3, store })]
  assert.equal(await statuses(one, ["a", "a"]), [200, 200])
  assert.equal(await statuses(two, ["a", "b", "a"]), [200, 200, 429])
})

test("limits in one store that differ in name, limit or window have separate counts", async () => {
  const store = memoryStore()
  const apps = [{}, { limit: 2 }, { window: 61 }, { name: "other" }].map((own) =>
    limited({ limit: 1, window: 60, store, ...own }),
  )
  for (const app of apps) assert.equal(await statuses(app, ["a"]), [200])
  for (const app of apps.slice(0, 1)) assert.equal(await statuses(app, ["a"]), [429])
})

test("a key of any text can be counted in a store", async () => {
  const store = memoryStore()
  const app = new App({ logger: false })
  const keys = ["\u0000", "\ud83d", "", "x".repeat(1_000)]
  app.use(rateLimit({ limit: 1, store, key: (c) => keys[c.queryInt("n", 0)] ?? "" }))
  app.get("/", (c) => c.string(200, "ok"))
  for (let n = 0; n < 4; n++) assert.is((await app.request(`/?n=${n}`)).status, 200)
  for (let n = 0; n < 4; n++) assert.is((await app.request(`/?n=${n}`)).status, 429)
})

test("a store whose hit() returns no numbers fails, and the report says so", async () => {
  for (const hit of [undefined, null, 5, {}, { count: 1 }, { count: "1", reset: 1 }, { count: Number.NaN, reset: 1 }]) {
    const reports: unknown[] = []
    setDevHooks({ onBug: (error) => reports.push(error) })
    try {
      assert.equal(await statuses(limited({ store: { hit: () => hit as never } }), ["a", "a"]), [503, 503])
      assert.equal(
        reports.map((error) => (error as FwError).code),
        ["rate_limit"],
      )
      assert.match(String(reports[0]), /hit\(\) of the store/)
    } finally {
      setDevHooks(undefined)
    }
  }
})

test("the option key must return a text or null, and anything else is a bug", async () => {
  for (const key of [undefined, 5, {}, true]) {
    const app = new App({ logger: false })
    const errors: unknown[] = []
    app.onError((c, error) => {
      errors.push(error)
      return c.noContent()
    })
    app.use(rateLimit({ key: () => key as never }))
    app.get("/", (c) => c.string(200, "ok"))
    await app.request("/")
    assert.is((errors[0] as FwError).code, "rate_limit")
  }
})

test("a store without a counter is an error at start", () => {
  for (const store of [{}, { kv: memoryStore().kv }, { capabilities: ["kv"] }, null, 7] as unknown[])
    assert.throws(
      () => rateLimit({ store: store as RateLimitStore }),
      (error: FwError) => error.code === "rate_limit",
    )
  assert.throws(() => rateLimit({ onFailure: "opne" as "open" }), /opne/)
})

test.run()
