/** The contract of stores on Bun, Deno and newer versions of Node, with real servers. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { bundleProgram } from "../support/adapters/published.ts"
import { commandOf, type Runtime, start } from "../support/adapters/runtimes.ts"
import { startPostgres } from "../support/store/postgres.ts"
import { startRedis, type TestServer } from "../support/store/server.ts"

const directory = mkdtempSync(join(tmpdir(), "fw-stores-"))
const servers: TestServer[] = []
let places: Readonly<Record<string, string>> = {}
let program: string

test.before(async () => {
  const [redis, postgres] = [await startRedis(), await startPostgres()]
  servers.push(redis, postgres)
  program = await bundleProgram("tests/support/store/contract-program.ts")
  const [memory, port] = ["", String(redis.port)]
  places = { memory, redis: port, ioredis: port, postgres: String(postgres.port) }
})
test.after(async () => {
  for (const server of servers) await server.end()
  rmSync(directory, { recursive: true, force: true })
})

/** Runs the contract in a process of its own. */
async function check(runtime: Runtime, engine: string): Promise<void> {
  const place = places[engine] ?? join(directory, `${runtime}.db`)
  const running = start([...commandOf(runtime), program, engine, place])
  const lines: string[] = []
  for (let line = ""; !line.includes("Skipped:"); lines.push(line)) line = await running.line()
  const text = lines.join("\n")
  const [total, passed] = ["Total", "Passed"].map((name) => new RegExp(`${name}: +(\\d+)`).exec(text)?.[1])
  assert.match(total ?? "", /^[1-9]/, text)
  assert.is(passed, total, text)
  await running.stop()
}

for (const [runtime, ...engines] of [
  ["bun", "memory", "sqlite", "ioredis", "postgres"],
  ["deno", "memory", "sqlite", "redis", "postgres"],
  ["node-24", "sqlite"],
] as const)
  test(`on ${runtime} every promise of stores is kept with ${engines.join(", ")}`, async () => {
    await Promise.all(engines.map((engine) => check(runtime, engine)))
  })

test.run()
