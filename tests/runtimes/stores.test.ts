/** Runs the contract of stores on Bun, Deno and newer versions of Node, with real servers. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { test } from "uvu"
import { bundleProgram } from "../support/adapters/published.ts"
import { type Runtime, runContract } from "../support/adapters/runtimes.ts"
import { startPostgres } from "../support/store/postgres.ts"
import { startRedis, type TestServer } from "../support/store/server.ts"

const directory = mkdtempSync(join(tmpdir(), "fw-stores-"))
const servers: TestServer[] = []
let places: Readonly<Record<string, string>> = {}
let program: string
let databaseProgram: string

test.before(async () => {
  const [redis, postgres] = [await startRedis(), await startPostgres()]
  servers.push(redis, postgres)
  program = await bundleProgram("tests/support/store/contract-program.ts")
  const [memory, port] = ["", String(redis.port)]
  const postgresURL = `postgres://postgres@127.0.0.1:${postgres.port}/postgres`
  databaseProgram = await bundleProgram("tests/support/db/contract-program.ts")
  places = {
    memory,
    redis: port,
    ioredis: port,
    postgres: String(postgres.port),
    pg: postgresURL,
    "postgres.js": postgresURL,
  }
})
test.after(async () => {
  for (const server of servers) await server.end()
  rmSync(directory, { recursive: true, force: true })
})

/** Runs a contract in its own process. */
async function check(runtime: Runtime, engine: string, contract = program): Promise<void> {
  const place = places[engine] ?? join(directory, `${runtime}-${basename(contract)}.db`)
  await runContract(runtime, contract, engine, place)
}

for (const [runtime, ...engines] of [
  ["bun", "memory", "sqlite", "ioredis", "postgres"],
  ["deno", "memory", "sqlite", "redis", "postgres"],
  ["node-24", "sqlite"],
] as const)
  test(`on ${runtime} stores fulfil their contract with ${engines.join(", ")}`, async () => {
    await Promise.all(engines.map((engine) => check(runtime, engine)))
  })

for (const [runtime, ...clients] of [
  ["bun", "bun:sqlite", "postgres.js"],
  ["deno", "node:sqlite"],
  ["node-24", "node:sqlite"],
  ["node", "pg", "postgres.js"],
] as const)
  test(`on ${runtime} migrations, transactions and databaseStore() fulfil their contract with ${clients.join(", ")}`, async () => {
    // The PostgreSQL clients share a database, which each of them empties, so they run one after the other.
    for (const client of clients) await check(runtime, client, databaseProgram)
  })

test.run()
