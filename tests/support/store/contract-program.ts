/**
 * Runs the contract of stores on any runtime: `contract-program redis 6379`. The second argument is a port or a
 * file.
 */
import { Redis } from "ioredis"
import { Pool } from "pg"
import { createClient } from "redis"
import { memoryStore, postgresStore, redisStore, sqliteStore } from "../../../adapters/store.ts"
import { driveStore } from "./contract.ts"

const [engine = "", place = ""] = process.argv.slice(2)
const address = { host: "127.0.0.1", port: Number(place) }
const kept = ["kv", "counter", "lock", "log"] as const

const shared = memoryStore()
let opened = 0
const openers = {
  memory: () => (++opened > 2 ? memoryStore() : shared),
  redis: () => redisStore(createClient({ socket: address })),
  ioredis: () => redisStore(new Redis({ ...address, lazyConnect: true })),
  postgres: () => postgresStore(new Pool({ ...address, user: "postgres", database: "postgres" })),
}

const end = async () => {}
if (engine === "sqlite") driveStore(engine, kept, async () => ({ open: () => sqliteStore(place), end }))
else {
  const open = openers[engine as keyof typeof openers]
  driveStore(engine, [...kept, "topic"], async () => ({ open, end }))
}
