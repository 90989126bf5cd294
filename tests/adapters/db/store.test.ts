/** Tests of `databaseStore()` of `fw/db`, with each SQLite client. The tests with PostgreSQL are in tests/slow. */
import { readFileSync } from "node:fs"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { getEngine } from "../../../adapters/db/database.ts"
import { migrate } from "../../../adapters/db/migrate.ts"
import { databaseStore } from "../../../adapters/db.ts"
import { App } from "../../../lib/index.ts"
import { session } from "../../../lib/session.ts"
import { testClient } from "../../../lib/testing.ts"
import { toMigrations } from "../../support/db/migrations.ts"
import { newFile, sqliteClients } from "../../support/db/open.ts"
import { driveStore, rejects } from "../../support/store/contract.ts"

const migrationName = "20261129000000_store"
const migrationFile = new URL(`../../../examples/auth/db/migrations/${migrationName}.sql`, import.meta.url)
/** The migration of `databaseStore()`. */
const storeMigrations = toMigrations({ [migrationName]: readFileSync(migrationFile, "utf8") })

for (const [client, open] of Object.entries(sqliteClients)) {
  const openMigrated = async (file: string) => {
    const db = open(file)
    await db.query("PRAGMA busy_timeout = 5000")
    await migrate(getEngine(db), storeMigrations)
    return db
  }

  driveStore(`database, ${client}`, ["kv", "counter"], async () => {
    const file = newFile()
    const databases = [await openMigrated(file), await openMigrated(file)]
    let opened = 0
    return {
      open: () => databaseStore(databases[opened++ % databases.length] as (typeof databases)[0]),
      end: async () => void (await Promise.all(databases.map((db) => db.close()))),
    }
  })

  const tests = suite(`database store: ${client}`)

  tests("a store without its tables is an error, and sessions work after the migration", async () => {
    const db = open(newFile())
    const { kv } = databaseStore(db)
    await rejects(() => kv.get("x"), "database")
    await migrate(getEngine(db), storeMigrations)
    const { NODE_ENV } = process.env
    process.env.NODE_ENV = "test"
    const app = new App({ logger: false })
    app.use(session({ store: databaseStore(db) }))
    process.env.NODE_ENV = NODE_ENV
    app.post("/", (c) => {
      c.session.signIn("ada")
      return c.noContent()
    })
    app.get("/", (c) => c.json(200, c.session.subject ?? null))
    const visitor = testClient(app)
    assert.is((await visitor.request("/", { method: "POST" })).status, 204)
    assert.is(await (await visitor.request("/")).json(), "ada")
    await db.close()
  })

  tests("expired values are removed from time to time", async () => {
    const db = await openMigrated(newFile())
    const { kv } = databaseStore(db)
    await db.sql`INSERT INTO fw_value (key, value, expires) VALUES (${"old"}, ${"1"}, ${1})`
    await db.sql`INSERT INTO fw_count (key, count, expires) VALUES (${"old"}, ${1}, ${1})`
    for (let number = 0; number < 500; number++) await kv.set("new", number)
    const [left] = await db.sql`SELECT (SELECT count(*) FROM fw_value) + (SELECT count(*) FROM fw_count) AS rows`
    assert.is(Number(left?.rows), 1)
    await db.close()
  })

  tests.run()
}
