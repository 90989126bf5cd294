/**
 * Compares `kv.get` of the stores with the same read by the bare client of the database, over loopback.
 *
 *   node --conditions=fw-source bench/store.mjs                 needs redis-server and the programs of PostgreSQL
 *   node --conditions=fw-source bench/store.mjs postgres        only databases with this text in their names
 *   ROUNDS=11 node --conditions=fw-source bench/store.mjs       a shorter run; default: 41 rounds
 *
 * Both send the same command or statement and decode the same answer. They run in turn, so that other work on the machine
 * slows down both. A round sends its calls one after the other (`1 at a time`), or 64 at once. It prints medians over the
 * rounds: calls per second, the processor time of this process per call, and the ratios.
 */
import { build } from "../scripts/build.mjs"

await build()
const { Redis } = await import("ioredis")
const { createClient } = await import("redis")
const { Pool } = await import("pg")
const { postgresStore, redisStore } = await import("../dist/adapters/store.js")
const { startPostgres } = await import("../tests/support/store/postgres.ts")
const { startRedis } = await import("../tests/support/store/server.ts")

const rounds = Number(process.env.ROUNDS ?? 41)
const [nameFilter = ""] = process.argv.slice(2)
const value = { user: "ada", theme: "dark", visits: 12 }

/** Returns the calls per second, and the microseconds of processor time per call. */
async function measure(get, calls, concurrency) {
  const [before, start] = [process.cpuUsage(), performance.now()]
  const worker = async () => {
    for (let index = 0; index < calls / concurrency; index++) await get()
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const { user, system } = process.cpuUsage(before)
  return { speed: calls / ((performance.now() - start) / 1000), cpu: (user + system) / calls }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

async function compare(name, bare, fwGet) {
  if (!name.includes(nameFilter)) return
  for (const [concurrency, calls] of [
    [1, 1_000],
    [64, 6_400],
  ]) {
    const results = []
    for (const get of [bare, fwGet]) await measure(get, calls, concurrency)
    for (let round = 0; round < rounds; round++) {
      const first = round % 2 ? [bare, fwGet] : [fwGet, bare]
      const pair = [await measure(first[0], calls, concurrency), await measure(first[1], calls, concurrency)]
      results.push(round % 2 ? pair : pair.reverse())
    }
    const getMedian = (value) => median(results.map(([bareResult, fwResult]) => value(bareResult, fwResult)))
    const format = (number) => Math.round(number).toLocaleString("en").padStart(7)
    const speeds = `bare ${format(getMedian((one) => one.speed))}/s  kv.get ${format(getMedian((_, one) => one.speed))}/s`
    const ratio = getMedian((bareResult, fwResult) => fwResult.speed / bareResult.speed).toFixed(2)
    const times = `${getMedian((one) => one.cpu).toFixed(0)} and ${getMedian((_, one) => one.cpu).toFixed(0)} µs`
    const cpu = getMedian((bareResult, fwResult) => bareResult.cpu / fwResult.cpu).toFixed(2)
    console.log(
      `${name.padEnd(8)} ${String(concurrency).padStart(2)} at a time  ${speeds}  ratio ${ratio}  processor ${times}, ratio ${cpu}`,
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
