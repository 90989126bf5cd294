/** Creates engines for PostgreSQL, with the package `pg` or `postgres`. */
import { createPoolLike, postgresDialect } from "../../lib/store/postgres/client.ts"
import type { Connection, Engine, QueryRow } from "./engine.ts"
import { databaseFault } from "./fault.ts"
import { loadOwnPackage } from "./own-package.ts"

/** The result of a statement in `pg`. For a text with several statements, `pg` returns a list of results. */
interface PgResult {
  readonly rows: readonly QueryRow[]
  readonly command: string
}

interface PgQueries {
  query(sql: string, values?: readonly unknown[]): Promise<PgResult | readonly PgResult[]>
}

interface PgClient extends PgQueries {
  on(event: "error", listener: () => void): unknown
  off(event: "error", listener: () => void): unknown
  /** @param isBroken true to close the connection. */
  release(isBroken?: boolean): void
}

/** The members of a pool of `pg` that fw uses. */
export interface PgPool extends PgQueries {
  readonly options: { readonly max?: number; readonly connectionString?: string }
  readonly Client?: { readonly prototype: { readonly query: { readonly __wrapped?: boolean } } }
  connect(): Promise<PgClient>
  end(): Promise<void>
}

interface PostgresQuery extends Promise<readonly QueryRow[]> {
  /** Allows several statements in one text. */
  simple(): PostgresQuery
}

interface PostgresQueries {
  unsafe(sql: string, values?: readonly unknown[]): PostgresQuery
}

/** The members of the function that `postgres()` returns, as far as fw uses them. */
export interface PostgresFunction extends PostgresQueries {
  readonly options: { readonly max?: number }
  begin<Result>(body: (sql: PostgresQueries) => Promise<Result>): Promise<Result>
  end(): Promise<void>
}

const isConflict = (error: unknown) => postgresDialect.classifyError(error) === "again"

function toPgConnection(client: PgQueries): Connection {
  return {
    async query(sql, values) {
      // Values are always passed, because `pg` would allow several statements without them.
      const result = await client.query(sql, values)
      return (Array.isArray(result) ? result.at(-1) : result).rows ?? []
    },
    script: (sql) => client.query(sql),
  }
}

/** Returns the engine of a pool of `pg`. */
export function createPgEngine(pool: PgPool): Engine {
  return {
    name: "PostgreSQL",
    connection: toPgConnection(pool),
    async transaction(body) {
      const client = await pool.connect()
      let isBroken = false
      // Without a listener, a connection that ends between two statements would end the process.
      const markBroken = () => {
        isBroken = true
      }
      client.on("error", markBroken)
      try {
        await client.query("BEGIN")
        const result = await body(toPgConnection(client))
        const { command } = (await client.query("COMMIT")) as PgResult
        // If a statement has failed and the function has caught its error, PostgreSQL undoes the transaction without an
        // error.
        if (command === "ROLLBACK") throw databaseFault("database.aborted")
        return result
      } catch (error) {
        await client.query("ROLLBACK").catch(markBroken)
        throw error
      } finally {
        client.off("error", markBroken)
        client.release(isBroken)
      }
    },
    isConflict,
    // `@opentelemetry/instrumentation` sets this property on functions that it wraps.
    isInstrumented: () => pool.Client?.prototype.query.__wrapped === true,
    maxConnections: pool.options.max,
    close: () => pool.end(),
    openOther(name) {
      const { connectionString: address } = pool.options
      const settings = address ? { connectionString: withDatabase(address, name) } : { database: name }
      return createPgEngine(createPoolLike(pool, settings) as object as PgPool)
    },
  }
}

/** Returns the URL of another database on the same server. */
export function withDatabase(address: string, name: string): string {
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}

function toPostgresConnection(sql: PostgresQueries): Connection {
  return {
    query: (text, values) => sql.unsafe(text, values),
    script: (text) => sql.unsafe(text).simple(),
  }
}

/** Returns the engine of `postgres`. */
export function createPostgresEngine(sql: PostgresFunction): Engine {
  return {
    name: "PostgreSQL",
    connection: toPostgresConnection(sql),
    transaction: (body) => sql.begin((inner) => body(toPostgresConnection(inner))),
    isConflict,
    maxConnections: sql.options.max,
    close: () => sql.end(),
    openOther(name) {
      const postgres = loadOwnPackage("postgres") as (options: object) => PostgresFunction
      return createPostgresEngine(postgres({ ...sql.options, database: name }))
    },
  }
}
