/** Runs the contract of stores on SQLite files. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { sqliteStore } from "../../../adapters/store.ts"
import type { FwError } from "../../../lib/errors.ts"
import { driveStore } from "../../support/store/contract.ts"

const directory = mkdtempSync(join(tmpdir(), "fw-store-"))
test.after(() => rmSync(directory, { recursive: true, force: true }))

driveStore("sqlite", ["kv", "counter", "lock", "log"], async () => {
  const file = join(directory, "new", "state.db")
  return { open: () => sqliteStore(file), end: async () => {} }
})

test("expired values are removed from time to time", async () => {
  const file = join(directory, "expired.db")
  const store = sqliteStore(file)
  const long = "x".repeat(2_000)
  for (let index = 0; index < 1_000; index++) await store.kv.set(`key ${index}`, long, { ttl: 0.001 })
  for (let index = 0; index < 600; index++) await store.kv.set("other", index)
  await store.close()
  const other = sqliteStore(file)
  assert.is(await other.kv.get("other"), 599)
  await other.close()
})

test("a file that SQLite cannot open is an error as soon as the store is created, and the error says what to do", () => {
  const file = join(directory, "text.db")
  writeFileSync(file, "this is not a database, and long enough to be read as one. ".repeat(100))
  for (const [wrong, message] of [
    [file, `sqliteStore() cannot open ${JSON.stringify(file)}, because it is not a database`],
    [join(file, "below.db"), `sqliteStore() cannot open ${JSON.stringify(join(file, "below.db"))}`],
    [directory, `sqliteStore() cannot open ${JSON.stringify(directory)}`],
    ["", 'sqliteStore() cannot open ""'],
    [undefined as unknown as string, "sqliteStore() cannot open undefined"],
    ["postgres://ada:secret@127.0.0.1/shop", "sqliteStore() was given a URL, and takes the path of a file"],
  ] as const)
    assert.throws(
      () => sqliteStore(wrong),
      (error: FwError) => error.code === "store" && error.message.startsWith(message),
    )
  assert.is(existsSync("postgres:"), false)
})

test.run()
