/** A SQLite file with the tables of a store: runs statements, waits while another process writes, removes what has expired. */
import { storeFault } from "../../lib/store/fault.ts"
import { type BoundValue, type Database, isBusy, openDatabase, type Statement } from "./database.ts"

/** Milliseconds for which a call waits while other processes write. */
const busyTimeoutMs = 2_000
/** Milliseconds for which SQLite itself waits. It blocks the event loop, so it is short. */
const blockingMs = 2
/** Number of writes between two searches for expired rows, and of rows to remove at a time. */
const writesPerCleaning = 500
const maxRowsPerCleaning = 1_000

const schema = `
CREATE TABLE IF NOT EXISTS fw_kv (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS fw_kv_expires ON fw_kv (expires);
CREATE TABLE IF NOT EXISTS fw_counter (key TEXT PRIMARY KEY, count INTEGER NOT NULL, expires INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS fw_counter_expires ON fw_counter (expires);
CREATE TABLE IF NOT EXISTS fw_lock (key TEXT PRIMARY KEY, token INTEGER NOT NULL, expires INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS fw_lock_expires ON fw_lock (expires);
CREATE TABLE IF NOT EXISTS fw_fence (id INTEGER PRIMARY KEY CHECK (id = 1), token INTEGER NOT NULL) STRICT;
INSERT OR IGNORE INTO fw_fence VALUES (1, 0);
CREATE TABLE IF NOT EXISTS fw_log (name TEXT PRIMARY KEY, epoch INTEGER NOT NULL, last INTEGER NOT NULL, expires INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS fw_log_expires ON fw_log (expires);
CREATE TABLE IF NOT EXISTS fw_log_entry (log TEXT NOT NULL, epoch INTEGER NOT NULL, number INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (log, epoch, number)) STRICT, WITHOUT ROWID;
`

type Row = Readonly<Record<string, unknown>>

/** Runs a statement in a transaction. Returns its first row. */
export type RunStatement = (sql: string, values: readonly BoundValue[]) => Row | undefined

/** The open file of a store. */
export class SqliteFile {
  readonly #database: Database
  readonly #statements = new Map<string, Statement>()
  #isOpen = true
  #writeCount = 0

  constructor(file: string) {
    this.#database = openDatabase(file, (database) => {
      // Several processes may make the tables at the same time.
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
      database.exec("PRAGMA journal_mode = WAL")
      database.exec("PRAGMA synchronous = NORMAL")
      database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`)
      database.exec(`PRAGMA busy_timeout = ${blockingMs}`)
    })
  }

  /** Runs a statement that changes nothing. Returns its first row. */
  read(call: string, sql: string, values: readonly BoundValue[]): Promise<Row | undefined> {
    return this.#retryWhileBusy(call, () => this.query(sql, values)[0])
  }

  /** Runs one statement, which is a transaction of its own. Returns its first row. */
  async write(call: string, sql: string, values: readonly BoundValue[]): Promise<Row | undefined> {
    const row = await this.#retryWhileBusy(call, () => this.query(sql, values)[0])
    this.#removeExpired()
    return row
  }

  /** Runs statements in one transaction. @param kind `DEFERRED` if they only read. */
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
    if (kind === "IMMEDIATE") this.#removeExpired()
    return result
  }

  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK")
    } catch {
      // SQLite ends a transaction itself after some errors, such as a full disk.
    }
  }

  /** Runs a statement. Returns its rows. */
  query(sql: string, values: readonly BoundValue[]): Row[] {
    const known = this.#statements.get(sql)
    const statement = known ?? this.#database.prepare(sql)
    if (!known) this.#statements.set(sql, statement)
    return statement.all(...values) as Row[]
  }

  /** Closes the file. */
  close(): void {
    if (this.#isOpen) this.#database.close()
    this.#isOpen = false
  }

  /** Runs something again while other processes write, without blocking this one. */
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
      // A random time, so that processes do not meet again.
      await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 10))
    }
  }

  /** Removes some of what has expired, now and then. */
  #removeExpired(): void {
    this.#writeCount += 1
    if (this.#writeCount % writesPerCleaning !== 0) return
    const now = Date.now()
    const few = `expires <= ? LIMIT ${maxRowsPerCleaning}`
    try {
      for (const table of ["fw_kv", "fw_counter", "fw_lock"]) {
        const sql = `DELETE FROM ${table} WHERE key IN (SELECT key FROM ${table} WHERE ${few}) RETURNING key`
        this.query(sql, [now])
      }
      const deleteEntries = "DELETE FROM fw_log_entry WHERE log IN (SELECT name FROM fw_log WHERE expires <= ?)"
      this.query(`${deleteEntries} RETURNING log`, [now])
      this.query("DELETE FROM fw_log WHERE expires <= ? RETURNING name", [now])
    } catch {
      // Another process writes. What has expired is never returned, so it can stay until the next time.
    }
  }
}
