/** A program with sessions and a rate limit in Redis, of which several processes run behind a balancer. */
import { Redis } from "ioredis"
import { serve } from "../../../adapters/node.ts"
import { redisStore } from "../../../adapters/store.ts"
import { App, rateLimit } from "../../../lib/index.ts"
import { session } from "../../../lib/session.ts"

const [port = "0", redis = "0", limit = "0"] = process.argv.slice(2)
const client = new Redis(Number(redis), "127.0.0.1", { lazyConnect: true })
const store = redisStore(client)
// On a slow machine, thousands of requests at the same time take longer than usual.
const counts = redisStore(client, { timeout: 60 })
const app = new App({ logger: false, trustedProxies: ["127.0.0.1"] })

app.get("/health/ready", (c) => c.noContent())
app.group("/limited", (group) => {
  group.use(rateLimit({ limit: Number(limit), window: 3600, store: counts }))
  group.get("/", (c) => c.noContent())
})
app.get("/value", async (c) => c.json(200, (await store.kv.get("value")) ?? null))
app.group("/visit", (group) => {
  group.use(session({ store }))
  // Each step is a separate value, so that no step replaces another one.
  group.post("/{visitor}/{step}", (c) => {
    const visitor = c.session.get("visitor") ?? c.param("visitor")
    c.session.set("visitor", visitor)
    c.session.set(`step ${c.param("step")}`, true)
    return c.json(200, { visitor })
  })
  group.get("/{steps}", (c) => {
    const steps = Array.from({ length: Number(c.param("steps")) }, (_, step) => step)
    const done = steps.filter((step) => c.session.get(`step ${step}`))
    return c.json(200, { visitor: c.session.get("visitor") ?? null, steps: done })
  })
})
const server = await serve(app, { host: "127.0.0.1", port: Number(port) })
console.log(`listening on ${server.addr}`)
