/** Runs the contract of stores on a real PostgreSQL. */
import { inspect } from "node:util"
import { Pool } from "pg"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { postgresStore } from "../../adapters/store.ts"
import type { PostgresPool } from "../../lib/store/postgres/client.ts"
import { driveStore, fresh, rejects } from "../support/store/contract.ts"
import { collector } from "../support/store/contract-topic.ts"
import { startPostgres } from "../support/store/postgres.ts"
import type { TestServer } from "../support/store/server.ts"
import { until } from "../support/store/until.ts"

process.env.FW_LOG_LEVEL = "off"

let server: TestServer
const pool = (options = {}) =>
  new Pool({ host: "127.0.0.1", port: server.port, user: "postgres", database: "postgres", ...options })

const first = suite("postgres: start")
first.before(async () => {
  server = await startPostgres()
})
first("stores that start at the same time create the tables once", async () => {
  const stores = Array.from({ length: 5 }, () => postgresStore(pool(), { prefix: "many_" }))
  await Promise.all(stores.map((store, index) => store.kv.set(`key ${index}`, index)))
  assert.is(await stores[0]?.kv.get("key 4"), 4)
  await Promise.all(stores.map((store) => store.close()))
})
first.run()

driveStore("postgres", ["kv", "counter", "lock", "topic", "log"], async () => ({
  open: () => postgresStore(pool()),
  end: async () => {},
}))

const tests = suite("postgres")
tests.after(() => server.end())

/** Runs statements as an administrator. */
async function administer(...statements: readonly string[]): Promise<void> {
  const own = pool()
  for (const statement of statements) await own.query(statement)
  await own.end()
}

tests("a user who may not create tables uses existing ones", async () => {
  const maker = postgresStore(pool(), { prefix: "made_" })
  await maker.kv.set("key", "made")
  await maker.close()
  await administer(
    "CREATE USER guest",
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    "GRANT ALL ON ALL TABLES IN SCHEMA public TO guest",
    "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO guest",
  )
  const store = postgresStore(pool({ user: "guest" }), { prefix: "made_" })
  assert.is(await store.kv.get("key"), "made")
  assert.ok(await store.lock.acquire("lock", 1))
  await store.close()
  const other = postgresStore(pool({ user: "guest" }), { prefix: "missing_" })
  await rejects(() => other.kv.get("key"), "store_unavailable")
  await other.close()
})

tests("calls that PostgreSQL could not serialize are repeated, and each counts once", async () => {
  await administer("ALTER DATABASE postgres SET default_transaction_isolation = 'serializable'")
  const stores = [1, 2].map(() => postgresStore(pool(), { prefix: "order_", timeout: 60 }))
  const calls = Array.from({ length: 100 }, (_, index) => stores[index % 2]?.counter.hit("key", 600))
  const counts = (await Promise.all(calls)).map((hit) => hit?.count)
  assert.equal(
    counts.sort((a, b) => Number(a) - Number(b)),
    Array.from({ length: 100 }, (_, index) => index + 1),
  )
  await administer("ALTER DATABASE postgres RESET default_transaction_isolation")
  await Promise.all(stores.map((store) => store.close()))
})

tests("a server that only reads is replaced by the new primary server", async () => {
  const store = postgresStore(pool())
  await store.kv.get("key")
  await administer("ALTER DATABASE postgres SET default_transaction_read_only = on")
  // Only new connections have the setting, so the test uses a new one.
  const reading = postgresStore(pool())
  await rejects(() => reading.kv.set("key", 1), "store_unavailable")
  await administer(
    "SET default_transaction_read_only = off",
    "ALTER DATABASE postgres RESET default_transaction_read_only",
  )
  await reading.kv.set("key", 2)
  assert.is(await store.kv.get("key"), 2)
  await Promise.all([store.close(), reading.close()])
})

tests("settings of the pool that change the format of answers do not apply", async () => {
  const asText = { getTypeParser: () => (text: unknown) => text }
  for (const options of [{ types: asText }, { binary: true }]) {
    const store = postgresStore(pool(options), { prefix: "form_" })
    await store.kv.set("key", 1)
    assert.is(await store.kv.delete("key"), true)
    assert.is((await store.counter.hit(fresh(), 60)).count, 1)
    await store.close()
  }
})

