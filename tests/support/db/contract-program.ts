/**
 * Runs the contract of `fw/db` with one client on any runtime. The arguments are the client and the file or address
 * of the database.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { type Database, database, databaseStore, type Migration, withRollback } from "../../../adapters/db.ts"
import { beginDatabase } from "../../../adapters/start.ts"
import { driveStore } from "../store/contract.ts"

const [client = "", place = ""] = process.argv.slice(2)
// These arguments must not reach the program that migrates.
process.argv.splice(2)

async function load<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module
}

type SqliteClass = new (file: string) => object

/** Functions that open the database, by client. */
const clients: Readonly<Record<string, () => Promise<object>>> = {
  "bun:sqlite": async () => new (await load<{ Database: SqliteClass }>("bun:sqlite")).Database(place),
  "node:sqlite": async () => new (await load<{ DatabaseSync: SqliteClass }>("node:sqlite")).DatabaseSync(place),
  pg: async () => {
    const { Pool } = (await load<{ default: { Pool: new (options: object) => object } }>("pg")).default
    return new Pool({ connectionString: place })
  },
  "postgres.js": async () =>
    (await load<{ default: (address: string, options: object) => object }>("postgres")).default(place, {
      onnotice: () => {},
    }),
}

async function open(): Promise<Database> {
  const db = database(await (clients[client] as () => Promise<object>)())
  if (db.engine === "SQLite") await db.query("PRAGMA busy_timeout = 5000")
  return db
}

const db = await open()
if (db.engine === "PostgreSQL") {
  await db.query("DROP SCHEMA public CASCADE")
  await db.query("CREATE SCHEMA public")
}

const toMigration = (name: string, source: string, module?: object): Migration => ({
  name,
  file: `db/migrations/${name}.sql`,
  source,
  ...(module && { module }),
})
const store = `CREATE TABLE fw_value (key text PRIMARY KEY, value text NOT NULL, expires bigint NOT NULL);
CREATE TABLE fw_count (key text PRIMARY KEY, count bigint NOT NULL, expires bigint NOT NULL);`
const first = [
  toMigration("1_store", store),
  toMigration("2_notes", "CREATE TABLE notes (text text PRIMARY KEY);\nINSERT INTO notes VALUES ('a;b');"),
]
const up = (tx: Pick<Database, "sql">) => tx.sql`INSERT INTO notes (text) VALUES (${"from code"})`
const all = [...first, toMigration("3_code", "up", { up })]

process.env.FW_MIGRATE = "start"
const migrate = async (migrations: readonly Migration[]) => {
  const start = await beginDatabase({ load: async () => ({ db }), migrations })
  start?.noteLoaded()
  await start?.apply()
}
const readTexts = async () =>
  (await db.sql<{ text: string }>`SELECT text FROM notes ORDER BY text`).map(({ text }) => text)

const tests = suite(`fw/db: ${client}`)

tests(
  "migrations are applied only once, also if two programs start at the same time, and a migration that fails changes nothing",
  async () => {
    await Promise.all([migrate(first), migrate(first)])
    await migrate(all)
    await migrate(all)
    assert.equal(await readTexts(), ["a;b", "from code"])
    const broken = toMigration("4_broken", "CREATE TABLE half (id integer);\nCREATE TABLE half (id integer);")
    await migrate([...all, broken]).then(
      () => assert.unreachable(),
      (error) => assert.match(`${error}`, /4_broken\.sql.*: the migration failed: .*half/),
    )
    await migrate([...all, toMigration("5_half", "CREATE TABLE half (id integer)")])
    const changed = toMigration("2_notes", "CREATE TABLE notes (text text)")
    await migrate([changed]).then(
      () => assert.unreachable(),
      (error) => assert.is(error.code, "migration"),
    )
  },
)

tests(
  "a parameter is never read as SQL, and a failed transaction and withRollback() leave the data as it was",
  async () => {
    await db.sql`INSERT INTO notes (text) VALUES (${"'; DROP TABLE notes; --"})`
    const failing = db.transaction(async ({ sql }) => {
      await sql`DELETE FROM notes`
      throw new Error("no")
    })
    await failing.catch(({ message }) => assert.is(message, "no"))
    await withRollback(db, async () => {
      await db.sql`DELETE FROM notes WHERE text <> ${"a;b"}`
      await db.transaction(({ sql }) => sql`INSERT INTO notes (text) VALUES (${"x"})`)
      assert.equal(await readTexts(), ["a;b", "x"])
    })
    assert.equal(await readTexts(), ["'; DROP TABLE notes; --", "a;b", "from code"])
  },
)

tests.run()

driveStore(client, ["kv", "counter"], async () => {
  const databases = [await open(), await open()]
  let opened = 0
  return {
    open: () => databaseStore(databases[opened++ % 2] as Database),
    end: async () => void (await Promise.all([db, ...databases].map((one) => one.close()))),
  }
})
