/** Applies migrations, rolls them back, and shows which ones are applied. */
import { FwError } from "../../lib/errors.ts"
import { toQueries } from "./database.ts"
import type { Connection, Engine, Work } from "./engine.ts"
import { databaseFault } from "./fault.ts"
import { findDifference, findTables, type Migration, readSteps, runStep } from "./migration.ts"
import { openSqlite } from "./sqlite.ts"

/** The state of a migration. `missing` means that it is applied, but the program does not have it. */
export type MigrationState = "applied" | "pending" | "changed" | "missing" | "running" | "unfinished"

/** A migration and its state. */
export interface MigrationStatus {
  readonly name: string
  readonly state: MigrationState
  /** The time at which it was applied, in ISO 8601; null if it is not applied. */
  readonly applied: string | null
}

/** A row of the table in which the applied migrations are recorded. */
interface AppliedRow {
  readonly name: string
  /** The number in the order of application. That order may differ from the order of the names. */
  readonly position: number
  readonly source: string
  /** For a migration without a transaction: the number, from 1, of the statement that is running. */
  readonly statement: number | null
  /** Null if the migration has begun and has not ended. */
  readonly applied: string | null
}

const tableSQL = `CREATE TABLE IF NOT EXISTS fw_migration (
  name text PRIMARY KEY, position integer NOT NULL, source text NOT NULL, statement integer, applied text)`
/** The key of the advisory lock in PostgreSQL: the bytes of "fw_db" as a number. */
const lockKey = "440089404514"
/** Milliseconds to wait for another process that is migrating. */
const lockTimeoutMs = 600_000

async function readRows(engine: Engine, { query }: Connection = engine.connection): Promise<AppliedRow[]> {
  const [tableRow] = await query(
    engine.name === "SQLite"
      ? "SELECT 1 AS found FROM sqlite_master WHERE name = 'fw_migration'"
      : // Reading pg_class makes PostgreSQL look at what others have created since the transaction began.
        "SELECT 1 AS found FROM pg_catalog.pg_class WHERE oid = to_regclass('fw_migration')",
    [],
  )
  if (!tableRow) return []
  const rows = await query("SELECT name, position, source, statement, applied FROM fw_migration ORDER BY position", [])
  return rows as unknown as AppliedRow[]
}

const busyError = new Error("another process migrates")

/**
 * Repeats a function while another process holds the lock. It does not wait for the lock of PostgreSQL, but asks again.
 * A waiting transaction would block `CREATE INDEX CONCURRENTLY`, which waits for all transactions.
 */
async function repeatWhileBusy<Result>(engine: Engine, work: () => Promise<Result>) {
  const deadline = performance.now() + lockTimeoutMs
  for (;;) {
    try {
      return await work()
    } catch (cause) {
      if (cause !== busyError && !engine.isConflict(cause)) throw cause
      if (performance.now() > deadline) throw databaseFault("database.locked", [lockTimeoutMs / 60_000], { cause })
    }
    // A random pause, so that the same processes do not meet again.
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 80))
  }
}

/**
 * Runs a function in a transaction, while no other process migrates. The lock belongs to the transaction, so a pooler
 * cannot separate the two. The transaction is repeated if it was in conflict with another one, for example because the
 * program uses a table.
 */
function runLocked<Result>(engine: Engine, checksReferencesLate: boolean, body: Work<Result>): Promise<Result> {
  const work = async (connection: Connection) => {
    if (!(await tryLock(engine, connection))) throw busyError
    return body(connection)
  }
  return repeatWhileBusy(engine, () => engine.transaction(work, checksReferencesLate))
}

