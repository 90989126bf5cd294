/** Connections to PostgreSQL, with the settings of the program's pool. */

import { storeFault } from "../fault.ts"
import type { Destroyable } from "../reconnector.ts"
import type { Dialect } from "../store-calls.ts"

/**
 * A pool of the package `pg`.
 *
 * @example
 * const pool: PostgresPool = { options: {}, connect: async () => undefined }
 */
export interface PostgresPool {
  readonly options: object
  connect(): Promise<unknown>
}

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>

/** The result of a statement. */
export interface QueryResult {
  readonly rows: readonly Row[]
}

type OnEvent = (event: string, listener: (...given: never[]) => void) => unknown

/** Parts of a connection of `pg`. */
export interface PostgresClient {
  readonly on: OnEvent
  readonly connection?: { readonly stream?: Destroyable }
  connect(): Promise<unknown>
  end(): Promise<unknown>
  query(text: string, values?: readonly unknown[]): Promise<QueryResult>
  query(
    text: string,
    values: readonly unknown[],
    callback: (error: unknown, result: QueryResult | undefined) => void,
  ): void
}

/** A connection of a pool. */
export interface PoolClient extends PostgresClient {
  /** Gives it back. @param isBroken true to end it. */
  release(isBroken?: boolean): void
}

/** Parts of a pool of `pg`. */
export interface Pool {
  readonly options: object
  readonly Client: new (options: object) => PostgresClient
  readonly on: OnEvent
  connect(): Promise<PoolClient>
  end(): Promise<unknown>
}

function ignoreError(): void {}

/**
 * Creates a pool with the settings of another. It has a time limit for connections, so that one that hangs does not keep its
 * place, and a program that uses up its own pool does not stop the store.
 *
 * @param limit milliseconds for a connection.
 * @throws FwError `store` for another object.
 */
export function createPoolLike(given: unknown, limit: number): Pool {
  const { constructor: Pool, options, connect, Client } = Object(given) as Partial<Pool> & object
  if (typeof options !== "object" || typeof connect !== "function" || typeof Client !== "function")
    throw storeFault("store.postgres_pool", [given])
  // The password is not enumerable, so that nothing prints it.
  const settings = Object.defineProperties({}, Object.getOwnPropertyDescriptors(options))
  // The store decides the form of answers.
  Object.assign(settings, { connectionTimeoutMillis: limit, types: undefined, binary: false })
  return new (Pool as new (options: object) => Pool)(settings)
}

/** Ends a connection at once. */
export function destroyClient(client: PostgresClient): void {
  client.connection?.stream?.destroy()
  client.end().catch(ignoreError)
}

/**
 * The name of PostgreSQL in messages, and the meaning of its errors. The end of a connection is not an answer, even if
 * PostgreSQL reports it as an error (classes 08 and 57P).
 */
export const postgresDialect: Dialect = {
  engine: "PostgreSQL",
  classifyError(error) {
    const { code, severity } = Object(error) as { code?: unknown; severity?: unknown }
    if (typeof code !== "string" || severity === undefined || /^(?:08|57P|40003)/.test(code)) return undefined
    // Two transactions could not be put in an order, or waited for each other.
    if (code === "40001" || code === "40P01") return "again"
    return code === "25006" ? "elsewhere" : "refused"
  },
}
