/** Creates the tested job engines by name and address, in the test and in the programs that it kills. */
import { Pool } from "pg"
import { type Database, database } from "../../../adapters/db.ts"
import { bullmqJobs } from "../../../adapters/jobs/bullmq.ts"
import { pgbossJobs } from "../../../adapters/jobs/pgboss.ts"
import { sqliteJobs } from "../../../adapters/jobs/sqlite.ts"
import type { JobEngine } from "../../../lib/jobs/engine.ts"
import { startPostgres } from "../store/postgres.ts"
import { startRedis, type TestServer } from "../store/server.ts"

/** Starts the servers of the tested engines. `ENGINE` selects those with this text in their names. */
export async function startServers(): Promise<readonly (readonly [kind: string, server: TestServer | undefined])[]> {
  const starts = { sqlite: () => undefined, bullmq: startRedis, pgboss: startPostgres }
  const chosen = Object.entries(starts).filter(([kind]) => kind.includes(process.env.ENGINE ?? ""))
  return Promise.all(chosen.map(async ([kind, start]) => [kind, await start()] as const))
}

/** An engine, and a function that closes its connection. */
export interface TestEngine {
  readonly engine: JobEngine
  /** The database in whose transactions jobs can be added. */
  readonly database?: Database
  disconnect(): unknown
}

/** Opens an engine. @param address the path of a file, or the port of a server. */
export async function createTestEngine(kind: string, address: string): Promise<TestEngine> {
  if (kind === "sqlite") return { engine: sqliteJobs({ file: address }), disconnect() {} }
  if (kind === "pgboss") return createPgboss(Number(address))
  if (kind !== "bullmq") throw new TypeError(`there is no engine ${kind}`)
  const { Queue, Worker, connect } = await loadBullmq()
  const connection = connect(Number(address))
  return { engine: bullmqJobs({ Queue, Worker, connection }), disconnect: () => connection.disconnect() }
}

/** Returns the classes of BullMQ, and a function that connects to a port. */
export async function loadBullmq() {
  const [{ Queue, Worker }, { Redis }] = await Promise.all([import("bullmq"), import("ioredis")])
  const connect = (port: number) => {
    const connection = new Redis(port, { host: "127.0.0.1", maxRetriesPerRequest: null })
    // If the server is down, the calls report it. Without a listener, this event would end the process.
    connection.on("error", () => {})
    return connection
  }
  return { Queue, Worker, connect }
}

async function createPgboss(port: number): Promise<TestEngine> {
  const { PgBoss } = await import("pg-boss")
  const pool = new Pool({ host: "127.0.0.1", port, user: "postgres", database: "postgres" })
  // If the server is down, the calls report it. Without a listener, this event would end the process.
  pool.on("error", () => {})
  const db = database(pool)
  return { engine: pgbossJobs({ PgBoss, database: db }), database: db, disconnect: () => db.close() }
}
