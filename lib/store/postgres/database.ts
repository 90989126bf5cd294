/** Runs statements on PostgreSQL with a time limit, and creates the tables before the first one. */

import { withTimeout } from "../reconnector.ts"
import { type CallEffect, type StoreCall, StoreCalls } from "../store-calls.ts"
import { createPoolLike, type Pool, postgresDialect, type Row } from "./client.ts"
import { PooledConnections, type TakenConnection } from "./pooled-connections.ts"
import { cleanTablesSQL, createTablesSQL } from "./tables.ts"

/** The shortest and the longest pause, in milliseconds, between two attempts to connect. */
const [firstPauseMs, longestPauseMs] = [25, 500]
/** Number of writes between two statements that remove expired rows. */
const writesPerCleaning = 500

/** Returns true if a connection can still be used after an error. */
function isConnectionUsable(error: unknown): boolean {
  const reply = postgresDialect.classifyError(error)
  return reply !== undefined && reply !== "elsewhere"
}

/** A database that has the tables of a store. */
export class PostgresDatabase {
  readonly calls: StoreCalls
  readonly pool: Pool
  readonly prefix: string
  readonly #connections: PooledConnections
  #tables: Promise<void> | undefined
  #hasTables = false
  #closePromise: Promise<void> | undefined
  #writeCount = 0
  /** The time of the first failed attempt to connect; infinite if the last attempt succeeded. */
  #failingSince = Number.POSITIVE_INFINITY

  constructor(poolOption: unknown, prefix: string, timeoutMs: number) {
    this.pool = createPoolLike(poolOption, timeoutMs)
    this.prefix = prefix
    this.#connections = new PooledConnections(this.pool)
    const drop = (late: object) => this.#connections.giveBack(late as TakenConnection, true)
    this.calls = new StoreCalls(postgresDialect, timeoutMs, drop)
  }

  /** Runs a statement, and returns its rows. */
  query(call: string, effect: CallEffect, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    if (effect === "write" && ++this.#writeCount % writesPerCleaning === 0) void this.#removeExpired()
    return this.calls.run(call, effect, (task) => {
      const freeConnection = this.#hasTables ? this.#connections.takeFree() : undefined
      return freeConnection
        ? this.#send(task, freeConnection, text, values)
        : this.#connect(task).then((taken) => this.#send(task, taken, text, values))
    })
  }

  /** Ends all calls and connections. Does not wait for a connection that hangs. */
  close(): Promise<void> {
    this.calls.close()
    this.#closePromise ??= withTimeout(this.pool.end(), this.calls.timeoutMs).then(
      () => {},
      () => {},
    )
    return this.#closePromise
  }

  /** Sends a statement, and then gives the connection back. */
  #send(
    task: StoreCall,
    connection: TakenConnection,
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    task.connection = connection
    return new Promise((resolve, reject) => {
      // With a callback, pg creates no promises.
      connection.client.query(text, values, (error, result) => {
        this.#connections.giveBack(connection, error != null && !isConnectionUsable(error))
        if (error == null) resolve(result?.rows ?? [])
        else reject(error)
      })
    })
  }

  /** Returns a connection to a database with the tables. The caller must give it back. */
  async #connect(task: StoreCall): Promise<TakenConnection> {
    for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, pause * 2)) {
      try {
        if (!this.#hasTables) {
          this.#tables ??= this.#createTables().finally(() => {
            this.#tables = undefined
          })
          await this.#tables
        }
        const connection = await this.#connections.take(task)
        this.#failingSince = Number.POSITIVE_INFINITY
        if (!task.isOver) return connection
        this.#connections.giveBack(connection, false)
        throw new Error("the call was given up")
      } catch (cause) {
        task.problem = cause
        this.#failingSince = Math.min(this.#failingSince, performance.now())
        const isAway = performance.now() - this.#failingSince > this.calls.timeoutMs
        if (task.isOver || isAway || postgresDialect.classifyError(cause)) throw cause
      }
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }

  async #createTables(): Promise<void> {
    const connection = await this.#connections.take({ isOver: false })
    try {
      const work = async () => {
        // A user without the right to create tables can use tables that an administrator has created.
        const { rows } = await connection.client.query("SELECT to_regclass($1) AS found", [`${this.prefix}message`])
        if (rows[0]?.found === null) await connection.client.query(createTablesSQL(this.prefix))
      }
      await withTimeout(work(), this.calls.timeoutMs)
      this.#hasTables = true
      this.#connections.giveBack(connection, false)
    } catch (error) {
      this.#connections.giveBack(connection, true)
      throw error
    }
  }

  async #removeExpired(): Promise<void> {
    try {
      for (const text of cleanTablesSQL(this.prefix)) await this.query("cleaning", "read", text, [])
    } catch {
      // Expired rows are never returned, so they may stay until the next attempt.
    }
  }
}
