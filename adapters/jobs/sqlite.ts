/** `sqliteJobs()`: the embedded job engine, which several processes of one machine can share. */
import { checkKeys } from "../../lib/checks.ts"
import type { ClaimedJob, EngineSettings, JobEngine, JobFeature, JobQueue, NewJob } from "../../lib/jobs/engine.ts"
import { jobFault } from "../../lib/jobs/fault.ts"
import { createJobData } from "../../lib/jobs/job-data.ts"
import { describeType } from "../../lib/text.ts"
import type { Database, Queries } from "../db/database.ts"
import type { BoundValue } from "../store/database.ts"
import { type Row, SqliteFile } from "../store/sqlite-file.ts"
import { type JobTables, SqlEngine, toClaim } from "./sql.ts"

/**
 * Options of {@link sqliteJobs}.
 *
 * @example
 * const options: SqliteJobsOptions = { file: "data/jobs.db" }
 */
export interface SqliteJobsOptions {
  /** The path of the file. Its directory is created. Default: `data/jobs.db`. */
  readonly file?: string
  /**
   * The database of the program, which must be SQLite, in place of a file. Jobs can then be added in its transactions.
   */
  readonly database?: Database
}

/** The file of programs that do not choose one. */
export const defaultFile = "data/jobs.db"
const features: readonly JobFeature[] = ["concurrency", "concurrency by key", "priority", "steps", "unique"]

/**
 * `claim` grows each time a process claims the job, so that calls with an older claim have no effect. `beat` grows each
 * time the claim is renewed. `state` is 0 for a job that waits, 1 for a job that runs, and 2 for a job that has failed
 * for good.
 */
const schema = [
  `CREATE TABLE IF NOT EXISTS fw_job (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, data TEXT NOT NULL,
    state INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL, priority INTEGER NOT NULL, claim INTEGER NOT NULL DEFAULT 0,
    beat INTEGER NOT NULL DEFAULT 0, key TEXT, lane TEXT) STRICT`,
  "CREATE INDEX IF NOT EXISTS fw_job_next ON fw_job (state, name, priority DESC, due, id)",
  "CREATE INDEX IF NOT EXISTS fw_job_lane ON fw_job (name, lane) WHERE state = 1",
  "CREATE UNIQUE INDEX IF NOT EXISTS fw_job_key ON fw_job (name, key) WHERE state < 2",
  `CREATE TABLE IF NOT EXISTS fw_job_queue (name TEXT PRIMARY KEY, paused INTEGER NOT NULL DEFAULT 0,
    tick INTEGER) STRICT`,
]

const tables: JobTables = {
  jobs: "fw_job",
  queues: "fw_job_queue",
  waiting: "0",
  running: "1",
  failed: "2",
  claim: "claim",
  sign: "CAST(beat AS TEXT)",
  renew: "beat = beat + 1",
  setDue: "due = ?",
  setData: "data = ?",
  resetAttempts: "data = json_set(data, '$.uncountedAttempts', claim)",
  due: "due",
  key: "key",
  order: "id",
}

const insert = `INSERT INTO fw_job (name, data, due, priority, key, lane) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING RETURNING id`

/**
 * Claims one job. For each name, the subquery finds the first job with an index, unless the name is paused or has
 * reached its limit. Running jobs are counted each time, so a process that has crashed cannot leave a wrong number
 * behind.
 */
const claimOne = `UPDATE fw_job SET state = 1, claim = claim + 1, beat = beat + 1 WHERE id = (
    SELECT j.id FROM (
      SELECT (
        SELECT w.id FROM fw_job w WHERE w.state = 0 AND w.name = q.name AND w.due <= ?
          AND (NOT q.hasKeys OR
            (SELECT count(*) FROM fw_job r WHERE r.state = 1 AND r.name = w.name AND r.lane IS w.lane) < q.maxRunning)
        ORDER BY w.priority DESC, w.due, w.id LIMIT 1
      ) AS id
      FROM (SELECT value ->> 'name' AS name, value ->> 'maxRunning' AS maxRunning, value ->> 'hasKeys' AS hasKeys FROM json_each(?)) q
      WHERE (q.maxRunning IS NULL OR q.hasKeys OR (SELECT count(*) FROM fw_job r WHERE r.state = 1 AND r.name = q.name) < q.maxRunning)
        AND NOT EXISTS (SELECT 1 FROM fw_job_queue p WHERE p.name = q.name AND p.paused = 1)
    ) f JOIN fw_job j ON j.id = f.id ORDER BY j.priority DESC, j.due, j.id LIMIT 1
  ) RETURNING id, claim, name, data`

