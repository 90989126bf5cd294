/** `database()`: runs queries and transactions with the client of a program. */
import { AsyncLocalStorage } from "node:async_hooks"
import { describeType } from "../../lib/text.ts"
import { channels, Operation } from "../../lib/trace/operations.ts"
import { createEngine, type DatabaseClient } from "./clients.ts"
import type { Connection, Engine, QueryRow } from "./engine.ts"
import { databaseFault } from "./fault.ts"

export type { QueryRow } from "./engine.ts"

/**
 * Runs statements, in a database or in one of its transactions.
 *
 * @example
 * const addNote = (db: Queries, text: string) => db.sql`INSERT INTO notes (text) VALUES (${text})`
 */
export interface Queries {
  /**
   * Runs one statement in the SQL of the database. Parameters are `?` in SQLite, and `$1`, `$2` in PostgreSQL.
   *
   * @param values the values of the parameters. They are sent separately from the SQL.
   * @returns the rows; an empty list for a statement that returns none.
   * @throws the error of the client.
   */
  query<Row extends object = QueryRow>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /**
   * Runs one statement with values written at their places: `` db.sql`SELECT text FROM notes WHERE id = ${id}` ``. The
   * values are sent separately from the SQL, as parameters in the form of the database. So one statement works in
   * SQLite and in PostgreSQL. Only values can be written this way, not names or pieces of SQL.
   *
   * @returns the rows; an empty list for a statement that returns none.
   * @throws the error of the client.
   */
  sql<Row extends object = QueryRow>(text: TemplateStringsArray, ...values: readonly unknown[]): Promise<readonly Row[]>
}

/**
 * Options of a transaction.
 *
 * @example
 * const options: TransactionOptions = { retries: 3 }
 */
export interface TransactionOptions {
  /**
   * How often the transaction is repeated if it was in conflict with another one, or if SQLite was busy. The function
   * is then called again, so it must not change anything outside of the database. Default: 0.
   */
  readonly retries?: number
}

/**
 * The database of a program.
 *
 * @example
 * import { createClient } from "@libsql/client"
 * const db: Database = database(createClient({ url: ":memory:" }))
 * const [row] = await db.query<{ sum: number }>("SELECT ? + 1 AS sum", [1])
 * row?.sum // → 2
 * await db.close()
 */
export interface Database extends Queries {
  /** The kind of database. */
  readonly engine: "SQLite" | "PostgreSQL"
  /**
   * Runs a function in a transaction. If the function throws, nothing that it has done with `tx` takes effect. In
   * SQLite a transaction begins with `BEGIN IMMEDIATE`, and only one runs at a time.
   *
   * @throws the error of the function, and FwError `database` if the function uses `db` instead of `tx`.
   * @example
   * await db.transaction(async (tx) => {
   *   await tx.query("UPDATE accounts SET cents = cents - 500 WHERE id = ?", [1])
   *   await tx.query("UPDATE accounts SET cents = cents + 500 WHERE id = ?", [2])
   * })
   */
  transaction<Result>(body: (tx: Queries) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /** Closes the client. */
  close(): Promise<void>
}

/** The transaction that the current code runs in. */
interface Scope {
  readonly engine: Engine
  readonly connection: Connection
  /** True in `withRollback()`. Statements of `db` itself are then part of the transaction. */
  readonly isForTest: boolean
  isOpen: boolean
}

const scopes = new AsyncLocalStorage<Scope>()
const engines = new WeakMap<object, Engine>()
let lastSavepoint = 0

/** What the statements of a database wait for, by its engine, such as migrations while a program is loaded. */
export const preparations = new WeakMap<Engine, () => Promise<unknown>>()

/** Returns the engine of a database. @throws FwError `database` for a value that is not a database. */
export function getEngine(client: unknown): Engine {
  const engine = engines.get(Object(client))
  if (!engine) throw databaseFault("database.export", [describeType(client)])
  return engine
}

/** Returns the functions that run statements on a connection. */
export function toQueries(engine: Engine, { query }: Connection): Queries {
  const run: Connection["query"] = async (sql, values) =>
    channels.query.isWatched ? traceQuery(engine, query, sql, values) : query(sql, values)
  return {
    query: (sql, values = []) => run(sql, values) as Promise<readonly never[]>,
    sql(text, ...values) {
      const toMarker = engine.name === "SQLite" ? () => "?" : (number: number) => `$${number}`
      const sql = text.reduce((all, part, number) => `${all}${toMarker(number)}${part}`)
      return run(sql, values) as Promise<readonly never[]>
    },
  }
}

/** Runs a statement, and publishes it for tracing: its text and the number of its rows, but no values. */
function traceQuery(engine: Engine, query: Connection["query"], sql: string, values: readonly unknown[]) {
  const name = (/[a-z]+/i.exec(sql)?.[0] ?? "").toUpperCase()
  const operation = new Operation("query", name, undefined, {
    "db.system.name": engine.name.toLowerCase(),
    "db.operation.name": name,
    "db.query.text": sql,
  })
  operation.isInstrumented = engine.isInstrumented?.() === true
  return channels.query.runOperation(operation, async () => {
    const rows = await query(sql, values)
    operation.attributes["db.response.returned_rows"] = rows.length
    return rows
  })
}

/** A function that runs in a transaction. */
export type TransactionBody<Result> = (tx: Queries) => Promise<Result>

/**
 * Runs the function of a transaction that the caller has begun.
 *
 * @param isForTest true if statements of `db` itself are part of the transaction. Otherwise they throw an error, so that
 * no statement leaves the transaction by mistake.
 */
export function runTransactionBody<Result>(
  engine: Engine,
  connection: Connection,
  isForTest: boolean,
  body: TransactionBody<Result>,
): Promise<Result> {
  const scope: Scope = { engine, connection, isForTest, isOpen: true }
  return scopes
    .run(scope, async () => body(toQueries(engine, connection)))
    .finally(() => {
      scope.isOpen = false
    })
}

/**
 * Returns the connection of a test's transaction; undefined outside of a test. @throws FwError `database` in a
 * transaction of the program.
 */
function findTestConnection(engine: Engine, call: string): Connection | undefined {
  const scope = scopes.getStore()
  if (!scope?.isOpen || scope.engine !== engine) return undefined
  if (!scope.isForTest) throw databaseFault("database.inside", [call])
  return scope.connection
}

async function runSavepoint<Result>(engine: Engine, connection: Connection, body: (tx: Queries) => Promise<Result>) {
  const name = `fw_${++lastSavepoint}`
  await connection.script(`SAVEPOINT ${name}`)
  try {
    const result = await runTransactionBody(engine, connection, false, body)
    await connection.script(`RELEASE ${name}`)
    return result
  } catch (error) {
    await connection.script(`ROLLBACK TO ${name}; RELEASE ${name}`)
    throw error
  }
}

async function runTransaction<Result>(engine: Engine, body: (tx: Queries) => Promise<Result>, retries: number) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await engine.transaction((connection) => runTransactionBody(engine, connection, false, body))
    } catch (error) {
      if (attempt >= retries || !engine.isConflict(error)) throw error
    }
    // A random pause, so that the same transactions do not meet again.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** Math.min(attempt, 6)))
  }
}

