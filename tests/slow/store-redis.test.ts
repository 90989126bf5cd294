/** Runs the contract of stores on a real Redis, with both clients. */
import { inspect } from "node:util"
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

type Login = { readonly username?: string; readonly password?: string }
const clients: Readonly<Record<string, (port: number, login?: Login) => RedisClient>> = {
  redis: (port, login = {}) => createClient({ url: `redis://127.0.0.1:${port}`, ...login }),
  ioredis: (port, login = {}) => new Redis(port, "127.0.0.1", { lazyConnect: true, ...login }),
}

/** Runs a command as an administrator. */
async function administer(port: number, ...command: readonly string[]): Promise<unknown> {
  const own = new Redis(port, "127.0.0.1")
  try {
    return await own.call(...(command as [string]))
  } finally {
    own.disconnect()
  }
}

/** Returns the error of a call that fails. */
async function catchFailure(run: () => Promise<unknown>): Promise<Error & { readonly code?: string }> {
  try {
    await run()
  } catch (error) {
    return error as Error
  }
  throw new Error("the call does not fail")
}

/**
 * Returns the error of a call that Redis refuses. On a busy computer, the time limit of a call may end before Redis
 * answers.
 */
async function catchRefusal(run: () => Promise<unknown>): Promise<Error> {
  for (;;) {
    const error = await catchFailure(run)
    if (/Redis refused/.test(error.message)) return error
    assert.is(error.code, "store_unavailable")
  }
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

  tests("a subscriber gets messages again after Redis was restarted, and is told about the gap", async () => {
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

  tests("calls wait for a Redis that restarts, and stored values are still there", async () => {
    const store = redisStore(client(server.port), { timeout: 30 })
    const key = fresh()
    await store.kv.set(key, "kept")
    await store.counter.hit(key, 600)
    const token = (await store.lock.acquire(key, 600)) as number
    await server.kill()
    const waiting = store.kv.get(key)
    await server.start()
    assert.is(await waiting, "kept")
    assert.is((await store.counter.hit(key, 600)).count, 2, "the count is wrong after Redis has forgotten the script")
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

  tests("an error of Redis says that the call was not executed", async () => {
    const store = redisStore(client(server.port))
    const other = redisStore(client(server.port), { prefix: "fw:kv:fw:" })
    const key = fresh()
    await other.log.append(key, 1)
    await rejects(() => store.kv.get(`fw:log:${key}`), "store_unavailable")
    await Promise.all([store.close(), other.close()])
  })

  tests("a Redis that becomes a replica is replaced by the new primary server", async () => {
    const store = redisStore(client(server.port))
    const connections = async () => {
      const list = String(await administer(server.port, "CLIENT", "LIST"))
      return [...list.matchAll(/^id=(\d+)/gm)].map(([, id]) => id)
    }
    await store.kv.set("key", 1)
    const before = await connections()
    await administer(server.port, "REPLICAOF", "127.0.0.1", "1")
    await rejects(() => store.kv.set("key", 2), "store_unavailable")
    await rejects(
      () => store.topic.publish("topic", "which only clients of the replica would get"),
      "store_unavailable",
    )
    await until(async () => !(await connections()).some((id) => before.includes(id)))
    await administer(server.port, "REPLICAOF", "NO", "ONE")
    await store.kv.set("key", 4)
    await store.close()
  })

  tests("a topic that the user may not read is refused at once, and other topics work", async () => {
    const rights = [">pw", "~*", "+@all", "resetchannels", "&fw:topic:open*"]
    await administer(server.port, "ACL", "SETUSER", "guest", "on", ...rights)
    const store = redisStore(client(server.port, { username: "guest", password: "pw" }), { timeout: 30 })
    const subscriber = collector()
    await store.topic.subscribe("open", subscriber)
    const error = await catchFailure(() => store.topic.subscribe("closed", collector()))
    assert.is(error.code, "store_unavailable")
    assert.match(String((error.cause as Error).message), /NOPERM/)
    await store.topic.publish("open", 1)
    await until(() => subscriber.seen.length === 1)
    assert.is(subscriber.gaps, 0)
    await store.close()
  })

  tests("an error says why Redis refuses, and contains no password and no value", async () => {
    await administer(server.port, "ACL", "SETUSER", "ada", "on", ">another")
    const login = { username: "ada", password: "secret-of-ada" }
    const wrong = redisStore(client(server.port, login), { timeout: 0.2 })
    for (const call of [() => wrong.kv.get("key"), () => wrong.topic.subscribe("topic", collector())]) {
      const error = await catchRefusal(call)
      assert.match(inspect(error, { depth: 9 }), /AUTH|WRONGPASS/)
      assert.not.match(inspect(error, { depth: 9 }), /secret-of-ada/)
    }
    const store = redisStore(client(server.port))
    await administer(server.port, "CONFIG", "SET", "maxmemory", "1")
    for (const call of [
      () => store.kv.set("key", "secret-of-ada"),
      () => store.kv.compareAndSet("new", undefined, "secret-of-ada"),
      () => store.log.append("log", "secret-of-ada"),
    ]) {
      const error = await catchFailure(call)
      assert.is(error.code, "store_unavailable")
      assert.match(inspect(error, { depth: 9 }), /OOM/)
      assert.not.match(inspect(error, { depth: 9 }), /secret-of-ada/)
    }
    await administer(server.port, "CONFIG", "SET", "maxmemory", "0")
    await store.kv.set("key", 1)
    await Promise.all([wrong.close(), store.close()])
  })

  tests.run()
}

const settings = suite("redis: settings of the program's client")
settings("options that change the format of answers do not apply", async () => {
  const server = await startRedis()
  const login = { lazyConnect: true, stringNumbers: true }
  const given: readonly RedisClient[] = [
    new Redis(server.port, "127.0.0.1", login),
    createClient({ url: `redis://127.0.0.1:${server.port}`, RESP: 3 }),
  ]
  for (const client of given) {
    const store = redisStore(client, { prefix: `${given.indexOf(client)}:` })
    assert.is(await store.kv.compareAndSet("key", undefined, 1), true)
    assert.is(await store.kv.delete("key"), true)
    assert.is((await store.counter.hit("key", 60)).count, 1)
    assert.type((await store.counter.hit("key", 60)).reset, "number")
    await store.close()
  }
  await server.end()
})
settings.run()

const wrong = suite("redis: other clients")
wrong("an object that is not a client is an error", () => {
  for (const given of [undefined, {}, { duplicate() {} }, new Redis.Cluster([], { lazyConnect: true })])
    assert.throws(
      () => redisStore(given as RedisClient),
      (error: { code?: string }) => error.code === "store",
    )
})
wrong.run()
