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

/** Runs functions at once, or one after the other. */
type Queue = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Returns a queue that runs functions one after the other. During a transaction everything else waits. */
function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
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

/** @param outside runs statements outside of transactions. */
function toEngine(queue: Queue, outside: Connection, begin: Engine["transaction"], close: () => unknown): Engine {
  return {
    name: "SQLite",
    connection: {
      query: (sql, values) => queue(() => outside.query(sql, values)),
      script: (sql) => queue(() => outside.script(sql)),
    },
    transaction: (body, checksReferencesLate = false) =>
      queue(() => (checksReferencesLate ? checkReferencesLate(outside, begin, body) : begin(body))),
    isConflict: isBusy,
    close: async () => void (await close()),
  }
}

/** Returns the engine for `node:sqlite`, `better-sqlite3` or `bun:sqlite`. */
export function createSqliteEngine(database: SyncDatabase): Engine {
  const connection = toConnection(database)
  const begin = async <Result>(body: Work<Result>) => {
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
  }
  return toEngine(createQueue(), connection, begin, () => database.close())
}

/** Returns the engine for `@libsql/client`. */
export function createLibsqlEngine(client: LibsqlClient): Engine {
  const begin = async <Result>(body: Work<Result>) => {
    const transaction = await client.transaction("write")
    try {
      const result = await body(toLibsqlConnection(transaction))
      await transaction.commit()
      return result
    } finally {
      // `close()` undoes a transaction that was not committed.
      transaction.close()
    }
  }
  // With a file, another connection would block the whole process while it waits for the transaction.
  const queue: Queue = client.protocol === "file" ? createQueue() : (work) => work()
  return toEngine(queue, toLibsqlConnection(client), begin, () => client.close())
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
