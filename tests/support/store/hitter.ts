/**
 * A process with a rate-limited app. It sends itself requests at the same time, and prints how many were answered
 * with 200.
 */
import { Redis } from "ioredis"
import { Pool } from "pg"
import { postgresStore, redisStore, sqliteStore } from "../../../adapters/store.ts"
import { App, rateLimit } from "../../../lib/index.ts"

const [engine = "", place = "", requests = "0", limit = "0"] = process.argv.slice(2)
const address = { host: "127.0.0.1", port: Number(place) }
const slow = { timeout: 60 }
const stores = {
  redis: () => redisStore(new Redis({ ...address, lazyConnect: true }), slow),
  postgres: () => postgresStore(new Pool({ ...address, user: "postgres", database: "postgres" }), slow),
  sqlite: () => sqliteStore(place),
}
const store = stores[engine as keyof typeof stores]()
const app = new App({ logger: false })
app.use(rateLimit({ limit: Number(limit), window: 3600, store, key: () => "everybody" }))
app.get("/", (c) => c.noContent())

const statuses = await Promise.all(
  Array.from({ length: Number(requests) }, async () => (await app.request("/")).status),
)
const count = (wanted: number) => statuses.filter((status) => status === wanted).length
console.log(JSON.stringify({ passed: count(204), refused: count(429) }))
await store.close()
