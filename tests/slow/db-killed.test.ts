/**
 * Tests of programs that migrate while they are killed, while many start at once, and through PgBouncer: each
 * migration is applied completely and once or not at all, and `status` says which. `KILLS` is how often each
 * program is killed. 200 was tried by hand.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { build } from "esbuild"
import { Pool } from "pg"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { getEngine } from "../../adapters/db/database.ts"
import { migrate, readStatus } from "../../adapters/db/migrate.ts"
import { type Database, database } from "../../adapters/db.ts"
import { makeCheckoutDirectory } from "../support/checkout-directory.ts"
import { createLongMigrations, migrationCount, rowCount } from "../support/db/long-migrations.ts"
import { newFile, sqliteClients } from "../support/db/open.ts"
import { startPgBouncer } from "../support/db/pgbouncer.ts"
import { checkUnreachable } from "../support/db/unreachable.ts"
import { startPostgres } from "../support/store/postgres.ts"
import { endWithTest, type TestServer } from "../support/store/server.ts"
import { root } from "../support/tsc.ts"

const kills = Number(process.env.KILLS ?? 6)

const directory = makeCheckoutDirectory("db")
const program = join(directory, "program.mjs")
await build({
  entryPoints: [join(root, "tests/support/db/program.ts")],
  outfile: program,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  // The names in package.json's `imports` are not packages.
  alias: { "#platform": join(root, "adapters/platform/node.ts") },
  conditions: ["fw-source"],
})

/** Starts the program. @param args the command; null to migrate at its start. */
function start(address: string, args: readonly string[] | null, isAlone = false) {
  const child = spawn(process.execPath, [program, ...(args ? ["db", ...args] : [])], {
    env: { ...process.env, DATABASE: address, ...(isAlone && { ALONE: "yes" }), ...(!args && { FW_MIGRATE: "start" }) },
    stdio: ["ignore", "pipe", "pipe"],
  })
  endWithTest(child)
  let [stdout, stderr] = ["", ""]
  child.stdout.on("data", (part) => {
    stdout += part
  })
  child.stderr.on("data", (part) => {
    stderr += part
  })
  const ended = once(child, "close").then(([code]) => ({ code, stdout, stderr }))
  // A program that fails at once prints nothing. The test then reads its code and its errors.
  const began = Promise.race([once(child.stdout, "data"), ended])
  return { child, began, ended }
}

/** Kills a program after a random time, unless it has ended. */
async function killLater(child: ChildProcess, ended: Promise<{ code: number | null }>): Promise<number | null> {
  const timer = setTimeout(() => child.kill("SIGKILL"), Math.random() * 150)
  const { code } = await ended
  clearTimeout(timer)
  return code
}

/** A database as an administrator sees it. */
interface Ground {
  readonly address: string
  readonly db: Database
  readonly exists: (table: string) => Promise<boolean>
}

const readStates = async ({ db }: Ground, isAlone = false) =>
  (await readStatus(getEngine(db), createLongMigrations(isAlone))).map(({ state }) => state)

/** Returns how often a migration recorded that it ran, and the number of rows in its table. */
async function readEffects({ db, exists }: Ground, n: number) {
  const ran = (await exists("ran")) ? await db.query<{ n: number }>("SELECT n FROM ran") : []
  const [row] = (await exists(`t${n}`)) ? await db.query(`SELECT count(*) AS rows FROM t${n}`) : []
  return { times: ran.filter((one) => Number(one.n) === n).length, rows: row ? Number(row.rows) : null }
}

/** Checks that each migration has the effects of its state. Returns the states. */
async function checkStates(ground: Ground): Promise<readonly string[]> {
  const states = await readStates(ground)
  for (const [n, state] of states.entries()) {
    assert.ok(state === "applied" || state === "pending", states.join())
    const whole = state === "applied" ? { times: 1, rows: rowCount } : { times: 0, rows: null }
    assert.equal(await readEffects(ground, n), whole, `${n} ${states}`)
  }
  return states
}

/** Starts twenty programs at once. Returns the names of the migrations that they report as applied. */
async function startTwenty(address: string, isAlone = false): Promise<string[]> {
  const runs = Array.from({ length: 20 }, () => start(address, ["migrate", "--json"], isAlone).ended)
  const answers = (await Promise.all(runs)).map(({ stdout }) => stdout.split("\n")[1] as string)
  assert.equal(
    answers.filter((line) => !line.startsWith('{"success":true')),
    [],
  )
  return answers.flatMap((line) => JSON.parse(line).data.applied).sort()
}

const names = Array.from({ length: migrationCount }, (_, n) => `m${n}`)

function drive(name: string, create: () => Promise<Ground>) {
  const tests = suite(`db killed: ${name}`)

  tests(`after each of ${kills} kills, a migration was applied completely and once, or not at all`, async () => {
    let ground = await create()
    for (let done = 0; done < kills; ) {
      const { child, began, ended } = start(ground.address, ["migrate"])
      await began
      const code = await killLater(child, ended)
      const states = await checkStates(ground)
      if (code === null) done++
      else assert.equal([code, (await ended).stderr], [0, ""])
      if (states.includes("pending")) continue
      await ground.db.close()
      ground = await create()
    }
    assert.equal(await readStates(ground).then((states) => states.length), migrationCount)
    await ground.db.close()
  })

  tests("twenty programs that start at once all succeed, and each migration is applied once", async () => {
    const ground = await create()
    assert.equal(await startTwenty(ground.address), names)
    await checkStates(ground)
    await ground.db.close()
  })

  return tests
}

