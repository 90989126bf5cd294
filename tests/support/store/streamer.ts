/** A process with an app that has event streams and sockets. It prints a line when it listens. */
import { Redis } from "ioredis"
import { Pool } from "pg"
import { serve } from "../../../adapters/node.ts"
import { broadcaster, eventLog, postgresStore, redisStore } from "../../../adapters/store.ts"
import { App } from "../../../lib/index.ts"
import { until } from "./until.ts"

const [port = "0", engine = "", storePort = "0"] = process.argv.slice(2)
const address = { host: "127.0.0.1", port: Number(storePort) }
const store =
  engine === "redis"
    ? redisStore(new Redis(address.port, address.host, { lazyConnect: true }))
    : postgresStore(new Pool({ ...address, user: "postgres", database: "postgres" }))
const log = eventLog(store)
const live = broadcaster(store)

const app = new App({ logger: false })
app.get("/job", (c) => {
  const subject = c.query("subject")
  return c.sse(
    async (events) => {
      for (let n = 1; n <= 20; n++) {
        await events.send({ data: { n, pid: process.pid } })
        // The function is still running when its client has moved to the other process.
        if (n === 5) await until(async () => (await store.kv.get(`go on ${subject}`)) === true)
      }
    },
    { log, subject },
  )
})
app.post("/job", async (c) => {
  await store.kv.set(`go on ${c.query("subject")}`, true)
  return c.noContent()
})
app.get("/news", (c) => c.sse((events) => live.subscribe("news", events, { start: () => events.send("started") })))
app.socket("/news", () => ({
  open: (socket) => live.subscribe("news", socket, { start: () => socket.send("started") }),
}))
app.post("/news", async (c) => {
  await live.publish("news", JSON.parse(await c.text()))
  return c.noContent()
})

const server = await serve(app, { host: "127.0.0.1", port: Number(port) })
console.log(`listening on ${server.addr}`)