async function tryLock({ name }: Engine, { query, script }: Connection): Promise<boolean> {
  if (name === "SQLite") return true
  // Whatever the default of the server is: a snapshot from before the lock would not contain the migrations of the
  // process that held the lock before.
  await script("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
  return (await query(`SELECT pg_try_advisory_xact_lock(${lockKey}) AS held`, []))[0]?.held === true
}

/** Returns the first migration that is not applied. @throws FwError `migration` if an applied one was changed. */
function findNext(rows: readonly AppliedRow[], migrations: readonly Migration[]): Migration | undefined {
  const appliedRows = new Map(rows.filter(({ applied }) => applied !== null).map((row) => [row.name, row]))
  for (const migration of migrations) {
    const row = appliedRows.get(migration.name)
    const difference = row && findDifference(row.source, migration)
    if (difference !== undefined)
      throw databaseFault("migration.changed", [row?.applied as string, difference], { at: { file: migration.file } })
  }
  return migrations.find(({ name }) => !appliedRows.has(name))
}

/** Returns the error for a failed migration. If PostgreSQL states a position in the script, the error has its line. */
function toMigrationFault({ file, source, module }: Migration, cause: unknown, direction: "up" | "down"): FwError {
  if (cause instanceof FwError) return Object.assign(cause, { at: cause.at ?? { file } })
  const { message, position = 0 } = Object(cause) as { message?: unknown; position?: unknown }
  const hasLine = Number(position) > 0 && !module && direction === "up"
  const at = { file, ...(hasLine && { line: source.slice(0, Number(position)).split("\n").length }) }
  return databaseFault(`migration.${direction}_failed`, [String(message ?? cause)], { at, cause })
}

/** Returns all migrations with their states. */
export async function readStatus(engine: Engine, migrations: readonly Migration[]): Promise<MigrationStatus[]> {
  const rows = await repeatWhileBusy(engine, () => readRows(engine))
  const isRunning =
    rows.some(({ applied }) => applied === null) && !(await engine.transaction((tx) => tryLock(engine, tx)))
  const rowsByName = new Map(rows.map((row) => [row.name, row]))
  const statuses = migrations.map((migration): MigrationStatus => {
    const { name } = migration
    const row = rowsByName.get(name)
    if (!row) return { name, state: "pending", applied: null }
    if (row.applied === null) return { name, state: isRunning ? "running" : "unfinished", applied: null }
    const hasChanged = findDifference(row.source, migration) !== undefined
    return { name, state: hasChanged ? "changed" : "applied", applied: row.applied }
  })
  const missing = rows
    .filter(({ name }) => !migrations.some((migration) => migration.name === name))
    .map(({ name, applied }): MigrationStatus => ({ name, state: "missing", applied }))
  return [...statuses, ...missing].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Applies all migrations that are not applied yet, each in a transaction of its own. Several processes may do this at
 * the same time.
 *
 * @param mayRepeat true to run a migration again that began without a transaction and has not finished.
 * @returns the names of the migrations that this process has applied.
 * @throws FwError `migration` if one fails, was changed, or has not finished; `database` if the database is locked.
 */
export async function migrate(engine: Engine, migrations: readonly Migration[], mayRepeat = false): Promise<string[]> {
  const applied: string[] = []
  for (;;) {
    // The rows are read without the lock, because most programs find nothing to do when they start.
    const next = findNext(await repeatWhileBusy(engine, () => readRows(engine)), migrations)
    if (!next) return applied
    if (await apply(engine, next, migrations, mayRepeat)) applied.push(next.name)
  }
}

/** Applies a migration. @returns false if another process has applied it. */
async function apply(engine: Engine, next: Migration, migrations: readonly Migration[], mayRepeat: boolean) {
  const { name, file, source } = next
  const { up, hasTransaction, turnsReferencesOff } = readSteps(next)
  if (!hasTransaction && engine.name === "SQLite") throw databaseFault("migration.sqlite", [], { at: { file } })
  if (!hasTransaction && engine.maxConnections === 1) throw databaseFault("database.connections", [], { at: { file } })
  let hasBegun = false
  const work = async (locked: Connection) => {
    // The connection that holds the lock has a transaction. A migration that runs without one uses another connection.
    const connection = hasTransaction ? locked : engine.connection
    const { sql } = toQueries(engine, connection)
    const rows = await readRows(engine, connection)
    const unfinishedRow = rows.find(({ applied }) => applied === null)
    if (unfinishedRow && !mayRepeat)
      throw databaseFault("migration.unfinished", [unfinishedRow.name, unfinishedRow.statement])
    if (findNext(rows, migrations) !== next) return false
    hasBegun = true
    await connection.script(tableSQL)
    const position = Math.max(0, ...rows.map((row) => Number(row.position))) + 1
    await sql`INSERT INTO fw_migration (name, position, source, statement)
      VALUES (${name}, ${position}, ${source}, 1) ON CONFLICT (name) DO NOTHING`
    for (const [index, step] of up.entries()) {
      // Without a transaction, this says how far a process came that was killed. Whether this last statement has
      // finished is not known, so a second run repeats all of them.
      await sql`UPDATE fw_migration SET statement = ${index + 1} WHERE name = ${name}`
      await runStep(engine, connection, step).catch((cause) => {
        if (hasTransaction) throw cause
        const text = typeof step === "string" ? step : "up()"
        const facts = [index + 1, up.length, text, String(cause?.message ?? cause)] as const
        throw databaseFault("migration.alone", [...facts], { at: { file }, cause })
      })
    }
    const time = new Date().toISOString()
    await sql`UPDATE fw_migration SET statement = NULL, source = ${source}, applied = ${time} WHERE name = ${name}`
    return true
  }
  try {
    return await runLocked(engine, turnsReferencesOff, work)
  } catch (error) {
    throw hasBegun ? toMigrationFault(next, error, "up") : error
  }
}

/**
 * Rolls back the migration that was applied last, in a transaction. If the program does not have that migration any
 * more, the `down` part is read from the database.
 *
 * @param isForced false to throw an error that says what would be done.
 * @returns the name of the migration; null if none is applied.
 * @throws FwError `migration` if there is no `down` part, or if it fails; `database_force`.
 */
export async function rollback(
  engine: Engine,
  migrations: readonly Migration[],
  isForced: boolean,
): Promise<string | null> {
  const findLast = async (connection?: Connection) => (await readRows(engine, connection)).at(-1)
  const last = await repeatWhileBusy(engine, () => findLast())
  if (!last) return null
  const { name } = last
  const migration = migrations.find((one) => one.name === name) ?? { name, file: `${name}.sql`, source: last.source }
  const { down, turnsReferencesOff } = readSteps(migration)
  if (!down) throw databaseFault("migration.no_down", [name])
  if (!isForced) throw databaseFault("database_force", [`takes back ${name}`])
  const work = async (connection: Connection) => {
    // If another process has already rolled it back, the migration before it must not be rolled back by mistake.
    if ((await findLast(connection))?.name !== name) return null
    await runStep(engine, connection, down)
    await toQueries(engine, connection).sql`DELETE FROM fw_migration WHERE name = ${name}`
    return name
  }
  try {
    return await runLocked(engine, turnsReferencesOff, work)
  } catch (error) {
    throw toMigrationFault(migration, error, "down")
  }
}

/** Removes all tables, views and types of the database; in PostgreSQL, of the current schema. */
export async function removeAll(engine: Engine, isForced: boolean): Promise<void> {
  if (!isForced) throw databaseFault("database_force", ["removes every table with its data"])
  await runLocked(engine, true, engine.name === "SQLite" ? removeTables : recreateSchema)
}

async function recreateSchema({ script }: Connection): Promise<void> {
  const statements = "EXECUTE format('DROP SCHEMA %I CASCADE', s); EXECUTE format('CREATE SCHEMA %I', s);"
  await script(`DO $$ DECLARE s text := current_schema(); BEGIN ${statements} END $$`)
}

async function removeTables({ query, script }: Connection): Promise<void> {
  // Views come first, then virtual tables, because SQLite removes the tables that belong to a virtual table with it.
  const tables = await query(
    `SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY type = 'view' DESC, sql LIKE 'CREATE VIRTUAL%' DESC`,
    [],
  )
  for (const { type, name } of tables) await script(`DROP ${type} IF EXISTS "${String(name).replaceAll('"', '""')}"`)
}

/** Two migrations that change the same table, and that run here in another order than in a new database. */
export interface OrderConflict {
  readonly table: string
  /** The migration that is not applied yet. */
  readonly pending: string
  /** A migration with a later name that is already applied. */
  readonly applied: string
}

/** Applies all migrations to an empty database. The database is removed afterwards. */
export async function replay({ connection, openOther }: Engine, migrations: readonly Migration[]): Promise<void> {
  const migrateAll = (engine: Engine) => migrate(engine, migrations)
  if (!openOther) return useAndClose(openSqlite(":memory:"), migrateAll)
  const name = `fw_check_${crypto.randomUUID().replaceAll("-", "")}`
  await connection.script(`CREATE DATABASE ${name}`)
  try {
    await useAndClose(openOther(name), migrateAll)
  } finally {
    await connection.script(`DROP DATABASE ${name}`)
  }
}

/** Runs a function with a database, and closes the database. */
export async function useAndClose(engine: Engine, work: (engine: Engine) => Promise<unknown>): Promise<void> {
  try {
    await work(engine)
  } finally {
    await engine.close()
  }
}

/**
 * Finds pending migrations that change a table which a migration with a later name has already changed here. That
 * happens if two migrations were written on two branches.
 */
export async function findOrderConflicts(engine: Engine, migrations: readonly Migration[]): Promise<OrderConflict[]> {
  const states = new Map((await readStatus(engine, migrations)).map(({ name, state }) => [name, state]))
  const find = (state: MigrationState) => migrations.filter(({ name }) => states.get(name) === state)
  return find("pending").flatMap((pending) => {
    const tables = findTables(pending)
    return find("applied")
      .filter(({ name }) => name > pending.name)
      .flatMap((applied) =>
        [...findTables(applied)]
          .filter((table) => tables.has(table))
          .map((table) => ({ table, pending: pending.name, applied: applied.name })),
      )
  })
}
