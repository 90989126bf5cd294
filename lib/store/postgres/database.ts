/** Runs statements on PostgreSQL within a time limit, and makes the tables when the first one runs. */
import { Calls, type Effect, type Task } from "../calls.ts"
import { inTime } from "../link.ts"
import { type Pool, poolLike, postgresDialect, type Row } from "./client.ts"
import { Connections, type Held } from "./connections.ts"
import { cleanTables, createTables } from "./tables.ts"

/** Milliseconds between two attempts to connect, from the first to the longest. */
const [firstPause, longestPause] = [25, 500]
/** Writes between two searches for what has expired. */
const cleanEvery = 500

/** Returns true for an error after which a connection can be used on. */
function leavesConnection(error: unknown): boolean {
  const reply = postgresDialect.replyOf(error)
  return reply !== undefined && reply !== "elsewhere"
}

/** A database with the tables of a store. */
export class Postgres {
  readonly calls: Calls
  readonly pool: Pool
  readonly prefix: string
  readonly #connections: Connections
  #tables: Promise<void> | undefined
  #hasTables = false
  #closing: Promise<void> | undefined
  #writes = 0
  /** The time since which no connection was made; infinite while there is one. */
  #failingSince = Number.POSITIVE_INFINITY

  constructor(given: unknown, prefix: string, limit: number) {
    this.pool = poolLike(given, limit)
    this.prefix = prefix
    this.#connections = new Connections(this.pool)
    const drop = (late: object) => this.#connections.give(late as Held, true)
    this.calls = new Calls(postgresDialect, limit, drop)
  }

  /** Runs a statement. Returns its rows. */
  query(call: string, effect: Effect, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    if (effect === "write" && ++this.#writes % cleanEvery === 0) void this.#clean()
    return this.calls.run(call, effect, (task) => {
      const free = this.#hasTables ? this.#connections.takeFree() : undefined
      return free
        ? this.#send(task, free, text, values)
        : this.#connect(task).then((held) => this.#send(task, held, text, values))
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

  /** Sends a statement, and gives the connection back. */
  #send(task: Task, held: Held, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    task.sentTo = held
    return new Promise((resolve, reject) => {
      // With a function, pg makes no promises of its own.
      held.client.query(text, values, (error, result) => {
        this.#connections.give(held, error != null && !leavesConnection(error))
        if (error == null) resolve(result?.rows ?? [])
        else reject(error)
      })
    })
  }

  /** Returns a connection to a database that has the tables. The caller must give it back. */
  async #connect(task: Task): Promise<Held> {
    for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
      try {
        if (!this.#hasTables) {
          this.#tables ??= this.#createTables().finally(() => {
            this.#tables = undefined
          })
          await this.#tables
        }
        const held = await this.#connections.take(task)
        this.#failingSince = Number.POSITIVE_INFINITY
        if (!task.isOver) return held
        this.#connections.give(held, false)
        throw new Error("the call was given up")
      } catch (cause) {
        task.problem = cause
        this.#failingSince = Math.min(this.#failingSince, performance.now())
        const isAway = performance.now() - this.#failingSince > this.calls.limit
        if (task.isOver || isAway || postgresDialect.replyOf(cause)) throw cause
      }
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }

  async #createTables(): Promise<void> {
    const held = await this.#connections.take({ isOver: false })
    try {
      const work = async () => {
        // A user who may not create tables can use those that an administrator has made.
        const { rows } = await held.client.query("SELECT to_regclass($1) AS found", [`${this.prefix}message`])
        if (rows[0]?.found === null) await held.client.query(createTables(this.prefix))
      }
      await inTime(work(), this.calls.limit)
      this.#hasTables = true
      this.#connections.give(held, false)
    } catch (error) {
      this.#connections.give(held, true)
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
