/** Applies migrations, rolls them back, and shows which ones are applied. */
import { FwError } from "../../lib/errors.ts"
import { toQueries } from "./database.ts"
import type { BeginOptions, Connection, Engine } from "./engine.ts"
import { databaseFault } from "./fault.ts"
import { findTables, formatDifference, type Migration, readSteps, readUpText } from "./migration.ts"

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
function runLocked<Result>(engine: Engine, body: (connection: Connection) => Promise<Result>, options?: BeginOptions) {
  return repeatWhileBusy(engine, () =>
    engine.transaction(
      async (connection) => {
        if (!(await tryLock(engine, connection))) throw busyError
        return body(connection)
      },
      // A snapshot from before the lock would not contain the migrations of the process that held the lock before.
      { ...options, readsCommitted: true },
    ),
  )
}

async function tryLock({ name }: Engine, { query }: Connection): Promise<boolean> {
  if (name === "SQLite") return true
  return (await query(`SELECT pg_try_advisory_xact_lock(${lockKey}) AS held`, []))[0]?.held === true
}

/**
 * Returns the first migration that is not applied. @throws FwError `migration` if an applied one was changed, or has
 * not finished.
 */
function findNext(
  rows: readonly AppliedRow[],
  migrations: readonly Migration[],
  mayRepeat: boolean,
): Migration | undefined {
  const rowsByName = new Map(rows.map((row) => [row.name, row]))
  for (const { name, file, source, module } of migrations) {
    const row = rowsByName.get(name)
    if (!row?.applied) continue
    const [before, after] = [row.source, source].map((text) => readUpText(text, module !== undefined)) as [
      string,
      string,
    ]
    if (before !== after)
      throw databaseFault("migration.changed", [row.applied, formatDifference(before, after)], { at: { file } })
  }
  const unfinishedRow = rows.find(({ applied }) => applied === null)
  if (unfinishedRow && !mayRepeat)
    throw databaseFault("migration.unfinished", [unfinishedRow.name, unfinishedRow.statement])
  return migrations.find(({ name }) => !rowsByName.get(name)?.applied)
}

/** Returns the error for a failed migration. If PostgreSQL states a position in the script, the error has its line. */
function toMigrationFault({ file, source, module }: Migration, cause: unknown, direction: "up" | "down"): FwError {
  if (cause instanceof FwError) return Object.assign(cause, { at: cause.at ?? { file } })
  const { message, position } = Object(cause) as { message?: unknown; position?: unknown }
  const line =
    !module && Number(position) > 0 && direction === "up"
      ? source.slice(0, Number(position)).split("\n").length
      : undefined
  return databaseFault(`migration.${direction}_failed`, [String(message ?? cause)], {
    at: { file, ...(line && { line }) },
    cause,
  })
}

/** Returns all migrations with their states. */
export async function readStatus(engine: Engine, migrations: readonly Migration[]): Promise<MigrationStatus[]> {
  const rows = await repeatWhileBusy(engine, () => readRows(engine))
  const isRunning =
    rows.some(({ applied }) => applied === null) && !(await engine.transaction((tx) => tryLock(engine, tx)))
  const rowsByName = new Map(rows.map((row) => [row.name, row]))
  const statuses = migrations.map(({ name, source, module }): MigrationStatus => {
    const row = rowsByName.get(name)
    if (!row) return { name, state: "pending", applied: null }
    if (row.applied === null) return { name, state: isRunning ? "running" : "unfinished", applied: null }
    const isSame = readUpText(row.source, module !== undefined) === readUpText(source, module !== undefined)
    return { name, state: isSame ? "applied" : "changed", applied: row.applied }
  })
  const missingRows = rows.filter(({ name }) => !migrations.some((migration) => migration.name === name))
  return [...statuses, ...missingRows.map(({ name, applied }) => ({ name, state: "missing" as const, applied }))].sort(
    (a, b) => (a.name < b.name ? -1 : 1),
  )
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
    const rows = await repeatWhileBusy(engine, () => readRows(engine))
    const next = findNext(rows, migrations, mayRepeat || rows.some(({ applied }) => applied === null))
    if (!next) return applied
    if (await apply(engine, next, migrations, mayRepeat)) applied.push(next.name)
  }
}

/** Applies a migration. @returns false if another process has applied it. */
async function apply(
  engine: Engine,
  next: Migration,
  migrations: readonly Migration[],
  mayRepeat: boolean,
): Promise<boolean> {
  const { up, separateStatements, turnsReferencesOff } = readSteps(engine, next)
  if (separateStatements !== undefined && engine.name === "SQLite")
    throw databaseFault("migration.sqlite", [], { at: { file: next.file } })
  let hasBegun = false
  const work = async (locked: Connection) => {
    // The connection that holds the lock has a transaction. A module that runs without one must use another connection.
    const connection = separateStatements === undefined ? locked : engine.connection
    const rows = await readRows(engine, connection)
    if (findNext(rows, migrations, mayRepeat) !== next) return false
    await connection.script(tableSQL)
    const position = Math.max(0, ...rows.map((row) => Number(row.position))) + 1
    hasBegun = true
    if (separateStatements !== undefined)
      await runWithoutTransaction(engine, next, { separateStatements, up }, rows, position)
    else {
      await up(connection)
      await insertRow(engine, connection, next, position, new Date().toISOString())
    }
    return true
  }
  try {
    return await runLocked(engine, work, { checksReferencesLate: turnsReferencesOff })
  } catch (error) {
    throw hasBegun ? toMigrationFault(next, error, "up") : error
  }
}

