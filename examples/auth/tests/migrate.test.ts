/** Tests of migrations: each is applied once and completely, also if two programs start at the same time. */
import "./support/env.ts"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Client, createClient } from "@libsql/client"
import { FwError } from "fw"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../lib/auth/database.ts"
import { migrate } from "../lib/auth/migrate.ts"
import { migrations } from "../lib/auth/migrations.ts"

const test = suite("migrate")
const directory = mkdtempSync(join(tmpdir(), "fw-migrate-"))
const clients: Client[] = []
let files = 0

test.after(() => {
  for (const client of clients) client.close()
  rmSync(directory, { recursive: true, force: true })
})

function connect(file: string): Client {
  const client = createClient({ url: `file:${join(directory, file)}`, timeout: 5000 })
  clients.push(client)
  return client
}
const fresh = () => connect(`${++files}.db`)
const refused = (): never => {
  throw new Error("it was taken")
}
const one = { name: "one", statements: ["CREATE TABLE a (x INTEGER)", "INSERT INTO a VALUES (1)"] }
const two = { name: "two", statements: ["CREATE TABLE b (x INTEGER)"] }
const tables = async (client: Client) =>
  (await client.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")).rows.map(
    (row) => row.name,
  )

test("the application's migrations are applied, in WAL mode and with foreign keys enforced", async () => {
  const { rows } = await db.execute("SELECT name FROM migrations ORDER BY position")
  assert.equal(
    rows.map(({ name }) => name),
    migrations.map(({ name }) => name),
  )
  assert.is((await db.execute("PRAGMA journal_mode")).rows[0]?.journal_mode, "wal")
  const orphan = "INSERT INTO sessions VALUES ('d', 'h', 'nobody', '', '', 0, 0)"
  await db.execute(orphan).then(refused, (error) => assert.match(error.message, "FOREIGN KEY"))
})

test("other users of the machine cannot read a new database", async () => {
  if (process.platform === "win32") return
  const databaseFile = String((await db.execute("PRAGMA database_list")).rows[0]?.file)
  for (const end of ["", "-wal", "-shm"]) assert.is(statSync(databaseFile + end).mode & 0o077, 0, end)
})

test("migrations are applied in order, each once", async () => {
  const client = fresh()
  await migrate(client, [one])
  await migrate(client, [one, two])
  await migrate(client, [one, two])
  assert.equal(await tables(client), ["a", "b", "migrations"])
  assert.is((await client.execute("SELECT count(*) AS n FROM a")).rows[0]?.n, 1)
})

test("a migration that fails changes nothing, and those before it stay", async () => {
  const client = fresh()
  const broken = { name: "broken", statements: ["CREATE TABLE c (x INTEGER)", "CREATE TABLE a (x INTEGER)"] }
  const error = await migrate(client, [one, broken]).then(refused, (error: FwError) => error)
  assert.instance(error, FwError)
  assert.match((error as unknown as FwError).message, /"broken" failed: .*table a already exists/)
  assert.equal(await tables(client), ["a", "migrations"])
  await migrate(client, [one, two])
})

test("a database with newer or other migrations is not changed", async () => {
  const client = fresh()
  await migrate(client, [one, two])
  for (const other of [[one], [two, one], []]) {
    await migrate(client, other).then(refused, (error) => assert.is(error.code, "migrations"))
  }
  assert.equal(await tables(client), ["a", "b", "migrations"])
})

test("ten programs that start at the same time apply migrations once", async () => {
  const file = `${++files}.db`
  await Promise.all(Array.from({ length: 10 }, () => migrate(connect(file), [one, two])))
  assert.is((await connect(file).execute("SELECT count(*) AS n FROM a")).rows[0]?.n, 1)
})

test.run()
