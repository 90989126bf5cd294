/** Tests of queries and transactions of `fw/db`, with each SQLite client. */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { database, type Queries, withRollback } from "../../../adapters/db.ts"
import type { Operation } from "../../../lib/index.ts"
import { newFile, sqliteClients } from "../../support/db/open.ts"
import { rejects } from "../../support/store/contract.ts"

for (const [client, open] of Object.entries(sqliteClients)) {
  const tests = suite(`database: ${client}`)
  const openNotes = async () => {
    const db = open(newFile())
    await db.query("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    return db
  }
  const add = (db: Queries, text: string) => db.query("INSERT INTO notes (text) VALUES (?)", [text])
  const readTexts = async (db: Queries) =>
    (await db.query<{ text: string }>("SELECT text FROM notes ORDER BY id")).map(({ text }) => text)

  tests("a statement gets its parameters, and returns its rows or an empty list", async () => {
    const db = await openNotes()
    assert.equal(await add(db, "Robert'); DROP TABLE notes; --"), [])
    assert.equal(await readTexts(db), ["Robert'); DROP TABLE notes; --"])
    const [row] = await db.query("INSERT INTO notes (text) VALUES (?) RETURNING id", ["x"])
    assert.is(row?.id, 2)
    assert.is(db.engine, "SQLite")
    await db.close()
  })

  tests("fw:query publishes a statement with its text and its number of rows, but without values", async () => {
    const db = await openNotes()
    const seen: Operation[] = []
    const listener = (message: unknown) => void seen.push(message as Operation)
    subscribe("fw:query:end", listener)
    await add(db, "private")
    await db.transaction((tx) => tx.query("SELECT text FROM notes"))
    const error = await db.query("SELECT nothing").catch((error) => error)
    unsubscribe("fw:query:end", listener)
    const common = { "db.system.name": "sqlite", "db.operation.name": "SELECT" }
    assert.equal(
      seen.map(({ name, attributes, error }) => [name, attributes, error]),
      [
        [
          "INSERT",
          {
            "db.system.name": "sqlite",
            "db.operation.name": "INSERT",
            "db.query.text": "INSERT INTO notes (text) VALUES (?)",
            "db.response.returned_rows": 0,
          },
          undefined,
        ],
        ["SELECT", { ...common, "db.query.text": "SELECT text FROM notes", "db.response.returned_rows": 1 }, undefined],
        ["SELECT", { ...common, "db.query.text": "SELECT nothing" }, error],
      ],
    )
    await db.close()
  })

  tests("parameters can be written inside the SQL text, also in a transaction", async () => {
    const db = await openNotes()
    await db.sql`INSERT INTO notes (text) VALUES (${"a"}), (${"'; DROP TABLE notes; --"})`
    await db.transaction((tx) => tx.sql`UPDATE notes SET text = ${"b"} WHERE id = ${1} AND text = ${"a"}`)
    assert.equal(await readTexts(db), ["b", "'; DROP TABLE notes; --"])
    await rejects(() => db.transaction(async () => void (await db.sql`SELECT 1`)), "database")
    await db.close()
  })

  tests("a transaction is applied completely or not at all", async () => {
    const db = await openNotes()
    assert.is(await db.transaction((tx) => add(tx, "kept").then(() => 7)), 7)
    const failing = db.transaction(async (tx) => {
      await add(tx, "undone")
      throw new Error("no")
    })
    await failing.then(
      () => assert.unreachable(),
      ({ message }) => assert.is(message, "no"),
    )
    assert.equal(await readTexts(db), ["kept"])
    await db.close()
  })

  tests("other statements wait for a transaction, and are not part of the transaction", async () => {
    const db = await openNotes()
    let other: Promise<unknown> | undefined
    const undone = db.transaction(async (tx) => {
      await add(tx, "undone")
      await started
      await tx.query("SELECT 1")
      throw new Error("no")
    })
    const started = Promise.resolve().then(() => {
      other = add(db, "other")
    })
    await undone.catch(() => {})
    await other
    assert.equal(await readTexts(db), ["other"])
    await Promise.all(Array.from({ length: 20 }, (_, n) => db.transaction((tx) => add(tx, `${n}`))))
    assert.is((await readTexts(db)).length, 21)
    await db.close()
  })

  tests("the database object cannot be used in a transaction, and the message says what to use", async () => {
    const db = await openNotes()
    for (const use of [() => db.query("SELECT 1"), () => db.transaction(async () => {})])
      await rejects(() => db.transaction(use as () => Promise<void>), "database")
    let later: (() => Promise<unknown>) | undefined
    await db.transaction(async () => {
      later = () => db.query("SELECT 1")
    })
    await later?.()
    await db.close()
  })

  tests("a transaction that conflicts with another one is repeated as often as the options say", async () => {
    const file = newFile()
    const [db, other] = [open(file), open(file)]
    // Both transactions are in this process, and SQLite would block it while one waits for the other.
    await db.query("PRAGMA busy_timeout = 0")
    await db.query("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let begin = () => {}
    const began = new Promise<void>((resolve) => {
      begin = resolve
    })
    const holding = other.transaction(async (tx) => {
      await add(tx, "first")
      begin()
      await held
    })
    await began
    await db
      .transaction((tx) => add(tx, "never"))
      .then(
        () => assert.unreachable(),
        (error) => assert.match(`${error}`, /locked|busy/i),
      )
    const repeated = db.transaction((tx) => add(tx, "second"), { retries: 1000 })
    release()
    // libsql 0.5 ends a statement that failed only when it is collected as garbage, and commits nothing before.
    setFlagsFromString("--expose-gc")
    const collecting = setInterval(runInNewContext("gc") as () => void, 10)
    await Promise.all([holding, repeated]).finally(() => clearInterval(collecting))
    assert.equal(await readTexts(db), ["first", "second"])
    await Promise.all([db.close(), other.close()])
  })

  tests("a test in withRollback() changes nothing, not even through other code that uses the database", async () => {
    const db = await openNotes()
    const handler = async () => {
      await db.transaction((tx) => add(tx, "by a transaction"))
      await db
        .transaction(async (tx) => {
          await add(tx, "undone alone")
          throw new Error("no")
        })
        .catch(() => {})
      await add(db, "by a statement")
    }
    const texts = await withRollback(db, async (tx) => {
      await add(tx, "by the test")
      await handler()
      return readTexts(db)
    })
    assert.equal(texts, ["by the test", "by a transaction", "by a statement"])
    assert.equal(await readTexts(db), [])
    await withRollback(db, async () => assert.is(1, 2)).then(
      () => assert.unreachable(),
      ({ code }) => assert.is(code, "ERR_ASSERTION"),
    )
    await db.close()
  })

  tests.run()
}

const clients = suite("database: clients")

clients("objects that are not a known database client are refused", () => {
  for (const given of [undefined, null, "file.db", {}, { query() {}, connect() {} }])
    assert.throws(
      () => database(given as object),
      (error: { code?: string }) => error.code === "database",
    )
})

clients.run()