drive("SQLite", async () => {
  const address = newFile()
  const db = (sqliteClients["better-sqlite3"] as (file: string) => Database)(address)
  await db.query("PRAGMA busy_timeout = 5000")
  const exists = async (table: string) =>
    (await db.query("SELECT 1 AS found FROM sqlite_master WHERE name = ?", [table])).length > 0
  return { address, db, exists }
}).run()

let server: TestServer
let bouncer: TestServer

/** Empties the only database, because PgBouncer keeps connections to each database. */
async function createPostgres(port: number): Promise<Ground> {
  const db = database(new Pool({ host: "127.0.0.1", port: server.port, user: "postgres", database: "postgres" }))
  await db.query("DROP SCHEMA public CASCADE")
  await db.query("CREATE SCHEMA public")
  const exists = async (table: string) =>
    (await db.query("SELECT 1 AS found WHERE to_regclass($1) IS NOT NULL", [table])).length > 0
  return { address: `postgres://postgres@127.0.0.1:${port}/postgres`, db, exists }
}

const direct = drive("PostgreSQL", () => createPostgres(server.port))

direct.before(async () => {
  server = await startPostgres()
})

direct("a killed migration without a transaction is named, and can be continued", async () => {
  for (let done = 0; done < kills; done++) {
    const ground = await createPostgres(server.port)
    const { child, began, ended } = start(ground.address, ["migrate"], true)
    await began
    await killLater(child, ended)
    const states = await readStates(ground, true)
    const half = states.findIndex((state) => state !== "applied" && state !== "pending")
    if (half >= 0) {
      const { stderr } = await start(ground.address, ["migrate"], true).ended
      assert.match(stderr, new RegExp(`m${half} runs without a transaction and has not finished: statement \\d`))
    }
    const again = await start(ground.address, ["migrate", "--again"], true).ended
    assert.equal([again.code, again.stderr], [0, ""])
    assert.ok((await readStates(ground, true)).every((state) => state === "applied"))
    const [index] = await ground.db.query(
      "SELECT count(*) AS count FROM pg_index JOIN pg_class ON oid = indexrelid WHERE relname IN ('i2', 'i5') AND indisvalid",
    )
    assert.is(Number(index?.count), 2)
    await ground.db.close()
  }
})

direct("twenty programs create an index concurrently, without a deadlock", async () => {
  const ground = await createPostgres(server.port)
  assert.equal(await startTwenty(ground.address, true), names)
  await ground.db.close()
})

direct(
  "with the lock, a connection sees what another process has applied, even if it has looked in vain before",
  async () => {
    const ground = await createPostgres(server.port)
    const migrations = createLongMigrations(false)
    const pool = new Pool({ connectionString: ground.address, max: 1 })
    const client = await pool.connect()
    const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown
    // The first search for a function makes PostgreSQL renew what a connection knows of tables. Later, only the begin of a
    // transaction and the reading of a table do. So the connection has asked for a lock before.
    await query("SELECT pg_try_advisory_xact_lock(1)")
    let applied: Promise<string[]> | undefined
    const waitForOther = async (args: readonly unknown[]) => {
      applied ??= migrate(getEngine(ground.db), migrations)
      await applied
      return query(...args)
    }
    const isForLock = (text: unknown) => String(text).includes("pg_try_advisory_xact_lock")
    Object.assign(client, {
      query: (...args: readonly unknown[]) => (isForLock(args[0]) ? waitForOther(args) : query(...args)),
    })
    client.release()
    const db = database(pool)
    assert.equal(await migrate(getEngine(db), migrations), [])
    assert.equal(await applied, names)
    await Promise.all([db.close(), ground.db.close()])
  },
)

direct("if the server is killed in the middle of a transaction, the transaction fails with an error", async () => {
  const pool = new Pool({ host: "127.0.0.1", port: server.port, user: "postgres", database: "postgres" })
  const ended = new Promise((resolve) => pool.once("connect", (client) => client.once("end", resolve)))
  const db = database(pool)
  const transaction = db.transaction(async (tx) => {
    await server.kill()
    await ended
    await tx.query("SELECT 1")
  })
  assert.match(String(await transaction.catch(String)), /Client has encountered a connection error/)
  await server.start()
  assert.equal(await db.query("SELECT 1 AS one"), [{ one: 1 }])
  await db.close()
})

direct("an address that the server refuses gives the error of fw, also with FW_MIGRATE=start", async () => {
  const admin = new Pool({ host: "127.0.0.1", port: server.port, user: "postgres", database: "postgres" })
  await admin.query("CREATE ROLE ada LOGIN PASSWORD 'other'")
  const [{ hba_file }] = (await admin.query("SHOW hba_file")).rows as [{ hba_file: string }]
  await admin.query(
    `COPY (VALUES ('host all ada all scram-sha-256'), ('host all all all trust')) TO '${hba_file}' WITH (DELIMITER '|')`,
  )
  await admin.query("SELECT pg_reload_conf()")
  await admin.end()
  const address = `postgres://ada:s3cret@127.0.0.1:${server.port}/postgres`
  const missing = `postgres://postgres:s3cret@127.0.0.1:${server.port}/none`
  await checkUnreachable([
    [
      ["pg", "pg, in parts", "postgres"],
      address,
      /the database cannot be used: password authentication failed for user "ada"/,
    ],
    [["pg", "pg, in parts", "postgres"], missing, /the database cannot be used: database "none" does not exist/],
  ])
  const said = /the database cannot be used: database "none" does not exist/
  assert.match((await start(missing, ["migrate"]).ended).stderr, said)
  assert.match((await start(missing, null).ended).stderr, said)
})
direct.run()

const pooled = drive("PgBouncer", () => createPostgres(bouncer.port))
pooled.before(async () => {
  bouncer = await startPgBouncer(server.port)
})
pooled.after(async () => {
  await bouncer.end()
  await server.end()
})
pooled.run()
