/**
 * Tests of every engine with a server behind a bad connection: no call hangs or is executed twice, and a call with
 * an unknown result says so.
 */
import { Redis } from "ioredis"
import { Pool } from "pg"
import { createClient } from "redis"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { postgresStore, redisStore, type ServerStoreOptions, type Store } from "../../adapters/store.ts"
import { random } from "../support/random.ts"
import { type BadProxy, startBadProxy } from "../support/store/bad-proxy.ts"
import { startPostgres } from "../support/store/postgres.ts"
import { startRedis, type TestServer } from "../support/store/server.ts"
import { until } from "../support/store/until.ts"

process.env.FW_LOG_LEVEL = "off"

type Open = (port: number, options?: ServerStoreOptions) => Store

const engines: Readonly<Record<string, readonly [start: () => Promise<TestServer>, open: Open]>> = {
  redis: [startRedis, (port, options) => redisStore(createClient({ url: `redis://127.0.0.1:${port}` }), options)],
  ioredis: [startRedis, (port, options) => redisStore(new Redis(port, "127.0.0.1", { lazyConnect: true }), options)],
  postgres: [
    startPostgres,
    (port, options) =>
      postgresStore(new Pool({ host: "127.0.0.1", port, user: "postgres", database: "postgres" }), options),
  ],
}

/** Runs calls, several at a time. Returns the outcome of each: `done`, or the code of its error. */
async function outcomes(count: number, call: (index: number) => Promise<unknown>): Promise<string[]> {
  const results: string[] = []
  let next = 0
  const worker = async () => {
    while (next < count) {
      const index = next++
      results[index] = await call(index).then(
        () => "done",
        (error: { code?: string }) => String(error.code),
      )
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return results
}

for (const [name, [start, open]] of Object.entries(engines)) {
  const tests = suite(`bad connection: ${name}`)
  let server: TestServer
  let direct: Store
  let proxy: BadProxy
  let store: Store
  tests.before(async () => {
    server = await start()
    direct = open(server.port)
    await direct.kv.get("tables")
  })
  tests.before.each(async () => {
    proxy = await startBadProxy(server.port, random(7).next)
    store = open(proxy.port, { timeout: 0.3 })
  })
  tests.after.each(async () => {
    await store.close()
    await proxy.end()
  })
  tests.after(async () => {
    await direct.close()
    await server.end()
  })

  const known = ["done", "store_unavailable", "store_unknown"]
  const count = (results: readonly string[], wanted: string) => results.filter((result) => result === wanted).length

  tests("hits are counted once, or reported as not counted or unknown", async () => {
    const results = await outcomes(400, () => store.counter.hit("hits", 600))
    for (const result of results) assert.ok(known.includes(result), result)
    const counted = (await direct.counter.hit("hits", 600)).count - 1
    const [done, unknown] = [count(results, "done"), count(results, "store_unknown")]
    assert.ok(unknown > 0, "the proxy disturbed no call")
    assert.ok(done <= counted && counted <= done + unknown, `${done} <= ${counted} <= ${done} + ${unknown}`)
    proxy.calm()
    await until(() => store.counter.hit("hits", 600).then(Boolean, () => false))
  })

  tests("entries are added to a log once, or reported as not added or unknown", async () => {
    const results = await outcomes(300, (index) => store.log.append("log", index))
    const { entries } = await direct.log.read("log")
    const added = entries.map(({ data }) => data as number)
    assert.is(new Set(added).size, added.length, "an entry was added twice")
    for (const [index, result] of results.entries()) {
      assert.ok(known.includes(result), result)
      if (result !== "store_unknown") assert.is(added.includes(index), result === "done", `${index}: ${result}`)
    }
  })

  tests("values are read correctly, or not at all", async () => {
    for (let index = 0; index < 20; index++) await direct.kv.set(`value ${index}`, String(index).repeat(5_000))
    const results = await outcomes(300, async (index) => {
      const value = await store.kv.get(`value ${index % 20}`)
      assert.is(value, String(index % 20).repeat(5_000))
    })
    assert.equal(
      [...new Set(results)].filter((result) => !["done", "store_unavailable"].includes(result)),
      [],
    )
  })

  tests("messages arrive once and in their order, and a missing one is a gap", async () => {
    const seen: number[] = []
    let gaps = 0
    const subscriber = { message: (data: unknown) => void seen.push(data as number), gap: () => void gaps++ }
    await until(() => store.topic.subscribe("news", subscriber).then(Boolean, () => false))
    let sent = 0
    const send = async (times: number) => {
      for (const end = sent + times; sent < end; sent++) await direct.topic.publish("news", sent)
    }
    await send(300)
    proxy.calm()
    const mark = sent
    await until(async () => {
      await send(1)
      return (seen.at(-1) ?? 0) >= mark
    })
    await until(() => seen.at(-1) === sent - 1)
    assert.equal(
      seen,
      [...new Set(seen)].sort((a, b) => a - b),
    )
    if (seen.length < sent) assert.ok(gaps > 0, `${sent - seen.length} of ${sent} messages are missing`)
  })

  tests.run()
}
