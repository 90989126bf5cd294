/** The common base of the job engines that use SQL. The engines themselves only add and claim jobs. */
import type {
  ClaimedJob,
  EngineSettings,
  JobData,
  JobEngine,
  JobFeature,
  JobFilter,
  JobQueue,
  JobRecord,
  JobState,
  NewJob,
} from "../../lib/jobs/engine.ts"
import { jobFault } from "../../lib/jobs/fault.ts"
import { maxChanged, toFence, toJobRecord } from "../../lib/jobs/job-data.ts"
import type { Database, Queries, QueryRow, TransactionOptions } from "../db/database.ts"

/**
 * The names of an engine's tables, and expressions for them in its SQL dialect, with `?` for values. The table of jobs
 * has columns of pg-boss: `state` is `created` or `retry` for a job that waits, `active` for one that runs, and `failed`
 * for one that has failed for good. `started_on` is null until the first claim, and `retry_count` counts the later ones.
 * `heartbeat_on` changes with each renewal of a claim.
 */
export interface JobTables {
  readonly jobs: string
  /** The table with the columns `name`, `paused` and `tick`. */
  readonly queues: string
  /** The assignment that renews a claim. */
  readonly renew: string
  /** The assignments that set a value. The value for `due` comes from {@link SqlEngine.toDue}. */
  readonly setDue: string
  readonly setData: string
  /** The time at which the job may run, in milliseconds since 1970. */
  readonly due: string
}

/** How often a transaction is repeated that was in conflict with that of another process. */
const maxTickRetries = 5
/** How often a job was claimed. A claim is valid only while this number stays the same. */
const claim = "CASE WHEN started_on IS NULL THEN 0 ELSE retry_count + 1 END"
/** The SQL expression for the {@link JobState} of a row. */
const stateOfRow = "CASE state WHEN 'active' THEN 'running' WHEN 'failed' THEN 'failed' ELSE 'waiting' END"

/** The sign of a claim when this process last looked, and the time when it first saw that sign. */
type SeenClaim = { readonly sign: unknown; readonly at: number }

const toList = (values: readonly unknown[]) => `(${values.map(() => "?").join(", ")})`

/** Returns the claimed job in a row. */
export function toClaim({ id, name, claim, data: stored }: QueryRow): ClaimedJob {
  const data = (typeof stored === "string" ? JSON.parse(stored) : stored) as JobData
  const attempt = Number(claim) - data.uncountedAttempts
  return { id: String(id), name: String(name), claim: String(claim), attempt, data }
}

/** Replaces the markers `?` in a statement by those of PostgreSQL. */
function numberMarkers(sql: string): string {
  let number = 0
  return sql.replace(/\?/g, () => `$${++number}`)
}

/** Returns the condition that a job fits a filter, and its values. */
function toCondition({ name, id, state }: JobFilter): readonly [string, readonly unknown[]] {
  const conditions = Object.entries({ name, "CAST(id AS TEXT)": id, [stateOfRow]: state })
  const given = conditions.filter(([, value]) => value !== undefined)
  return [given.map(([sql]) => `${sql} = ?`).join(" AND ") || "true", given.map(([, value]) => value)]
}

/** A job engine that uses SQL. */
export abstract class SqlEngine implements JobEngine {
  abstract readonly name: string
  abstract readonly features: ReadonlySet<JobFeature>
  protected readonly tables: JobTables
  readonly #openDatabase: () => Database
  // Both are set by `open()`.
  protected database!: Database
  protected settings!: EngineSettings
  /** Jobs that will be finished with one statement, and the ids of those whose claim was valid. */
  #finishing: ClaimedJob[] = []
  #finished: Promise<ReadonlySet<string>> | undefined
  #seen = new Map<string, SeenClaim>()

  constructor(tables: JobTables, openDatabase: () => Database) {
    this.tables = tables
    this.#openDatabase = openDatabase
  }

  /** Returns the value to store for the time at which a job may run. */
  protected abstract toDue(delay: number): number
  abstract add(job: NewJob, tx?: unknown): Promise<string | null>
  abstract claim(queues: readonly JobQueue[], maxJobs: number): Promise<readonly ClaimedJob[]>
  abstract close(): Promise<void>

  async open(settings: EngineSettings): Promise<void> {
    this.settings = settings
    this.database ??= this.#openDatabase()
  }

  /** Runs one statement, in a transaction if one is given. Returns its rows. */
  protected query(sql: string, values: readonly unknown[] = [], queries: Queries = this.database) {
    return queries.query(this.database.engine === "SQLite" ? sql : numberMarkers(sql), values)
  }

  tick(name: string, time: number, last: number | null, job: NewJob | undefined): Promise<boolean> {
    const sql = `INSERT INTO ${this.tables.queues} AS q (name, tick) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET tick = excluded.tick WHERE q.tick IS NOT DISTINCT FROM ? RETURNING name`
    const run = async (tx: Queries) => {
      const isRecorded = (await this.query(sql, [name, time, last], tx)).length > 0
      if (isRecorded && job) await this.add(job, tx)
      return isRecorded
    }
    return this.transact(run, { retries: maxTickRetries })
  }

  /** Runs a transaction that other processes may wait for. */
  protected transact<Result>(run: (tx: Queries) => Promise<Result>, options?: TransactionOptions): Promise<Result> {
    return this.database.transaction(run, options)
  }

  async lastTick(name: string): Promise<number | null> {
    const [row] = await this.query(`SELECT tick FROM ${this.tables.queues} WHERE name = ?`, [name])
    return row?.tick == null ? null : Number(row.tick)
  }

