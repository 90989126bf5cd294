/** Recognises the database client that a program passes, and creates an engine for it. */
import { describeType } from "../../lib/text.ts"
import type { Database as SyncDatabase } from "../store/database.ts"
import type { Engine } from "./engine.ts"
import { databaseFault } from "./fault.ts"
import { createPgEngine, createPostgresEngine, type PgPool, type PostgresFunction } from "./postgres.ts"
import { createLibsqlEngine, createSqliteEngine, type LibsqlClient } from "./sqlite.ts"

/**
 * A client for {@link database}: a `Pool` of the package `pg`, the function of `postgres`, a `DatabaseSync` of
 * `node:sqlite`, a `Database` of `better-sqlite3` or `bun:sqlite`, or a client of `@libsql/client`.
 *
 * @example
 * import { Pool } from "pg"
 * const client: DatabaseClient = new Pool({ connectionString: process.env.DATABASE_URL })
 */
// biome-ignore lint/complexity/noBannedTypes: postgres() returns a function with properties.
export type DatabaseClient = object | Function

/** Returns the engine for a client. @throws FwError `database` for a value that is not such a client. */
export function createEngine(client: unknown): Engine {
  const hasMethods = (...names: readonly string[]) =>
    names.every((name) => typeof (Object(client) as Record<string, unknown>)[name] === "function")
  if (hasMethods("unsafe", "begin", "end")) return createPostgresEngine(client as PostgresFunction)
  if (hasMethods("execute", "executeMultiple", "transaction")) return createLibsqlEngine(client as LibsqlClient)
  if (hasMethods("exec", "prepare", "close")) return createSqliteEngine(client as SyncDatabase)
  // A single `Client` of pg is refused below: during a transaction of one request, the statements of all other requests
  // would be part of it.
  if (hasMethods("connect", "query", "Client")) return createPgEngine(client as PgPool)
  throw databaseFault("database.client", [describeType(client)])
}
