/** Runs statements on PostgreSQL within a time limit, and makes the tables when the first one runs. */
import { Calls, type Effect, type Task } from "../calls.ts"
import { inTime } from "../link.ts"
import { isReply, type Pool, type PoolClient, poolLike, type Row } from "./client.ts"
import { cleanTables, createTables } from "./tables.ts"

/** Milliseconds between two attempts to connect, from the first to the longest. */
const [firstPause, longestPause] = [25, 500]
/** Writes between two searches for what has expired. */
const cleanEvery = 500

/** A database with the tables of a store. */
export class Postgres {
  readonly calls: Calls
  readonly pool: Pool
  readonly prefix: string
  #tables: Promise<void> | undefined
  #closing: Promise<void> | undefined
  #writes = 0
  /** The time since which no connection was made; infinite while there is one. */
  #failingSince = Number.POSITIVE_INFINITY
  readonly #released = new WeakSet<object>()

  constructor(given: unknown, prefix: string, limit: number) {
    this.pool = poolLike(given, limit)
    this.prefix = prefix
    this.calls = new Calls("PostgreSQL", limit, isReply, (late) => this.#release(late as PoolClient, true))
  }

  /** Runs a statement. Returns its rows. */
  query(call: string, effect: Effect, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    if (effect === "write" && ++this.#writes % cleanEvery === 0) void this.#clean()
    return this.calls.run(call, effect, async (task) => {
      const client = await this.#connect(task)
      try {
        task.sentTo = client
        const { rows } = await client.query({ text, values })
        this.#release(client, false)
        return rows
      } catch (error) {
        this.#release(client, !isReply(error))
        throw error
      }
    })
  }

  /** Ends the calls and the connections. One that hangs is not waited for. */
  close(): Promise<void> {
    this.calls.close()
    this.#closing ??= inTime(this.pool.end(), this.calls.limit).then(
      () => {},
      () => {},
    )
    return this.#closing
  }

  /** Gives a connection back once: the end of its time and its answer may both do so. */
  #release(client: PoolClient, isBroken: boolean): void {
    const turn = client.release
    if (this.#released.has(turn)) return
    this.#released.add(turn)
    client.release(isBroken)
  }

  /** Returns a connection to a database that has the tables. The caller must release it. */
  async #connect(task: Task): Promise<PoolClient> {
    for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
      try {
        this.#tables ??= this.#createTables().catch((error) => {
          this.#tables = undefined
          throw error
        })
        await this.#tables
        const client = await this.pool.connect()
        this.#failingSince = Number.POSITIVE_INFINITY
        if (!task.isOver) return client
        this.#release(client, false)
        throw new Error("the call was given up")
      } catch (cause) {
        task.problem = cause
        this.#failingSince = Math.min(this.#failingSince, performance.now())
        const isAway = performance.now() - this.#failingSince > this.calls.limit
        if (task.isOver || isAway || isReply(cause)) throw cause
      }
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }

  async #createTables(): Promise<void> {
    const client = await this.pool.connect()
    try {
      const work = async () => {
        // A user who may not create tables can use those that an administrator has made.
        const { rows } = await client.query({
          text: "SELECT to_regclass($1) AS found",
          values: [`${this.prefix}message`],
        })
        if (rows[0]?.found === null) await client.query({ text: createTables(this.prefix) })
      }
      await inTime(work(), this.calls.limit)
      this.#release(client, false)
    } catch (error) {
      this.#release(client, true)
      throw error
    }
  }

  async #clean(): Promise<void> {
    try {
      for (const text of cleanTables(this.prefix)) await this.query("cleaning", "read", text, [])
    } catch {
      // What has expired is never returned, so it can stay until the next time.
    }
  }
}