function insertRow(
  engine: Engine,
  connection: Connection,
  { name, source }: Migration,
  position: number,
  applied: string | null,
) {
  const statement = applied === null ? 1 : null
  return toQueries(engine, connection).sql`
    INSERT INTO fw_migration (name, position, source, statement, applied)
    VALUES (${name}, ${position}, ${source}, ${statement}, ${applied})`
}

/**
 * Runs a migration without a transaction, one statement after the other, while another connection holds the lock.
 * Before each statement its number is written to the table. So if this process is killed, it is known how far it came.
 * It is not known whether the last statement has finished, so a second run repeats all statements.
 */
async function runWithoutTransaction(
  engine: Engine,
  migration: Migration,
  {
    separateStatements,
    up,
  }: {
    readonly separateStatements: readonly string[] | null
    readonly up: (connection: Connection) => Promise<unknown>
  },
  rows: readonly AppliedRow[],
  position: number,
): Promise<void> {
  engine.checkConnections?.()
  const { connection } = engine
  const { name, file, source } = migration
  const { sql } = toQueries(engine, connection)
  const isStarted = rows.some((row) => row.name === name)
  if (!isStarted) await insertRow(engine, connection, migration, position, null)
  const steps = separateStatements?.map((statement) => () => connection.script(statement)) ?? [() => up(connection)]
  for (const [index, run] of steps.entries()) {
    const number = index + 1
    await sql`UPDATE fw_migration SET statement = ${number} WHERE name = ${name}`
    await run().catch((cause) => {
      const facts = [
        number,
        steps.length,
        separateStatements?.[index] ?? "up()",
        String(cause?.message ?? cause),
      ] as const
      throw databaseFault("migration.alone", [...facts], { at: { file }, cause })
    })
  }
  const applied = new Date().toISOString()
  await sql`UPDATE fw_migration SET statement = NULL, source = ${source}, applied = ${applied} WHERE name = ${name}`
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
  const { down, turnsReferencesOff } = readSteps(engine, migration)
  if (!down) throw databaseFault("migration.no_down", [name])
  if (!isForced) throw databaseFault("database_force", [`takes back ${name}`])
  const work = async (connection: Connection) => {
    // If another process has already rolled it back, the migration before it must not be rolled back by mistake.
    if ((await findLast(connection))?.name !== name) return null
    await down(connection)
    await toQueries(engine, connection).sql`DELETE FROM fw_migration WHERE name = ${name}`
    return name
  }
  try {
    return await runLocked(engine, work, { checksReferencesLate: turnsReferencesOff })
  } catch (error) {
    throw toMigrationFault(migration, error, "down")
  }
}

/** Removes all tables, views and types of the database; in PostgreSQL, of the current schema. */
export async function removeAll(engine: Engine, isForced: boolean): Promise<void> {
  if (!isForced) throw databaseFault("database_force", ["removes every table with its data"])
  await runLocked(
    engine,
    async ({ query, script }) => {
      if (engine.name === "PostgreSQL") {
        const recreateSchema = "EXECUTE format('DROP SCHEMA %I CASCADE', s); EXECUTE format('CREATE SCHEMA %I', s);"
        await script(`DO $$ DECLARE s text := current_schema(); BEGIN ${recreateSchema} END $$`)
        return
      }
      // Views come first, then virtual tables, because SQLite removes the tables that belong to a virtual table with
      // it.
      const order = "type = 'view' DESC, sql LIKE 'CREATE VIRTUAL%' DESC"
      const selectTables = `SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`
      for (const { type, name } of await query(`${selectTables} ORDER BY ${order}`, []))
        await script(`DROP ${type} IF EXISTS "${String(name).replaceAll('"', '""')}"`)
    },
    { checksReferencesLate: true },
  )
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
export async function replay(engine: Engine, migrations: readonly Migration[]): Promise<void> {
  if (engine.name === "SQLite") return migrateAndClose(engine.openOther(":memory:"), migrations)
  const name = `fw_check_${crypto.randomUUID().replaceAll("-", "")}`
  await engine.connection.script(`CREATE DATABASE ${name}`)
  try {
    await migrateAndClose(engine.openOther(name), migrations)
  } finally {
    await engine.connection.script(`DROP DATABASE ${name}`)
  }
}

/** Applies all migrations, and closes the database. */
export async function migrateAndClose(engine: Engine, migrations: readonly Migration[]): Promise<void> {
  try {
    await migrate(engine, migrations)
  } finally {
    await engine.close()
  }
}

/**
 * Finds pending migrations that change a table which a migration with a later name has already changed here. That
 * happens if two migrations were written on two branches.
 */
export async function findOrderConflicts(engine: Engine, migrations: readonly Migration[]): Promise<OrderConflict[]> {
  const status = await readStatus(engine, migrations)
  const find = (state: MigrationState) =>
    migrations.filter(({ name }) => status.some((one) => one.name === name && one.state === state))
  const applied = find("applied").map((migration) => ({ name: migration.name, tables: findTables(migration) }))
  return find("pending").flatMap((pending) =>
    [...findTables(pending)].flatMap((table) =>
      applied
        .filter(({ name, tables }) => name > pending.name && tables.has(table))
        .map(({ name }) => ({ table, pending: pending.name, applied: name })),
    ),
  )
}
