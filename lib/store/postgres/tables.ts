/** The SQL for the tables of a store. */

/** Returns the statements that create the tables, in one transaction. */
export function createTablesSQL(prefix: string): string {
  // The lock is for processes that start at the same time, because `IF NOT EXISTS` can fail then.
  return `SELECT pg_advisory_xact_lock(hashtext('${prefix}tables'));
CREATE TABLE IF NOT EXISTS ${prefix}kv (key text PRIMARY KEY, value text NOT NULL, expires timestamptz NOT NULL);
CREATE INDEX IF NOT EXISTS ${prefix}kv_expires ON ${prefix}kv (expires);
CREATE TABLE IF NOT EXISTS ${prefix}counter (key text PRIMARY KEY, count bigint NOT NULL, expires timestamptz NOT NULL);
CREATE INDEX IF NOT EXISTS ${prefix}counter_expires ON ${prefix}counter (expires);
CREATE SEQUENCE IF NOT EXISTS ${prefix}token;
CREATE TABLE IF NOT EXISTS ${prefix}lock (key text PRIMARY KEY, token bigint NOT NULL, expires timestamptz NOT NULL);
CREATE INDEX IF NOT EXISTS ${prefix}lock_expires ON ${prefix}lock (expires);
CREATE TABLE IF NOT EXISTS ${prefix}log (name text PRIMARY KEY, epoch bigint NOT NULL, first bigint NOT NULL, last bigint NOT NULL, expires timestamptz NOT NULL);
CREATE INDEX IF NOT EXISTS ${prefix}log_expires ON ${prefix}log (expires);
CREATE TABLE IF NOT EXISTS ${prefix}log_entry (log text NOT NULL, epoch bigint NOT NULL, number bigint NOT NULL, data text NOT NULL, PRIMARY KEY (log, epoch, number));
CREATE TABLE IF NOT EXISTS ${prefix}message (id bigserial PRIMARY KEY, data text NOT NULL, expires timestamptz NOT NULL);
CREATE INDEX IF NOT EXISTS ${prefix}message_expires ON ${prefix}message (expires)`
}

/**
 * Returns statements that remove some expired rows. Processes that clean up at the same time skip each other's rows.
 */
export function cleanTablesSQL(prefix: string): readonly string[] {
  const createCleaningSQL = (table: string, key: string, expired: string) =>
    `DELETE FROM ${prefix}${table} WHERE ${key} IN (SELECT ${key} FROM ${prefix}${table} WHERE ${expired} LIMIT 1000 FOR UPDATE SKIP LOCKED)`
  return [
    createCleaningSQL("kv", "key", "expires <= now()"),
    createCleaningSQL("counter", "key", "expires <= now()"),
    // Rows of locks stay for a day. A new holder must get a larger token than the last one, which is in the row.
    createCleaningSQL("lock", "key", "expires <= now() - interval '1 day'"),
    `WITH gone AS (DELETE FROM ${prefix}log WHERE name IN (SELECT name FROM ${prefix}log WHERE expires <= now() LIMIT 100 FOR UPDATE SKIP LOCKED) RETURNING name, epoch)
DELETE FROM ${prefix}log_entry USING gone WHERE log = gone.name AND ${prefix}log_entry.epoch <= gone.epoch`,
    createCleaningSQL("message", "id", "expires <= now()"),
  ]
}
