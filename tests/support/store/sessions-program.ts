/**
 * A process with an app that has sessions: `sessions-program.js redis 6379`. The second argument is a port or a
 * file. Prints its address.
 */
import { Redis } from "ioredis"
import { Pool } from "pg"
import { serve } from "../../../adapters/node.ts"
import { postgresStore, redisStore, sqliteStore } from "../../../adapters/store.ts"
import { App } from "../../../lib/index.ts"
import { session } from "../../../lib/session.ts"

const [engine = "", place = ""] = process.argv.slice(2)
const address = { host: "127.0.0.1", port: Number(place) }
// On a slow machine, many requests at the same time take longer than usual.
const slow = { timeout: 60 }
const stores = {
  redis: () => redisStore(new Redis({ ...address, lazyConnect: true }), slow),
  postgres: () => postgresStore(new Pool({ ...address, user: "postgres", database: "postgres" }), slow),
  sqlite: () => sqliteStore(place),
}
const sessions = session({ store: stores[engine as keyof typeof stores]() })
const app = new App({ logger: false })
app.use(sessions)
app.post("/write/{name}", (c) => {
  c.session.set(c.param("name"), true)
  return c.noContent()
})
app.post("/sign-in/{user}", (c) => {
  c.session.signIn(c.param("user"))
  return c.noContent()
})
app.post("/rotate", (c) => {
  c.session.rotate()
  return c.noContent()
})
app.post("/sign-out", (c) => {
  c.session.destroy()
  return c.noContent()
})
app.post("/password/{user}", async (c) => {
  await sessions.destroyAll(c.param("user"))
  c.session.signIn(c.param("user"))
  return c.noContent()
})
app.get("/see/{names}", (c) => {
  const names = c.param("names").split(",")
  return c.json(200, { subject: c.session.subject ?? null, has: names.filter((name) => c.session.get(name)) })
})
const server = await serve(app, { host: "127.0.0.1", port: 0 })
console.log(`listening on ${server.addr}`)