/**
 * Returns the database behind a client of the program. Statements that are run outside of a transaction never join it,
 * even if the client has a single connection.
 *
 * @param client a `Pool` of `pg`, the function of `postgres`, a `DatabaseSync` of `node:sqlite`, a `Database` of
 * `better-sqlite3` or `bun:sqlite`, or a client of `@libsql/client`.
 * @throws FwError `database` for a value that is not such a client.
 * @example
 * import { Pool } from "pg"
 * export const db = database(new Pool({ connectionString: process.env.DATABASE_URL }))
 */
export function database(client: DatabaseClient): Database {
  const engine = createEngine(client)
  const prepare = async (call: string) => {
    const testConnection = findTestConnection(engine, call)
    await preparations.get(engine)?.()
    return { testConnection, queries: toQueries(engine, testConnection ?? engine.connection) }
  }
  const db: Database = {
    engine: engine.name,
    query: async (sql, values) => (await prepare("db.query()")).queries.query(sql, values),
    sql: async (text, ...values) => (await prepare("db.sql")).queries.sql(text, ...values),
    async transaction(body, { retries = 0 } = {}) {
      const { testConnection } = await prepare("db.transaction()")
      return testConnection ? runSavepoint(engine, testConnection, body) : runTransaction(engine, body, retries)
    },
    close: () => engine.close(),
  }
  engines.set(db, engine)
  return db
}

/**
 * Runs a test in a transaction, and then undoes everything. During the test, statements and transactions of `db` itself
 * are part of that transaction, such as those of the handlers that the test calls.
 *
 * @returns the result of the test.
 * @example
 * import { createClient } from "@libsql/client"
 * const db = database(createClient({ url: ":memory:" }))
 * await db.query("CREATE TABLE notes (text TEXT)")
 * await withRollback(db, () => db.query("INSERT INTO notes VALUES ('Buy milk')"))
 * await db.query("SELECT text FROM notes") // → []
 */
export async function withRollback<Result>(db: Database, test: (tx: Queries) => Promise<Result>): Promise<Result> {
  const engine = getEngine(db)
  const rollbackError = new Error("roll back")
  let result: Result | undefined
  const work = async (connection: Connection) => {
    result = await runTransactionBody(engine, connection, true, test)
    throw rollbackError
  }
  await engine.transaction(work).catch((error) => {
    if (error !== rollbackError) throw error
  })
  return result as Result
}
