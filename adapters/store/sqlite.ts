/** `sqliteStore()`: a store in a file, for several processes of one machine. */

import { createStore } from "../../lib/store/create-store.ts"
import type { Engine, EngineCapabilities, Position } from "../../lib/store/engine.ts"
import type { Capability, Store } from "../../lib/store/types.ts"
import { type RunStatement, SqliteFile } from "./sqlite-file.ts"

/** Number of writes between two statements that remove expired rows. */
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

/** The time in the column `expires` of a value that does not expire. */
const neverExpires = Number.MAX_SAFE_INTEGER

/** Returns a function that removes some expired rows from time to time. */
function createCleaner() {
  let writeCount = 0
  return (file: SqliteFile): void => {
    writeCount += 1
    if (writeCount % writesPerCleaning !== 0) return
    const now = Date.now()
    const expiredRows = `expires <= ? LIMIT ${maxRowsPerCleaning}`
    try {
      for (const table of ["fw_kv", "fw_counter", "fw_lock"]) {
        const sql = `DELETE FROM ${table} WHERE key IN (SELECT key FROM ${table} WHERE ${expiredRows}) RETURNING key`
        file.query(sql, [now])
      }
      const deleteEntries = "DELETE FROM fw_log_entry WHERE log IN (SELECT name FROM fw_log WHERE expires <= ?)"
      file.query(`${deleteEntries} RETURNING log`, [now])
      file.query("DELETE FROM fw_log WHERE expires <= ? RETURNING name", [now])
    } catch {
      // Another process is writing. Expired rows are never returned, so they may stay until the next time.
    }
  }
}

const toExpiry = (ttl: number | undefined) => (ttl === undefined ? neverExpires : Date.now() + ttl)

/** Returns a token that is larger than all earlier ones, even if the file was deleted in between. */
function takeNextToken(run: RunStatement): number {
  const sql = "UPDATE fw_fence SET token = max(token + 1, ?) RETURNING token"
  return Number(run(sql, [Date.now() * 1000])?.token)
}

function createKV(file: SqliteFile): EngineCapabilities["kv"] {
  const upsert =
    "INSERT INTO fw_kv VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires RETURNING key"
  return {
    async get(key) {
      const row = await file.read("kv.get()", "SELECT value FROM fw_kv WHERE key = ? AND expires > ?", [
        key,
        Date.now(),
      ])
      return row?.value as string | undefined
    },
    set: (key, text, ttl) => file.write("kv.set()", upsert, [key, text, toExpiry(ttl)]),
    async delete(key) {
      const sql = "DELETE FROM fw_kv WHERE key = ? RETURNING expires"
      const row = await file.write("kv.delete()", sql, [key])
      return row !== undefined && Number(row.expires) > Date.now()
    },
    async compareAndSet(key, expected, text, ttl) {
      return file.transaction("kv.compareAndSet()", (run) => {
        const sql = "SELECT value FROM fw_kv WHERE key = ? AND expires > ?"
        if (run(sql, [key, Date.now()])?.value !== expected) return false
        if (text === undefined) run("DELETE FROM fw_kv WHERE key = ? RETURNING key", [key])
        else run(upsert, [key, text, toExpiry(ttl)])
        return true
      })
    },
  }
}

function createCounter(file: SqliteFile): EngineCapabilities["counter"] {
  // If the clock was set back, `expires` could be too late. A window must not last longer than its length.
  const sql = `INSERT INTO fw_counter VALUES (?, 1, ?) ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN expires > ? THEN count + 1 ELSE 1 END,
    expires = CASE WHEN expires > ? THEN min(expires, excluded.expires) ELSE excluded.expires END
    RETURNING count, expires`
  return {
    async hit(key, window) {
      const now = Date.now()
      const row = await file.write("counter.hit()", sql, [key, now + window, now, now])
      return [Number(row?.count), Math.max(0, Number(row?.expires) - now)]
    },
  }
}

