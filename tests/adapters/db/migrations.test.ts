/** Tests of migrations in SQLite, with each client. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { getEngine } from "../../../adapters/db/database.ts"
import { findOrderConflicts, migrate, readStatus, removeAll, replay, rollback } from "../../../adapters/db/migrate.ts"
import type { Queries } from "../../../adapters/db.ts"
import { toMigrations } from "../../support/db/migrations.ts"
import { newFile, sqliteClients } from "../../support/db/open.ts"

const notes =
  "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);\nINSERT INTO notes (text) VALUES ('a;b');\n-- down\nDROP TABLE notes;\n"
const written = "ALTER TABLE notes ADD COLUMN written TEXT\n-- down\nALTER TABLE notes DROP COLUMN written"

/** Returns the error with which a promise rejects. */
const catchFailure = (work: Promise<unknown>): Promise<{ code: string; message: string; fix: string; at?: unknown }> =>
  work.then(
    () => assert.unreachable("the promise did not reject"),
    (error) => error,
  ) as never

for (const [client, open] of Object.entries(sqliteClients)) {
  const tests = suite(`migrations: ${client}`)
  const openEngine = () => {
    const db = open(newFile())
    return { db, engine: getEngine(db) }
  }
  const readStates = async (engine: Parameters<typeof readStatus>[0], migrations: ReturnType<typeof toMigrations>) =>
    (await readStatus(engine, migrations)).map(({ name, state }) => `${name} ${state}`)

  tests("all migrations are applied once, in the order of their names, and status lists them", async () => {
    const { db, engine } = openEngine()
    const all = toMigrations({ "1_notes": notes, "2_written": written })
    assert.equal(await readStates(engine, all), ["1_notes pending", "2_written pending"])
    assert.equal(await migrate(engine, all), ["1_notes", "2_written"])
    assert.equal(await migrate(engine, all), [])
    assert.equal(await readStates(engine, all), ["1_notes applied", "2_written applied"])
    assert.equal(
      (await db.query("SELECT text, written FROM notes")).map((row) => ({ ...row })),
      [{ text: "a;b", written: null }],
    )
    await db.close()
  })

  tests(
    "an older migration that another branch adds is applied after newer ones, and a migration without a file is only listed as missing",
    async () => {
      const { db, engine } = openEngine()
      await migrate(engine, toMigrations({ "1": notes, "3": "CREATE TABLE b (id)" }))
      const merged = toMigrations({ "1": notes, "2": "CREATE TABLE a (id)" })
      assert.equal(await migrate(engine, merged), ["2"])
      assert.equal(await readStates(engine, merged), ["1 applied", "2 applied", "3 missing"])
      await db.close()
    },
  )

  tests("no statement of a migration that fails stays, and earlier migrations stay", async () => {
    const { db, engine } = openEngine()
    const broken = {
      "1": notes,
      "2": "CREATE TABLE half (id);\nCREATE TABLE half (id);",
      "3": "CREATE TABLE never (id)",
    }
    const error = await catchFailure(migrate(engine, toMigrations(broken)))
    assert.match(`${error}`, /^db\/migrations\/2\.sql: the migration failed: .*half/)
    assert.equal(await readStates(engine, toMigrations(broken)), ["1 applied", "2 pending", "3 pending"])
    assert.equal(await migrate(engine, toMigrations({ ...broken, "2": "CREATE TABLE half (id)" })), ["2", "3"])
    await db.close()
  })

  tests(
    "a changed text of an applied migration is refused with the difference, but its down part and its line ends may change",
    async () => {
      const { db, engine } = openEngine()
      await migrate(engine, toMigrations({ "1": notes }))
      const changed = toMigrations({ "1": notes.replace("a;b", "c"), "2": written })
      const error = await catchFailure(migrate(engine, changed))
      assert.is(error.code, "migration")
      assert.match(
        error.message,
        /\n {2}- INSERT INTO notes \(text\) VALUES \('a;b'\);\n {2}\+ INSERT INTO notes \(text\) VALUES \('c'\);$/,
      )
      assert.equal(await readStates(engine, changed), ["1 changed", "2 pending"])
      const same = toMigrations({
        "1": notes.replaceAll("\n", "\r\n").replace("DROP TABLE notes", "DROP TABLE IF EXISTS notes"),
      })
      assert.equal(await migrate(engine, same), [])
      await db.close()
    },
  )

  tests("rollback() undoes the last migration, even if the program no longer has it", async () => {
    const { db, engine } = openEngine()
    const all = toMigrations({ "1": notes, "2": written })
    await migrate(engine, all)
    assert.match((await catchFailure(rollback(engine, all, false))).message, /takes back 2/)
    assert.is(await rollback(engine, [], true), "2")
    assert.equal(await readStates(engine, all), ["1 applied", "2 pending"])
    assert.is(await rollback(engine, all, true), "1")
    assert.is(await rollback(engine, all, true), null)
    const oneWay = toMigrations({ "1": "CREATE TABLE a (id)" })
    await migrate(engine, oneWay)
    assert.match((await catchFailure(rollback(engine, oneWay, true))).message, /1 has no part that rolls it back/)
    await db.close()
  })

  tests(
    "a migration may be a module with code, and an error stops code that uses the database outside of the transaction",
    async () => {
      const { db, engine } = openEngine()
      const upper = {
        async up(tx: Queries) {
          for (const { id, text } of await tx.query("SELECT id, text FROM notes"))
            await tx.query("UPDATE notes SET text = ? WHERE id = ?", [String(text).toUpperCase(), id])
        },
        down: (tx: Queries) => tx.query("UPDATE notes SET text = lower(text)"),
      }
      const all = toMigrations({ "1": notes, "2": upper })
      await migrate(engine, all)
      assert.is((await db.query("SELECT text FROM notes"))[0]?.text, "A;B")
      await rollback(engine, all, true)
      assert.is((await db.query("SELECT text FROM notes"))[0]?.text, "a;b")
      const outside = await catchFailure(
        migrate(engine, toMigrations({ "1": notes, "3": { up: () => db.query("SELECT 1") } })),
      )
      assert.match(`${outside}`, /db\/migrations\/3\.ts: db\.query\(\) was called in a transaction/)
      const none = await catchFailure(migrate(engine, toMigrations({ "1": notes, "4": { run() {} } })))
      assert.match(`${none}`, /4\.ts: a migration in TypeScript exports a function up/)
      await db.close()
    },
  )

  tests(
    "rows that refer to a table stay when a migration rebuilds it, and a migration that breaks a reference fails",
    async () => {
      const { db, engine } = openEngine()
      const rebuild = (where: string) => `PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE new_users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);--> statement-breakpoint
INSERT INTO new_users SELECT id, name FROM users ${where};--> statement-breakpoint
DROP TABLE users;--> statement-breakpoint
ALTER TABLE new_users RENAME TO users;--> statement-breakpoint
PRAGMA foreign_keys=ON;`
      const first = {
        "1": `CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE posts (id INTEGER PRIMARY KEY, author INTEGER REFERENCES users ON DELETE CASCADE);
INSERT INTO users VALUES (1, 'Ada');
INSERT INTO posts VALUES (1, 1);`,
      }
      await db.query("PRAGMA foreign_keys = ON")
      const error = await catchFailure(migrate(engine, toMigrations({ ...first, "2": rebuild("WHERE id > 1") })))
      assert.match(`${error}`, /2\.sql: after the migration, rows of posts refer to rows of users/)
      assert.equal(await migrate(engine, toMigrations({ ...first, "2": rebuild("") })), ["2"])
      assert.is((await db.query("SELECT count(*) AS count FROM posts"))[0]?.count, 1)
      assert.is((await db.query("PRAGMA foreign_keys"))[0]?.foreign_keys, 1)
      await db.close()
    },
  )

  tests("a statement that SQLite cannot run without a transaction is an error before anything runs", async () => {
    const { db, engine } = openEngine()
    assert.match(
      `${await catchFailure(migrate(engine, toMigrations({ "1": "-- no transaction\nVACUUM;" })))}`,
      /1\.sql: SQLite runs every/,
    )
    await db.close()
  })

  tests("removeAll() removes all tables and views only if it is forced", async () => {
    const { db, engine } = openEngine()
    const all = toMigrations({
      "1": notes,
      "2": 'CREATE VIEW v AS SELECT 1; CREATE TABLE "a ""b" (id INTEGER PRIMARY KEY AUTOINCREMENT); CREATE VIRTUAL TABLE words USING fts5(t)',
    })
    await migrate(engine, all)
    assert.match((await catchFailure(removeAll(engine, false))).message, /removes every table/)
    await removeAll(engine, true)
    assert.equal(await readStates(engine, all), ["1 pending", "2 pending"])
    assert.equal(await migrate(engine, all), ["1", "2"])
    await db.close()
  })

  tests(
    "replay() applies all migrations to an empty database, and two migrations whose order matters are named",
    async () => {
      const { db, engine } = openEngine()
      const mine = { "1": notes, "3": "ALTER TABLE notes ADD COLUMN mine TEXT" }
      await migrate(engine, toMigrations(mine))
      const merged = toMigrations({ ...mine, "2": 'ALTER TABLE "notes" ADD COLUMN yours TEXT', "4": written })
      await replay(engine, merged)
      assert.equal(await findOrderConflicts(engine, merged), [{ table: "notes", pending: "2", applied: "3" }])
      assert.match(
        `${await catchFailure(replay(engine, toMigrations({ "1": "CREATE TABLE a (id);", "2": "DROP TABLE b" })))}`,
        /2\.sql/,
      )
      await db.close()
    },
  )

  tests.run()
}
