/** Runs the contract of stores in memory. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, FwError } from "../../../lib/index.ts"
import { rateLimit } from "../../../lib/middleware/rate-limit.ts"
import { session } from "../../../lib/session.ts"
import { checkCapability } from "../../../lib/store/checks.ts"
import { eventLog } from "../../../lib/store/event-log.ts"
import { ExpiringMap } from "../../../lib/store/expiring-map.ts"
import { memoryStore } from "../../../lib/store/memory.ts"
import type { Capability, Store } from "../../../lib/store/types.ts"
import { driveStore } from "../../support/store/contract.ts"

process.env.FW_LOG_LEVEL = "off"

driveStore("memory", ["kv", "counter", "lock", "topic", "log"], async () => {
  // In memory there is no second process, so all stores share their data. A test that closes a store opens its own.
  const shared = memoryStore()
  let opened = 0
  return { open: () => (++opened > 2 ? memoryStore() : shared), end: async () => {} }
})

test("expired values do not stay in memory", () => {
  const values = new ExpiringMap<number>()
  for (let index = 0; index < 50_000; index++) values.set(`key ${index}`, index, 0)
  assert.ok(values.size <= 1_000, `${values.size} of 50,000 values are left`)
})

for (const [code, status, retryAfter] of [
  ["store_unavailable", 503, "1"],
  ["store_unknown", 503, "1"],
  ["store", 500, null],
] as const)
  test(`a handler that fails with ${code} is answered with ${status}, and no details`, async () => {
    const app = new App({ logger: false })
    app.get("/", () => {
      throw new FwError(code, "redis://secret is away", "")
    })
    const answer = await app.request("/")
    assert.is(answer.status, status)
    assert.is(answer.headers.get("retry-after"), retryAfter)
    assert.not.match(await answer.text(), "secret")
  })

const lacking: ReadonlyArray<readonly [given: unknown, capability: Capability, message: RegExp | null]> = [
  [memoryStore(), "topic", null],
  [{ kv: memoryStore().kv }, "kv", null],
  [{ kv: memoryStore().kv }, "topic", /needs a store with topic/],
  [undefined, "kv", /needs a store with kv/],
  [{ kv: null }, "kv", /needs a store with kv/],
  [{ engine: "sqlite", capabilities: ["kv"] }, "topic", /needs topic, which the engine sqlite does not have/],
]
for (const [index, [given, capability, message]] of lacking.entries())
  test(`where ${capability} is needed, store ${index} of the table is ${message ? "refused" : "accepted"}`, () => {
    const check = () => checkCapability(given, capability, "session()")
    if (message)
      assert.throws(check, (error: Error) => message.test(error.message) && error.message.startsWith("session()"))
    else check()
  })

const inMemory: Readonly<Record<string, () => unknown>> = {
  "memoryStore()": () => memoryStore(),
  "rateLimit() without a store": () => rateLimit(),
  "session() on memoryStore()": () => session({ store: memoryStore() }),
  "eventLog() on memoryStore()": () => eventLog(memoryStore()),
}
for (const [what, make] of Object.entries(inMemory))
  test(`${what} is refused in a program with several workers`, () => {
    process.env.FW_WORKER = "4"
    try {
      assert.throws(make, /4 workers/)
    } finally {
      delete process.env.FW_WORKER
    }
    process.env.FW_WORKER = "1"
    make()
    delete process.env.FW_WORKER
    make()
  })

test("rateLimit() with a store is accepted in a program with several workers", () => {
  const store = memoryStore()
  process.env.FW_WORKER = "4"
  try {
    rateLimit({ store })
  } finally {
    delete process.env.FW_WORKER
  }
})

test("the type Store<…> names capabilities, and refuses a store that lacks one", () => {
  const needsTopic = (_store: Store<"topic">) => {}
  const withoutTopic = memoryStore() as Store<"kv" | "counter">
  needsTopic(memoryStore())
  // @ts-expect-error this store has no topic
  needsTopic(withoutTopic)
})

test.run()
