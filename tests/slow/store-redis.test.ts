/** The contract of stores, on a real Redis, with both clients. */
import { Redis } from "ioredis"
import { createClient } from "redis"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { redisStore } from "../../adapters/store.ts"
import type { RedisClient } from "../../lib/store/redis/client.ts"
import { driveStore, fresh, rejects } from "../support/store/contract.ts"
import { collector } from "../support/store/contract-topic.ts"
import { startRedis, type TestServer } from "../support/store/server.ts"
import { until } from "../support/store/until.ts"

process.env.FW_LOG_LEVEL = "off"

const clients: Readonly<Record<string, (port: number) => RedisClient>> = {
  redis: (port) => createClient({ url: `redis://127.0.0.1:${port}` }),
  ioredis: (port) => new Redis(port, "127.0.0.1", { lazyConnect: true }),
}

for (const [name, client] of Object.entries(clients)) {
  driveStore(name, ["kv", "counter", "lock", "topic", "log"], async () => {
    const server = await startRedis()
    return { open: () => redisStore(client(server.port)), end: () => server.end() }
  })

  const tests = suite(`redis: ${name}`)
  let server: TestServer
  tests.before(async () => {
    server = await startRedis()
  })
  tests.after(() => server.end())

  tests("a subscriber gets messages again after Redis has started again, and hears of the gap", async () => {
    const [one, two] = [redisStore(client(server.port)), redisStore(client(server.port))]
    const [topic, subscriber] = [fresh("topic"), collector()]
    await one.topic.subscribe(topic, subscriber)
    await two.topic.publish(topic, 1)
    await until(() => subscriber.seen.length === 1)
    await server.kill()
    await server.start()
    await until(() => subscriber.gaps === 1)
    await two.topic.publish(topic, 2)
    await until(() => subscriber.seen.length === 2)
    assert.equal(subscriber.seen, [1, 2])
    assert.is(subscriber.gaps, 1)
    await Promise.all([one.close(), two.close()])
  })

  tests("calls wait for a Redis that starts again, and what was stored is there", async () => {
    const store = redisStore(client(server.port), { timeout: 30 })
    const key = fresh()
    await store.kv.set(key, "kept")
    await store.counter.hit(key, 600)
    const token = (await store.lock.acquire(key, 600)) as number
    await server.kill()
    const waiting = store.kv.get(key)
    await server.start()
    assert.is(await waiting, "kept")
    assert.is(
      (await store.counter.hit(key, 600)).count,
      2,
      "Redis has forgotten the script, and gets it again",
    )
    assert.is(await store.lock.release(key, token), true)
    await store.close()
  })

  tests("a Redis that cannot be reached is an error that says so", async () => {
    const store = redisStore(client(1), { timeout: 0.2 })
    for (const call of [
      () => store.kv.get("key"),
      () => store.kv.set("key", 1),
      () => store.counter.hit("key", 1),
      () => store.topic.publish("topic", 1),
      () => store.topic.subscribe("topic", collector()),
    ])
      await rejects(call, "store_unavailable")
    await store.close()
  })

  tests("an error of Redis says that the call was not done", async () => {
    const store = redisStore(client(server.port))
    const other = redisStore(client(server.port), { prefix: "fw:kv:fw:" })
    const key = fresh()
    await other.log.append(key, 1)
    await rejects(() => store.kv.get(`fw:log:${key}`), "store_unavailable")
    await Promise.all([store.close(), other.close()])
  })

  tests.run()
}

const wrong = suite("redis: other clients")
wrong("an object that is not a client is an error", () => {
  for (const given of [undefined, {}, { duplicate() {} }, new Redis.Cluster([], { lazyConnect: true })])
    assert.throws(
      () => redisStore(given as RedisClient),
      (error: { code?: string }) => error.code === "store",
    )
})
wrong.run()
