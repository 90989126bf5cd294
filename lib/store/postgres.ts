/** `postgresStore()`: a store in PostgreSQL. */

import { createStore } from "./create-store.ts"
import type { Engine, EngineCapabilities, LogSlice } from "./engine.ts"
import { storeFault } from "./fault.ts"
import { type PostgresPool, postgresDialect, type Row } from "./postgres/client.ts"
import { PostgresDatabase } from "./postgres/database.ts"
import { fitsNotification, formatHead, openListener, toChannelName } from "./postgres/listener.ts"
import { readServerOptions, type ServerStoreOptions } from "./server-options.ts"
import { TopicSubscriptions } from "./topic-subscriptions.ts"
import type { Capability, Store } from "./types.ts"

/**
 * The time of the server's clock when the statement began. It does not change while the statement waits for another
 * one.
 */
const nowSQL = "statement_timestamp()"
/** A time in the future. The parameter is the number of milliseconds. */
const createDeadlineSQL = (parameter: string) => `${nowSQL} + ${parameter}::float8 * interval '1 millisecond'`

function createKV(database: PostgresDatabase): EngineCapabilities["kv"] {
  const table = `${database.prefix}kv`
  const end = (parameter: string) => `coalesce(${createDeadlineSQL(parameter)}, 'infinity')`
  const replace = "ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires"
  const call = "kv.compareAndSet()"
  const isDone = async (rows: Promise<readonly Row[]>) => (await rows).length > 0
  return {
    async get(key) {
      const sql = `SELECT value FROM ${table} WHERE key = $1 AND expires > ${nowSQL}`
      const [row] = await database.query("kv.get()", "read", sql, [key])
      return row?.value as string | undefined
    },
    set(key, text, ttl) {
      const sql = `INSERT INTO ${table} VALUES ($1, $2, ${end("$3")}) ${replace}`
      return database.query("kv.set()", "write", sql, [key, text, ttl ?? null])
    },
    async delete(key) {
      const sql = `DELETE FROM ${table} WHERE key = $1 RETURNING expires > ${nowSQL} AS present`
      const [row] = await database.query("kv.delete()", "write", sql, [key])
      return row?.present === true
    },
    async compareAndSet(key, expected, text, ttl) {
      const currentRowCondition = `key = $1 AND value = $2 AND expires > ${nowSQL}`
      if (expected === undefined && text === undefined) {
        const sql = `SELECT 1 FROM ${table} WHERE key = $1 AND expires > ${nowSQL}`
        return !(await isDone(database.query(call, "read", sql, [key])))
      }
      if (expected === undefined) {
        const sql = `INSERT INTO ${table} AS old VALUES ($1, $2, ${end("$3")}) ${replace} WHERE old.expires <= ${nowSQL} RETURNING 1`
        return isDone(database.query(call, "write", sql, [key, text, ttl ?? null]))
      }
      if (text === undefined)
        return isDone(
          database.query(call, "write", `DELETE FROM ${table} WHERE ${currentRowCondition} RETURNING 1`, [
            key,
            expected,
          ]),
        )
      const sql = `UPDATE ${table} SET value = $3, expires = ${end("$4")} WHERE ${currentRowCondition} RETURNING 1`
      return isDone(database.query(call, "write", sql, [key, expected, text, ttl ?? null]))
    },
  }
}

function createCounter(database: PostgresDatabase): EngineCapabilities["counter"] {
  // If the clock was set back, `expires` could be too late. A window must not last longer than its length.
  const sql = `INSERT INTO ${database.prefix}counter AS old VALUES ($1, 1, ${createDeadlineSQL("$2")}) ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN old.expires > ${nowSQL} THEN old.count + 1 ELSE 1 END,
    expires = CASE WHEN old.expires > ${nowSQL} THEN least(old.expires, excluded.expires) ELSE excluded.expires END
    RETURNING count, extract(epoch FROM expires - ${nowSQL}) * 1000 AS rest`
  return {
    async hit(key, window) {
      const [row] = await database.query("counter.hit()", "write", sql, [key, window])
      return [Number(row?.count), Math.min(window, Math.max(0, Number(row?.rest)))]
    },
  }
}

function createLock(database: PostgresDatabase): EngineCapabilities["lock"] {
  const table = `${database.prefix}lock`
  const token = `nextval('${database.prefix}token')`
  // A caller that waits for the row gets its token after the wait. So tokens grow in the order of the holders.
  const acquire = `INSERT INTO ${table} AS old VALUES ($1, ${token}, ${createDeadlineSQL("$2")}) ON CONFLICT (key) DO UPDATE SET
    token = ${token}, expires = excluded.expires WHERE old.expires <= ${nowSQL} RETURNING token`
  const heldCondition = `key = $1 AND token = $2 AND expires > ${nowSQL} RETURNING 1`
  return {
    async acquire(key, lease) {
      const [row] = await database.query("lock.acquire()", "write", acquire, [key, lease])
      return row && Number(row.token)
    },
    async renew(key, number, lease) {
      const sql = `UPDATE ${table} SET expires = ${createDeadlineSQL("$3")} WHERE ${heldCondition}`
      return (await database.query("lock.renew()", "write", sql, [key, number, lease])).length > 0
    },
    async release(key, number) {
      const sql = `UPDATE ${table} SET expires = ${nowSQL} WHERE ${heldCondition}`
      return (await database.query("lock.release()", "write", sql, [key, number])).length > 0
    },
  }
}

