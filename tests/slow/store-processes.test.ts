/** Tests that three processes share one limit, which is counted exactly. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { startPostgres } from "../support/store/postgres.ts"
import { startRedis } from "../support/store/server.ts"

const hitter = fileURLToPath(new URL("../support/store/hitter.ts", import.meta.url))

/** Runs three processes, and returns how many requests passed and were refused. */
async function hit(
  engine: string,
  place: string,
  requests: readonly number[],
  limit: number,
): Promise<readonly number[]> {
  const runs = requests.map(async (count) => {
    const args = [hitter, engine, place, String(count), String(limit)]
    const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, ...args])
    return JSON.parse(stdout) as { passed: number; refused: number }
  })
  const results = await Promise.all(runs)
  const sum = (name: "passed" | "refused") => results.reduce((total, result) => total + result[name], 0)
  return [sum("passed"), sum("refused")]
}

test("exactly as many of 5,000 requests to three processes with one Redis pass as the limit says", async () => {
  const server = await startRedis()
  try {
    assert.equal(await hit("redis", String(server.port), [1_667, 1_667, 1_666], 1_234), [1_234, 3_766])
  } finally {
    await server.end()
  }
})

test("exactly as many of 900 requests to three processes with one PostgreSQL pass as the limit says", async () => {
  const server = await startPostgres()
  try {
    assert.equal(await hit("postgres", String(server.port), [300, 300, 300], 321), [321, 579])
  } finally {
    await server.end()
  }
})

test("exactly as many of 600 requests to three processes with one SQLite file pass as the limit says", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fw-store-"))
  try {
    assert.equal(await hit("sqlite", join(directory, "state.db"), [200, 200, 200], 123), [123, 477])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test.run()