function createLock(file: SqliteFile): EngineCapabilities["lock"] {
  return {
    acquire: (key, lease) =>
      file.transaction("lock.acquire()", (run) => {
        const now = Date.now()
        if (run("SELECT token FROM fw_lock WHERE key = ? AND expires > ?", [key, now])) return undefined
        const token = takeNextToken(run)
        const upsertLock = `INSERT INTO fw_lock VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET
          token = excluded.token, expires = excluded.expires RETURNING token`
        run(upsertLock, [key, token, now + lease])
        return token
      }),
    async renew(key, token, lease) {
      const sql = "UPDATE fw_lock SET expires = ? WHERE key = ? AND token = ? AND expires > ? RETURNING token"
      const now = Date.now()
      return (await file.write("lock.renew()", sql, [now + lease, key, token, now])) !== undefined
    },
    async release(key, token) {
      const sql = "DELETE FROM fw_lock WHERE key = ? AND token = ? RETURNING expires"
      const row = await file.write("lock.release()", sql, [key, token])
      return row !== undefined && Number(row.expires) > Date.now()
    },
  }
}

function createLog(file: SqliteFile): EngineCapabilities["log"] {
  const selectHead = "SELECT epoch, last FROM fw_log WHERE name = ? AND expires > ?"
  const upsertHead = `INSERT INTO fw_log VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
    epoch = excluded.epoch, last = excluded.last, expires = excluded.expires RETURNING name`
  const selectBounds = `SELECT epoch, last, (SELECT min(number) FROM fw_log_entry WHERE log = name AND fw_log_entry.epoch = fw_log.epoch) AS first
    FROM fw_log WHERE name = ? AND expires > ?`
  return {
    append: (name, text, maxEntries, ttl) =>
      file.transaction("log.append()", (run) => {
        const now = Date.now()
        const head = run(selectHead, [name, now])
        const epoch = head ? Number(head.epoch) : takeNextToken(run)
        const number = Number(head?.last ?? 0) + 1
        run(upsertHead, [name, epoch, number, now + ttl])
        run("INSERT INTO fw_log_entry VALUES (?, ?, ?, ?) RETURNING log", [name, epoch, number, text])
        file.query("DELETE FROM fw_log_entry WHERE log = ? AND (epoch < ? OR number <= ?) RETURNING log", [
          name,
          epoch,
          number - maxEntries,
        ])
        return { epoch, number } satisfies Position
      }),
    read: (name, after, limit) =>
      file.transaction(
        "log.read()",
        (run) => {
          const head = run(selectBounds, [name, Date.now()])
          if (!head) return { stored: undefined, entries: [] }
          const epoch = Number(head.epoch)
          const sql =
            "SELECT number, data FROM fw_log_entry WHERE log = ? AND epoch = ? AND number > ? ORDER BY number LIMIT ?"
          const rows = file.query(sql, [name, epoch, after.epoch === epoch ? after.number : 0, limit])
          return {
            stored: {
              first: { epoch, number: Number(head.first) },
              last: { epoch, number: Number(head.last) },
            },
            entries: rows.map(({ number, data }) => [Number(number), String(data)] as const),
          }
        },
        "DEFERRED",
      ),
  }
}

/**
 * Creates a store in a SQLite file, which several processes of one machine can share. It has no `topic`, because SQLite
 * cannot send messages to other processes. It uses `node:sqlite` (Node 22.13 or later, Deno) or `bun:sqlite`, otherwise
 * the project's package `better-sqlite3`. The data survives a crash of the process. A power failure may undo the last
 * writes.
 *
 * @param file the path of the file. Its directory is created. Do not use a network drive, where the locks of SQLite do
 * not work.
 * @throws FwError `store` if there is no SQLite, and for a file that cannot be opened.
 * @example
 * const store = sqliteStore("data/state.db")
 * const { count } = await store.counter.hit("sign-in:ada", 60)
 * await store.close()
 */
export function sqliteStore(file: string): Store<Exclude<Capability, "topic">> {
  const database = new SqliteFile(file, { schema, afterWrite: createCleaner() })
  const engine: Engine<Exclude<Capability, "topic">> = {
    name: "sqlite",
    kv: createKV(database),
    counter: createCounter(database),
    lock: createLock(database),
    log: createLog(database),
    close: async () => database.close(),
  }
  return createStore(engine)
}
