/** A process of an app with a rate limit. It sends itself requests at the same time, and prints how many were answered with 200. */
import { Redis } from "ioredis"
import { redisStore, sqliteStore } from "../../../adapters/store.ts"
import { App, rateLimit } from "../../../lib/index.ts"

const [place = "", requests = "0", limit = "0"] = process.argv.slice(2)
const store = /^\d+$/.test(place)
  ? redisStore(new Redis(Number(place), "127.0.0.1", { lazyConnect: true }), { timeout: 60 })
  : sqliteStore(place)
const app = new App({ logger: false })
app.use(rateLimit({ limit: Number(limit), window: 3600, store, key: () => "everybody" }))
app.get("/", (c) => c.noContent())

const statuses = await Promise.all(
  Array.from({ length: Number(requests) }, async () => (await app.request("/")).status),
)
const count = (wanted: number) => statuses.filter((status) => status === wanted).length
console.log(JSON.stringify({ passed: count(204), refused: count(429) }))
await store.close()