  /** Runs a statement about claimed jobs. Returns the ids of those whose claim is still valid. */
  async #change(statement: string, values: readonly unknown[], claims: readonly ClaimedJob[]): Promise<Set<string>> {
    const names = [...new Set(claims.map(({ name }) => name))]
    // A list and not conditions joined by OR, of which SQLite takes fewer than a thousand.
    const sql = `${statement} WHERE name IN ${toList(names)} AND id IN ${toList(claims)} AND state = 'active'
      AND CAST(id AS TEXT) || ':' || CAST(${claim} AS TEXT) IN ${toList(claims)} RETURNING id`
    const rows = await this.query(sql, [...values, ...names, ...claims.map(({ id }) => id), ...claims.map(toFence)])
    return new Set(rows.map(({ id }) => String(id)))
  }

  async #set(job: ClaimedJob, assignments: string, values: readonly unknown[] = []): Promise<boolean> {
    return (await this.#change(`UPDATE ${this.tables.jobs} SET ${assignments}`, values, [job])).has(job.id)
  }

  renew(job: ClaimedJob): Promise<boolean> {
    return this.#set(job, this.tables.renew)
  }

  /**
   * Ends claims that were not renewed for the time of a lease, so that their jobs run again or have failed. Each
   * process measures that time itself, because the clock of a machine may jump, and the database does not store when a
   * lease ends.
   */
  async reclaim(): Promise<void> {
    const { clock, leaseMs, queues } = this.settings
    const seen = new Map<string, SeenClaim>()
    const sql = `SELECT id, name, data, ${claim} AS claim, CAST(heartbeat_on AS TEXT) AS sign FROM ${this.tables.jobs}
      WHERE state = 'active'`
    for (const row of await this.query(sql)) {
      const job = toClaim(row)
      const key = toFence(job)
      const known = this.#seen.get(key)
      const same = known && known.sign === row.sign ? known : { sign: row.sign, at: clock.elapsed() }
      seen.set(key, same)
      if (clock.elapsed() - same.at < leaseMs) continue
      const queue = queues.find(({ name }) => name === job.name)
      job.data.error = jobFault("job_abandoned").message
      await this.release(job, queue && job.attempt >= queue.maxAttempts ? null : 0)
    }
    this.#seen = seen
  }

  /** Finishes a job. Jobs that end in the same turn of the event loop are finished with one statement. */
  async finish(job: ClaimedJob): Promise<boolean> {
    this.#finishing.push(job)
    this.#finished ??= new Promise(setImmediate).then(() => {
      this.#finished = undefined
      return this.#change(`DELETE FROM ${this.tables.jobs}`, [], this.#finishing.splice(0))
    })
    return (await this.#finished).has(job.id)
  }

  release(job: ClaimedJob, delay: number | null): Promise<boolean> {
    const { setData, setDue } = this.tables
    const data = JSON.stringify(job.data)
    if (delay === null) return this.#set(job, `${setData}, state = 'failed'`, [data])
    return this.#set(job, `${setData}, state = 'retry', ${setDue}`, [data, this.toDue(delay)])
  }

  save(job: ClaimedJob): Promise<boolean> {
    return this.#set(job, this.tables.setData, [JSON.stringify(job.data)])
  }

  async #select(filter: JobFilter, maxJobs: number) {
    const { jobs, due } = this.tables
    const [where, values] = toCondition(filter)
    const sql = `SELECT id, name, data, ${claim} AS claim, ${stateOfRow} AS status, ${due} AS due FROM ${jobs}
      WHERE ${where} ORDER BY created_on DESC, id DESC LIMIT ?`
    return this.query(sql, [...values, maxJobs])
  }

  async list(filter: JobFilter, maxJobs: number): Promise<readonly JobRecord[]> {
    const rows = await this.#select(filter, maxJobs)
    return rows.map((row) => toJobRecord(toClaim(row), row.status as JobState, Number(row.due)))
  }

  async count() {
    const sql = `SELECT name, ${stateOfRow} AS status, count(*) AS n FROM ${this.tables.jobs} GROUP BY 1, 2`
    const rows = await this.query(sql)
    return rows.map(({ name, status, n }) => ({ name: String(name), state: status as JobState, count: Number(n) }))
  }

  async retry(filter: JobFilter): Promise<number> {
    const { jobs, setDue, setData } = this.tables
    // A job stays failed if another job with the same unique key waits or runs.
    const sql = `UPDATE ${jobs} AS j SET state = 'retry', ${setDue}, ${setData}
      WHERE name = ? AND id = ? AND state = 'failed' AND NOT EXISTS (SELECT 1 FROM ${jobs} AS o WHERE o.name = j.name
        AND o.singleton_key = j.singleton_key AND o.state IN ('created', 'retry', 'active')) RETURNING id`
    let count = 0
    for (const row of await this.#select({ ...filter, state: "failed" }, maxChanged)) {
      const { name, id, claim, data } = toClaim(row)
      // The claims until now no longer count as attempts.
      const newData = JSON.stringify({ ...data, uncountedAttempts: Number(claim) })
      count += (await this.query(sql, [this.toDue(0), newData, name, id])).length
    }
    return count
  }

  async clear(filter: JobFilter): Promise<number> {
    const [where, values] = toCondition(filter)
    const sql = `DELETE FROM ${this.tables.jobs} WHERE state <> 'active' AND ${where} RETURNING id`
    return (await this.query(sql, values)).length
  }

  async setPaused(name: string, isPaused: boolean): Promise<void> {
    const sql = `INSERT INTO ${this.tables.queues} (name, paused) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET paused = excluded.paused RETURNING name`
    await this.query(sql, [name, isPaused ? 1 : 0])
  }

  async listPaused(): Promise<readonly string[]> {
    const rows = await this.query(`SELECT name FROM ${this.tables.queues} WHERE paused = 1`)
    return rows.map(({ name }) => String(name))
  }
}
