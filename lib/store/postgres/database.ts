/** Runs statements on PostgreSQL with a time limit, and creates the tables before the first one. */

import { withTimeout } from "../reconnector.ts"
import { type CallEffect, type StoreCall, StoreCalls } from "../store-calls.ts"
import { createPoolLike, type Pool, type PoolClient, type PostgresClient, postgresDialect, type Row } from "./client.ts"
import { cleanTablesSQL, createTablesSQL } from "./tables.ts"

/** The shortest and the longest pause, in milliseconds, between two attempts to connect. */
const [firstPauseMs, longestPauseMs] = [25, 500]
/** Number of writes between two statements that remove expired rows. */
const writesPerCleaning = 500

/** A connection that was taken from the pool. */
class TakenConnection {
  readonly client: PoolClient
  #isReturned = false

  constructor(client: PoolClient) {
    this.client = client
  }

  /**
   * Returns the connection to the pool. For a broken connection this may be called twice, after its time limit and
   * after its answer; the second call does nothing.
   */
  giveBack(isBroken: boolean): void {
    if (!this.#isReturned) this.client.release(isBroken)
    this.#isReturned = true
  }
}

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
  #tables: Promise<void> | undefined
  #hasTables = false
  #closePromise: Promise<void> | undefined
  #writeCount = 0
  /** The time of the first failed attempt to connect; infinite if the last attempt succeeded. */
  #failingSince = Number.POSITIVE_INFINITY

  constructor(poolOption: unknown, prefix: string, timeoutMs: number) {
    // With a pool of its own, the store works even if the program has used up all connections of its pool. The store
    // needs values as text, whatever the program has chosen.
    const changes = { connectionTimeoutMillis: timeoutMs, types: undefined, binary: false }
    this.pool = createPoolLike(poolOption, changes)
    this.prefix = prefix
    // Without listeners, Node ends the process when a connection fails. The next call on that connection reports the
    // error.
    this.pool.on("error", () => {})
    this.pool.on("connect", (client: PostgresClient) => client.on("error", () => {}))
    const drop = (late: object) => (late as TakenConnection).giveBack(true)
    this.calls = new StoreCalls(postgresDialect, timeoutMs, drop)
  }

  /** Runs a statement, and returns its rows. */
  query(call: string, effect: CallEffect, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    if (effect === "write" && ++this.#writeCount % writesPerCleaning === 0) void this.#removeExpired()
    return this.calls.run(call, effect, async (task) => this.#send(task, await this.#connect(task), text, values))
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
  async #send(
    task: StoreCall,
    connection: TakenConnection,
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    task.connection = connection
    try {
      const { rows } = await connection.client.query(text, values)
      connection.giveBack(false)
      return rows
    } catch (error) {
      connection.giveBack(!isConnectionUsable(error))
      throw error
    }
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
        const connection = new TakenConnection(await this.pool.connect())
        this.#failingSince = Number.POSITIVE_INFINITY
        if (!task.isOver) return connection
        connection.giveBack(false)
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
    const connection = new TakenConnection(await this.pool.connect())
    try {
      const work = async () => {
        // A user without the right to create tables can use tables that an administrator has created.
        const { rows } = await connection.client.query("SELECT to_regclass($1) AS found", [`${this.prefix}message`])
        if (rows[0]?.found === null) await connection.client.query(createTablesSQL(this.prefix))
      }
      await withTimeout(work(), this.calls.timeoutMs)
      this.#hasTables = true
      connection.giveBack(false)
    } catch (error) {
      connection.giveBack(true)
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
