/** A SQLite file that several processes share: runs statements, and waits while another process writes. */
import { storeFault } from "../../lib/store/fault.ts"
import { type BoundValue, type Database, isBusy, openDatabase, type Statement } from "./database.ts"

/** Maximum number of milliseconds that a call waits while other processes write. */
const busyTimeoutMs = 2_000
/** Maximum number of milliseconds that SQLite itself waits. That blocks the event loop, so it is short. */
const blockingMs = 2

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>

/** Runs a statement in a transaction, and returns its first row. */
export type RunStatement = (sql: string, values: readonly BoundValue[]) => Row | undefined

/** Options of a {@link SqliteFile}. */
export interface SqliteFileOptions {
  /** The statements that create the tables if they are missing. */
  readonly schema: string
  /** Called after each write, for example to remove expired rows. */
  readonly afterWrite?: (file: SqliteFile) => void
}

/**
 * Opens a SQLite file that several processes share. SQLite itself waits while another process writes.
 *
 * @param setUp called after the file has been opened.
 * @param call the program's call, for messages. Default: `sqliteStore()`.
 * @throws FwError `store` if there is no SQLite, and for a file that cannot be opened.
 */
export function openSharedFile(file: string, setUp: (database: Database) => void, call?: string): Database {
  const setUpAll = (database: Database) => {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    database.exec("PRAGMA journal_mode = WAL")
    database.exec("PRAGMA synchronous = NORMAL")
    setUp(database)
  }
  return keepStatements(openDatabase(file, setUpAll, call))
}

/** Prepares each statement once, because that often takes longer than running it. */
function keepStatements(database: Database): Database {
  const statements = new Map<string, Statement>()
  return {
    prepare(sql) {
      const statement = statements.get(sql) ?? database.prepare(sql)
      statements.set(sql, statement)
      return statement
    },
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
  }
}

/** An open SQLite file. */
export class SqliteFile {
  readonly #database: Database
  readonly #afterWrite: (file: SqliteFile) => void
  #isOpen = true

  constructor(file: string, { schema, afterWrite = () => {} }: SqliteFileOptions) {
    this.#afterWrite = afterWrite
    this.#database = openSharedFile(file, (database) => {
      // Several processes may create the tables at the same time, so SQLite itself waits longer here.
      database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`)
      database.exec(`PRAGMA busy_timeout = ${blockingMs}`)
    })
  }

  /** Runs a statement that only reads, and returns its first row. */
  read(call: string, sql: string, values: readonly BoundValue[]): Promise<Row | undefined> {
    return this.#retryWhileBusy(call, () => this.query(sql, values)[0])
  }

  /** Runs one statement in a transaction of its own, and returns its first row. */
  async write(call: string, sql: string, values: readonly BoundValue[]): Promise<Row | undefined> {
    const [row] = await this.#retryWhileBusy(call, () => this.query(sql, values))
    this.#afterWrite(this)
    return row
  }

  /** Runs several statements in one transaction. @param kind `DEFERRED` if they only read. */
  async transaction<Result>(
    call: string,
    body: (run: RunStatement) => Result,
    kind: "IMMEDIATE" | "DEFERRED" = "IMMEDIATE",
  ): Promise<Result> {
    const result = await this.#retryWhileBusy(call, () => {
      this.#database.exec(`BEGIN ${kind}`)
      try {
        const result = body((sql, values) => this.query(sql, values)[0])
        this.#database.exec("COMMIT")
        return result
      } catch (error) {
        this.#rollBack()
        throw error
      }
    })
    if (kind === "IMMEDIATE") this.#afterWrite(this)
    return result
  }

  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK")
    } catch {
      // After some errors, such as a full disk, SQLite has ended the transaction itself.
    }
  }

  /** Runs a statement, and returns its rows. */
  query(sql: string, values: readonly BoundValue[]): Row[] {
    return this.#database.prepare(sql).all(...values) as Row[]
  }

  /** Closes the file. */
  close(): void {
    if (this.#isOpen) this.#database.close()
    this.#isOpen = false
  }

  /** Repeats a function while other processes write. This does not block the event loop. */
  async #retryWhileBusy<Result>(call: string, body: () => Result): Promise<Result> {
    const deadline = performance.now() + busyTimeoutMs
    for (;;) {
      if (!this.#isOpen) throw storeFault("store.closed", [call])
      try {
        return body()
      } catch (cause) {
        if (!isBusy(cause)) throw storeFault("store_unavailable", [call, "SQLite", "failed"], { cause })
        if (performance.now() > deadline)
          throw storeFault("store_unavailable", [call, "SQLite", "was busy for too long"], { cause })
      }
      // A random pause, so that the same processes do not meet again.
      await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 10))
    }
  }
}