function toLogSlice(rows: readonly Row[]): LogSlice {
  const [head] = rows
  if (!head) return { stored: undefined, entries: [] }
  const position = (number: unknown) => ({ epoch: Number(head.epoch), number: Number(number) })
  return {
    stored: { first: position(head.first), last: position(head.last) },
    entries: rows
      .filter(({ number }) => number !== null)
      .map(({ number, data }) => [Number(number), String(data)] as const),
  }
}

function createLog(database: PostgresDatabase): EngineCapabilities["log"] {
  const [table, entry] = [`${database.prefix}log`, `${database.prefix}log_entry`]
  // The row of the log stays locked until the end of the statement. So entries become visible in the order of their
  // numbers.
  const append = `WITH head AS (
    INSERT INTO ${table} AS old VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, 1, 1, ${createDeadlineSQL("$4")})
    ON CONFLICT (name) DO UPDATE SET
      epoch = CASE WHEN old.expires > ${nowSQL} THEN old.epoch ELSE greatest(excluded.epoch, old.epoch + 1) END,
      last = CASE WHEN old.expires > ${nowSQL} THEN old.last + 1 ELSE 1 END,
      first = CASE WHEN old.expires > ${nowSQL} THEN greatest(old.first, old.last + 2 - $3::bigint) ELSE 1 END,
      expires = excluded.expires
    RETURNING epoch, first, last),
  added AS (INSERT INTO ${entry} SELECT $1, epoch, last, $2 FROM head),
  gone AS (DELETE FROM ${entry} USING head WHERE log = $1 AND (${entry}.epoch < head.epoch OR number < head.first))
  SELECT epoch, last FROM head`
  const readSQL = `SELECT l.epoch, l.first, l.last, e.number, e.data FROM ${table} l
    LEFT JOIN LATERAL (SELECT number, data FROM ${entry} WHERE log = l.name AND epoch = l.epoch AND number >= l.first
      AND number > CASE WHEN l.epoch = $2::bigint THEN $3::bigint ELSE 0 END ORDER BY number LIMIT $4) e ON true
    WHERE l.name = $1 AND l.expires > ${nowSQL} ORDER BY e.number`
  return {
    async append(name, text, maxEntries, ttl) {
      const [row] = await database.query("log.append()", "write", append, [name, text, maxEntries, ttl])
      return { epoch: Number(row?.epoch), number: Number(row?.last) }
    },
    async read(name, position, limit) {
      const values = [name, position.epoch, position.number, limit]
      return toLogSlice(await database.query("log.read()", "read", readSQL, values))
    },
  }
}

function createTopic(database: PostgresDatabase, topics: TopicSubscriptions): EngineCapabilities["topic"] {
  const insert = `WITH added AS (INSERT INTO ${database.prefix}message (data, expires) VALUES ($3, ${nowSQL} + interval '5 minutes') RETURNING id)
    SELECT pg_notify($1, $2::text || id) FROM added`
  return {
    publish(name, text) {
      const channel = toChannelName(database.prefix, name)
      return fitsNotification(name, text)
        ? database.query("topic.publish()", "write", "SELECT pg_notify($1, $2)", [
            channel,
            formatHead(name, "=") + text,
          ])
        : database.query("topic.publish()", "write", insert, [channel, formatHead(name, "@"), text])
    },
    subscribe: (name, subscriber) =>
      database.calls.run("topic.subscribe()", "read", (task) => topics.add(name, subscriber, task)),
  }
}

/**
 * Creates a store in PostgreSQL, for any number of processes. It creates its tables. It opens a pool with the settings
 * of the given pool, and one more connection for `topic`.
 *
 * @param pool a pool of the package `pg`. Only its settings are used.
 * @throws FwError `store` for a value that is not a pool, and for an option that is not valid.
 * @example
 * import { Pool } from "pg"
 * const store = postgresStore(new Pool({ connectionString: process.env.DATABASE_URL }))
 * app.use(rateLimit({ limit: 100, window: 60, store }))
 * await store.close()
 */
export function postgresStore(pool: PostgresPool, options: ServerStoreOptions = {}): Store {
  const { prefix, timeoutMs } = readServerOptions("postgresStore()", options, "fw_")
  // The prefix is part of the names of tables, which have at most 63 characters.
  if (!/^[a-z_][a-z0-9_]{0,29}$/.test(prefix))
    throw storeFault("store.argument", ["postgresStore()", "the prefix", prefix, "tables"])
  const database = new PostgresDatabase(pool, prefix, timeoutMs)
  const topics = new TopicSubscriptions(
    (receiver) => openListener(database.pool, prefix, receiver),
    postgresDialect,
    timeoutMs,
  )
  const engine: Engine<Capability> = {
    name: "postgres",
    kv: createKV(database),
    counter: createCounter(database),
    lock: createLock(database),
    topic: createTopic(database, topics),
    log: createLog(database),
    async close() {
      topics.close()
      await database.close()
    },
  }
  return createStore(engine)
}
