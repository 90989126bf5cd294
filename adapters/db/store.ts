/** `databaseStore()`: a store for values and counts in the database of a program. */
import { createStore } from "../../lib/store/create-store.ts"
import type { EngineCapabilities } from "../../lib/store/engine.ts"
import { storeFault } from "../../lib/store/fault.ts"
import type { Store } from "../../lib/store/types.ts"
import type { Database } from "./database.ts"
import { databaseFault } from "./fault.ts"

/** The time in the column `expires` of a value that does not expire. */
const neverExpires = Number.MAX_SAFE_INTEGER
/** Number of writes between two statements that remove expired rows. */
const writesPerCleaning = 500

type Sql = Database["sql"]

function createKV(sql: (call: string) => Sql): EngineCapabilities["kv"] {
  const toExpiry = (ttl: number | undefined) => (ttl === undefined ? neverExpires : Date.now() + Math.round(ttl))
  return {
    async get(key) {
      const [row] = await sql("kv.get()")`SELECT value FROM fw_value WHERE key = ${key} AND expires > ${Date.now()}`
      return row?.value as string | undefined
    },
    set: (key, text, ttl) =>
      sql("kv.set()")`INSERT INTO fw_value (key, value, expires) VALUES (${key}, ${text}, ${toExpiry(ttl)})
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires`,
    async delete(key) {
      const [row] = await sql("kv.delete()")`DELETE FROM fw_value WHERE key = ${key} RETURNING expires`
      return Number(row?.expires ?? 0) > Date.now()
    },
    // Each case is a single statement, so that no other write comes between the comparison and the write.
    async compareAndSet(key, expected, text, ttl) {
      const run = sql("kv.compareAndSet()")
      const now = Date.now()
      if (expected === undefined && text === undefined)
        return (await run`SELECT key FROM fw_value WHERE key = ${key} AND expires > ${now}`).length === 0
      const rows =
        expected === undefined
          ? await run`INSERT INTO fw_value AS old (key, value, expires) VALUES (${key}, ${text}, ${toExpiry(ttl)})
              ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires
              WHERE old.expires <= ${now} RETURNING key`
          : // A value is removed by letting it expire.
            await run`UPDATE fw_value SET value = ${text ?? ""}, expires = ${text === undefined ? 0 : toExpiry(ttl)}
              WHERE key = ${key} AND value = ${expected} AND expires > ${now} RETURNING key`
      return rows.length > 0
    },
  }
}

function createCounter(sql: (call: string) => Sql): EngineCapabilities["counter"] {
  return {
    async hit(key, window) {
      const now = Date.now()
      const end = now + Math.round(window)
      // If the clock was set back, `expires` could be too late. A window must not last longer than its length.
      const [row] = await sql("counter.hit()")`
        INSERT INTO fw_count AS old (key, count, expires) VALUES (${key}, 1, ${end})
        ON CONFLICT (key) DO UPDATE SET
          count = CASE WHEN old.expires > ${now} THEN old.count + 1 ELSE 1 END,
          expires = CASE WHEN old.expires > ${now} AND old.expires < excluded.expires THEN old.expires ELSE excluded.expires END
        RETURNING count, expires`
      return [Number(row?.count), Math.max(0, Number(row?.expires) - now)]
    },
  }
}

/**
 * Creates a store in the database of the program, for `session()` and `rateLimit()`. It uses the program's own
 * connections. It has the capabilities `kv` and `counter`. A migration creates its two tables: `fw db new <name>
 * --store` writes the migration, and `fw db status` lists it. Times are those of this machine's clock.
 *
 * @param db a database, as {@link database} returns it. It stays open when the store is closed.
 * @example
 * import { createClient } from "@libsql/client"
 * const db = database(createClient({ url: ":memory:" }))
 * await db.query("CREATE TABLE fw_value (key text PRIMARY KEY, value text NOT NULL, expires bigint NOT NULL)")
 * const { kv } = databaseStore(db)
 * await kv.set("greeting", "hello", { ttl: 60 })
 * await kv.get("greeting") // → "hello"
 */
export function databaseStore(db: Database): Store<"kv" | "counter"> {
  const name = db.engine === "SQLite" ? "sqlite" : "postgres"
  let writeCount = 0
  let isOpen = true
  const run =
    (call: string): Sql =>
    async (text, ...values) => {
      if (!isOpen) throw storeFault("store.closed", [call])
      try {
        if (call !== "kv.get()" && ++writeCount % writesPerCleaning === 0) await removeExpired(db)
        return await db.sql(text, ...values)
      } catch (cause) {
        // These are the texts of SQLite and of PostgreSQL about a missing table.
        if (/no such table|does not exist/.test(String(cause))) throw databaseFault("database.store", [], { cause })
        throw storeFault("store_unavailable", [call, db.engine, "failed"], { cause })
      }
    }
  const close = async () => {
    isOpen = false
  }
  return createStore<"kv" | "counter">({ name, kv: createKV(run), counter: createCounter(run), close })
}

async function removeExpired({ sql }: Database): Promise<void> {
  const now = Date.now()
  await sql`DELETE FROM fw_value WHERE key IN (SELECT key FROM fw_value WHERE expires <= ${now} LIMIT 1000)`
  await sql`DELETE FROM fw_count WHERE key IN (SELECT key FROM fw_count WHERE expires <= ${now} LIMIT 1000)`
}
