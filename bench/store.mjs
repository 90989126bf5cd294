/**
 * Compares `kv.get` of the stores with a get of their bare clients, over loopback.
 *
 *   node bench/store.mjs            needs redis-server and the programs of PostgreSQL
 *
 * Both sides take turns, so that what else the machine does affects both. A round is one after the other (`1 at a time`), or
 * many at once. The ratio is the median of those of the rounds.
 */
import { build } from "../scripts/build.mjs"

await build()
const { Redis } = await import("ioredis")
const { createClient } = await import("redis")
const { Pool } = await import("pg")
const { postgresStore, redisStore } = await import("../dist/adapters/store.js")
const { startPostgres } = await import("../dist/tests/support/store/postgres.js")
const { startRedis } = await import("../dist/tests/support/store/server.js")

const rounds = 41
const value = { user: "ada", theme: "dark", visits: 12 }

/** Calls per second. */
async function measure(get, calls, atOnce) {
  const start = performance.now()
  const worker = async () => {
    for (let index = 0; index < calls / atOnce; index++) await get()
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return calls / ((performance.now() - start) / 1000)
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

async function compare(name, bare, ours) {
  for (const [atOnce, calls] of [
    [1, 1_000],
    [64, 6_400],
  ]) {
    const [bares, all, ratios] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      const first = round % 2 ? [bare, ours] : [ours, bare]
      const speeds = [await measure(first[0], calls, atOnce), await measure(first[1], calls, atOnce)]
      const [ofBare, ofOurs] = round % 2 ? speeds : speeds.reverse()
      bares.push(ofBare)
      all.push(ofOurs)
      ratios.push(ofOurs / ofBare)
    }
    const show = (number) => Math.round(number).toLocaleString("en").padStart(8)
    console.log(
      `${name.padEnd(10)} ${String(atOnce).padStart(3)} at a time   bare ${show(median(bares))}/s   kv.get ${show(median(all))}/s   ratio ${median(ratios).toFixed(2)}`,
    )
  }
}

const redis = await startRedis()
const url = `redis://127.0.0.1:${redis.port}`
const nodeRedis = createClient({ url })
await nodeRedis.connect()
const ioRedis = new Redis(url)
for (const [name, client] of [
  ["redis", nodeRedis],
  ["ioredis", ioRedis],
]) {
  const store = redisStore(client)
  await store.kv.set("key", value)
  await compare(
    name,
    async () => JSON.parse(await client.get("fw:kv:key")),
    () => store.kv.get("key"),
  )
  await store.close()
}
nodeRedis.destroy()
ioRedis.disconnect()
await redis.end()

const postgres = await startPostgres()
const pool = new Pool({ host: "127.0.0.1", port: postgres.port, user: "postgres", database: "postgres" })
const store = postgresStore(pool)
await store.kv.set("key", value)
const text = "SELECT value FROM fw_kv WHERE key = $1 AND expires > statement_timestamp()"
const bare = async () => JSON.parse((await pool.query(text, ["key"])).rows[0].value)
await compare("postgres", bare, () => store.kv.get("key"))
await store.close()
await pool.end()
await postgres.end()
