/** Opens connections to PostgreSQL with the settings of the program's pool. */

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

type OnEvent = (event: string, listener: (...args: never[]) => void) => unknown

/** The members of a connection of `pg` that fw uses. */
export interface PostgresClient {
  readonly on: OnEvent
  readonly connection?: { readonly stream?: Destroyable }
  connect(): Promise<unknown>
  end(): Promise<unknown>
  query(text: string, values?: readonly unknown[]): Promise<QueryResult>
}

/** A connection of a pool. */
export interface PoolClient extends PostgresClient {
  /** Returns the connection to the pool. @param isBroken true to close it. */
  release(isBroken?: boolean): void
}

/** The members of a pool of `pg` that fw uses. */
export interface Pool {
  readonly options: object
  readonly Client: new (options: object) => PostgresClient
  readonly on: OnEvent
  connect(): Promise<PoolClient>
  end(): Promise<unknown>
}

function ignoreError(): void {}

/**
 * Creates a pool with the settings of another one.
 *
 * @param changes settings that are different in the new pool.
 * @throws FwError `store` for a value that is not a pool.
 */
export function createPoolLike(pool: unknown, changes: object): Pool {
  const { constructor: Pool, options, connect, Client } = Object(pool) as Partial<Pool> & object
  if (typeof options !== "object" || typeof connect !== "function" || typeof Client !== "function")
    throw storeFault("store.postgres_pool", [pool])
  // `pg` makes the password not enumerable, so that nothing prints it. A copy of the descriptors contains it too.
  const settings = Object.defineProperties({}, Object.getOwnPropertyDescriptors(options))
  return new (Pool as new (options: object) => Pool)(Object.assign(settings, changes))
}

/** Closes a connection at once. */
export function destroyClient(client: PostgresClient): void {
  client.connection?.stream?.destroy()
  client.end().catch(ignoreError)
}

/**
 * The name of PostgreSQL for messages, and the meaning of its errors. PostgreSQL also sends an error when it closes a
 * connection (classes 08 and 57P); that is not an answer to the call.
 */
export const postgresDialect: Dialect = {
  engine: "PostgreSQL",
  classifyError(error) {
    const { code, severity } = Object(error) as { code?: unknown; severity?: unknown }
    if (typeof code !== "string" || severity === undefined || /^(?:08|57P|40003)/.test(code)) return undefined
    // Serialization failure and deadlock: two transactions were in conflict.
    if (code === "40001" || code === "40P01") return "again"
    return code === "25006" ? "elsewhere" : "refused"
  },
}
