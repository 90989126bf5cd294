/** Creates engines for SQLite, with a client that has one connection or with libSQL. */
import { isBusy, openDatabase, type Database as SyncDatabase } from "../store/database.ts"
import type { Connection, Engine, QueryRow, Work } from "./engine.ts"
import { databaseFault } from "./fault.ts"
import { findOwnPackage } from "./own-package.ts"

/** The members of a transaction of `@libsql/client` that fw uses. */
interface LibsqlTransaction {
  execute(statement: { sql: string; args: unknown[] }): Promise<{ readonly rows: readonly unknown[] }>
  executeMultiple(sql: string): Promise<void>
  commit(): Promise<void>
  close(): void
}

/** The members of a client of `@libsql/client` that fw uses. */
export interface LibsqlClient extends Pick<LibsqlTransaction, "execute" | "executeMultiple" | "close"> {
  readonly protocol?: string
  transaction(mode: "write"): Promise<LibsqlTransaction>
}

/** Returns a function that runs functions one after the other. During a transaction everything else waits. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}

function toConnection(database: SyncDatabase): Connection {
  return {
    async query(sql, values) {
      const statement = database.prepare(sql) as ReturnType<SyncDatabase["prepare"]> & { readonly reader?: boolean }
      const parameters = values as readonly string[]
      // better-sqlite3 throws if rows are requested from a statement that returns none.
      if (statement.reader !== false) return statement.all(...parameters) as QueryRow[]
      statement.run(...parameters)
      return []
    },
    script: async (sql) => database.exec(sql),
  }
}

function toLibsqlConnection(client: Pick<LibsqlTransaction, "execute" | "executeMultiple">): Connection {
  return {
    query: async (sql, values) => (await client.execute({ sql, args: [...values] })).rows as readonly QueryRow[],
    script: (sql) => client.executeMultiple(sql),
  }
}

async function readForeignKeys({ query }: Connection): Promise<boolean> {
  return Number((await query("PRAGMA foreign_keys", []))[0]?.foreign_keys) === 1
}

/**
 * Runs a transaction with `PRAGMA foreign_keys = OFF`, which must be set before it begins. Otherwise, dropping a table
 * to build it again would delete the rows that refer to it. References are checked before the commit instead.
 */
async function checkReferencesLate<Result>(outside: Connection, begin: Engine["transaction"], body: Work<Result>) {
  const hadForeignKeys = await readForeignKeys(outside)
  await outside.script("PRAGMA foreign_keys = OFF")
  try {
    return await begin(async (connection) => {
      if (await readForeignKeys(connection)) throw databaseFault("migration.references_on")
      const result = await body(connection)
      const [broken] = hadForeignKeys ? await connection.query("PRAGMA foreign_key_check", []) : []
      if (broken) throw databaseFault("migration.references", [String(broken.table), String(broken.parent)])
      return result
    })
  } finally {
    if (hadForeignKeys) await outside.script("PRAGMA foreign_keys = ON")
  }
}

interface SqliteParts {
  /** Runs statements outside of transactions. */
  readonly outside: Connection
  /** True if statements outside of a transaction must wait until it has ended. */
  readonly runsOneAtATime: boolean
  readonly begin: Engine["transaction"]
  readonly close: () => unknown
}

function toEngine({ outside, runsOneAtATime, begin, close }: SqliteParts): Engine {
  const run = runsOneAtATime ? createQueue() : <Result>(work: () => Promise<Result>) => work()
  return {
    name: "SQLite",
    connection: {
      query: (sql, values) => run(() => outside.query(sql, values)),
      script: (sql) => run(() => outside.script(sql)),
    },
    transaction: (body, checksReferencesLate = false) =>
      run(() => (checksReferencesLate ? checkReferencesLate(outside, begin, body) : begin(body))),
    isConflict: isBusy,
    close: async () => void (await close()),
  }
}

/** Returns the engine for `node:sqlite`, `better-sqlite3` or `bun:sqlite`. */
export function createSqliteEngine(database: SyncDatabase): Engine {
  const connection = toConnection(database)
  return toEngine({
    outside: connection,
    runsOneAtATime: true,
    async begin(body) {
      database.exec("BEGIN IMMEDIATE")
      try {
        const result = await body(connection)
        database.exec("COMMIT")
        return result
      } catch (error) {
        // This fails if SQLite has ended the transaction itself, as after some errors, such as a full disk.
        await connection.script("ROLLBACK").catch(() => {})
        throw error
      }
    },
    close: () => database.close(),
  })
}

/** Returns the engine for `@libsql/client`. */
export function createLibsqlEngine(client: LibsqlClient): Engine {
  return toEngine({
    outside: toLibsqlConnection(client),
    // With a file, another connection would block the whole process while it waits for the transaction.
    runsOneAtATime: client.protocol === "file",
    async begin(body) {
      const transaction = await client.transaction("write")
      try {
        const result = await body(toLibsqlConnection(transaction))
        await transaction.commit()
        return result
      } finally {
        // `close()` undoes a transaction that was not committed.
        transaction.close()
      }
    },
    close: () => client.close(),
  })
}

/**
 * Opens a database that fw itself has made, with `@libsql/client` if the project has it, otherwise as `sqliteStore()`.
 *
 * @param path the path of the file, or `:memory:`.
 */
export function openSqlite(path: string): Engine {
  const libsql = findOwnPackage("@libsql/client") as { createClient(options: object): LibsqlClient } | undefined
  if (!libsql) return createSqliteEngine(openDatabase(path, () => {}))
  return createLibsqlEngine(libsql.createClient({ url: path === ":memory:" ? path : `file:${path}` }))
}