tests("a subscription that the server refuses gives the reason, without the password", async () => {
  const store = postgresStore(pool({ database: "missing", password: "secret-of-ada" }), { timeout: 0.2 })
  let text = ""
  // On a busy computer, the time limit may end before PostgreSQL answers.
  await until(async () => {
    text = await store.topic.subscribe("topic", collector()).then(String, (error) => inspect(error, { depth: 9 }))
    return !/could not be reached|did not answer/.test(text)
  })
  assert.match(text, /PostgreSQL refused[\s\S]*"missing" does not exist/)
  assert.not.match(text, /secret-of-ada/)
  await store.close()
})

tests("expired values are removed from time to time", async () => {
  const store = postgresStore(pool(), { prefix: "old_", timeout: 60 })
  await Promise.all(Array.from({ length: 400 }, (_, index) => store.kv.set(`key ${index}`, index, { ttl: 0.001 })))
  await store.log.append("log", 1, { ttl: 0.001 })
  await until(async () => (await store.kv.get("key 399")) === undefined)
  const own = pool()
  await until(async () => {
    // The calls run one after the other, because each waits for the row that the earlier one has locked.
    for (let n = 0; n < 100; n++) await store.kv.set("other", 1)
    const { rows } = await own.query(
      "SELECT (SELECT count(*) FROM old_kv) + (SELECT count(*) FROM old_log_entry) AS left",
    )
    return Number(rows[0]?.left) === 1
  })
  await own.end()
  await store.close()
})

tests("a message that is no longer in its table is a gap", async () => {
  const store = postgresStore(pool())
  const [topic, subscriber] = [fresh("topic"), collector()]
  await store.topic.subscribe(topic, subscriber)
  await administer(
    "CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM fw_message; RETURN NULL; END $$",
    "CREATE TRIGGER forget AFTER INSERT ON fw_message EXECUTE FUNCTION forget()",
  )
  await store.topic.publish(topic, "x".repeat(10_000))
  await store.topic.publish(topic, "short")
  await until(() => subscriber.seen.length === 1)
  assert.equal([subscriber.seen, subscriber.gaps], [["short"], 1])
  await administer("DROP TRIGGER forget ON fw_message")
  await store.close()
})

tests("messages of every length around 8,000 bytes arrive", async () => {
  const store = postgresStore(pool())
  const [topic, subscriber] = [fresh("тема".repeat(60)), collector()]
  await store.topic.subscribe(topic, subscriber)
  const texts = [2_000, 2_480, 7_300, 7_400, 7_500, 7_900, 7_990, 8_000, 8_001].flatMap((length) => [
    "x".repeat(length),
    "é".repeat(Math.floor(length / 2)),
    "日".repeat(Math.floor(length / 3)),
  ])
  for (const text of texts) await store.topic.publish(topic, text)
  await until(() => subscriber.seen.length === texts.length)
  assert.equal(subscriber.seen, texts)
  await store.close()
})

tests("a subscriber gets messages again after PostgreSQL was restarted, and is told about the gap", async () => {
  const [one, two] = [postgresStore(pool(), { timeout: 30 }), postgresStore(pool(), { timeout: 30 })]
  const [topic, subscriber, key] = [fresh("topic"), collector(), fresh()]
  await one.topic.subscribe(topic, subscriber)
  await two.topic.publish(topic, 1)
  await two.kv.set(key, "kept")
  await until(() => subscriber.seen.length === 1)
  await server.kill()
  const waiting = two.kv.get(key)
  await server.start()
  assert.is(await waiting, "kept")
  await until(() => subscriber.gaps === 1)
  await two.topic.publish(topic, 2)
  await until(() => subscriber.seen.length === 2)
  assert.equal([subscriber.seen, subscriber.gaps], [[1, 2], 1])
  await Promise.all([one.close(), two.close()])
})

tests("a PostgreSQL that cannot be reached is an error that says so", async () => {
  const store = postgresStore(pool({ port: 1 }), { timeout: 0.2 })
  for (const call of [
    () => store.kv.get("key"),
    () => store.kv.set("key", 1),
    () => store.topic.publish("topic", 1),
    () => store.topic.subscribe("topic", collector()),
  ])
    await rejects(call, "store_unavailable")
  await store.close()
})

tests("a value that is not a pool, and a prefix that is not a name, are errors", () => {
  const refuses = (run: () => unknown) => assert.throws(run, (error: { code?: string }) => error.code === "store")
  for (const given of [undefined, {}, { options: {}, connect() {} }])
    refuses(() => postgresStore(given as unknown as PostgresPool))
  for (const prefix of ["", "fw:", "A_", "x'; --", "a".repeat(31)]) refuses(() => postgresStore(pool(), { prefix }))
})

tests.run()