function toInsert(job: NewJob): readonly [string, BoundValue[]] {
  const { name, due, priority, unique = null, group = null } = job
  return [insert, [name, JSON.stringify(createJobData(job)), Math.round(due), priority, unique, group]]
}

/** The base of two engines: one uses a file, the other the database of the program. */
abstract class SqliteEngine extends SqlEngine {
  readonly name = "sqlite"
  protected readonly tables = tables

  protected toDue(at: number): number {
    return Math.round(at)
  }

  async add(job: NewJob, tx?: unknown): Promise<string | null> {
    const [sql, values] = toInsert(job)
    const [row] = tx ? await (tx as Queries).query<Row>(sql, values) : await this.query("jobs.add()", sql, values)
    return row ? String(row.id) : null
  }

  async claim(queues: readonly JobQueue[], maxJobs: number): Promise<readonly ClaimedJob[]> {
    const claims: ClaimedJob[] = []
    const values = [this.settings.clock.now(), JSON.stringify(queues)]
    while (claims.length < maxJobs) {
      const [row] = await this.query("the claim of a job", claimOne, values)
      if (!row) break
      claims.push(toClaim(row))
    }
    return claims
  }
}

/** A job engine with a file of its own. */
export class FileEngine extends SqliteEngine {
  readonly features = new Set(features)
  readonly #path: string
  readonly #call: string
  #file: SqliteFile | undefined

  /** @param call what uses the engine, for messages. */
  constructor(path: string, call: string) {
    super()
    this.#path = path
    this.#call = call
  }

  override async open(settings: EngineSettings): Promise<void> {
    await super.open(settings)
    this.#file ??= new SqliteFile(this.#path, {
      schema: schema.map((sql) => `${sql};`).join("\n"),
      call: this.#call,
    })
  }

  protected query(call: string, sql: string, values: readonly BoundValue[]): Promise<readonly Row[]> {
    return (this.#file as SqliteFile).writeAll(call, sql, values)
  }

  tick(name: string, time: number, last: number | null, job: NewJob | undefined): Promise<boolean> {
    return (this.#file as SqliteFile).transaction("schedules of jobs", (run) => {
      const isRecorded = run(...this.toTick(name, time, last)) !== undefined
      if (isRecorded && job) run(...toInsert(job))
      return isRecorded
    })
  }

  async close(): Promise<void> {
    this.#file?.close()
  }
}

class DatabaseEngine extends SqliteEngine {
  readonly features = new Set<JobFeature>([...features, "tx"])
  readonly #database: Database

  constructor(database: Database) {
    super()
    this.#database = database
  }

  override async open(settings: EngineSettings): Promise<void> {
    await super.open(settings)
    for (const sql of schema) await this.#database.query(sql)
  }

  protected query(_call: string, sql: string, values: readonly BoundValue[]): Promise<readonly Row[]> {
    return this.#database.query(sql, values)
  }

  tick(name: string, time: number, last: number | null, job: NewJob | undefined): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const isRecorded = (await tx.query(...this.toTick(name, time, last))).length > 0
      if (isRecorded && job) await this.add(job, tx)
      return isRecorded
    })
  }

  /** Closes nothing, because the program has opened the database and also closes it. */
  async close(): Promise<void> {}
}

/**
 * Returns the job engine that needs no other service. Jobs are in a SQLite file that several processes of one machine
 * can share. It is the default, with the file `data/jobs.db`. Jobs survive a crash of the process. A power failure may
 * undo the last writes.
 *
 * @throws FwError `store` if there is no SQLite or the file cannot be opened, `job_options` for options that are not
 * valid, `job_engine` for a database that is not SQLite.
 * @example
 * import { createClient } from "@libsql/client"
 * import { database } from "fw/db"
 * const db = database(createClient({ url: ":memory:" }))
 * setJobEngine(sqliteJobs({ database: db }))
 */
export function sqliteJobs(options: SqliteJobsOptions = {}): JobEngine {
  checkKeys(options, ["file", "database"], "job_options", "sqliteJobs()", { file: "string" })
  const { file = defaultFile, database } = options
  if (database === undefined) return new FileEngine(file, "sqliteJobs()")
  if (database?.engine !== "SQLite") throw jobFault("job_engine.database", [database?.engine ?? describeType(database)])
  return new DatabaseEngine(database)
}
