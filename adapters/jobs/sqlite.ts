/** `sqliteJobs()`: the embedded job engine, which several processes of one machine can share. */
import { checkKeys } from "../../lib/checks.ts"
import type { ClaimedJob, EngineSettings, JobEngine, JobFeature, JobQueue, NewJob } from "../../lib/jobs/engine.ts"
import { jobFault } from "../../lib/jobs/fault.ts"
import { describeType } from "../../lib/text.ts"
import { type Database, database, type Queries } from "../db/database.ts"
import { openSharedFile } from "../store/sqlite-file.ts"
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

const schema = [
  `CREATE TABLE IF NOT EXISTS fw_job (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, data TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'created', priority INTEGER NOT NULL, retry_count INTEGER NOT NULL DEFAULT -1,
    singleton_key TEXT, group_id TEXT, start_after INTEGER NOT NULL, created_on INTEGER NOT NULL, started_on INTEGER,
    heartbeat_on INTEGER NOT NULL DEFAULT 0) STRICT`,
  `CREATE INDEX IF NOT EXISTS fw_job_next ON fw_job (name, priority DESC, start_after, id)
    WHERE state IN ('created', 'retry')`,
  "CREATE INDEX IF NOT EXISTS fw_job_group ON fw_job (name, group_id) WHERE state = 'active'",
  "CREATE UNIQUE INDEX IF NOT EXISTS fw_job_key ON fw_job (name, singleton_key) WHERE state <> 'failed'",
  `CREATE TABLE IF NOT EXISTS fw_job_queue (name TEXT PRIMARY KEY, paused INTEGER NOT NULL DEFAULT 0,
    tick INTEGER) STRICT`,
]

const tables: JobTables = {
  jobs: "fw_job",
  queues: "fw_job_queue",
  renew: "heartbeat_on = heartbeat_on + 1",
  setDue: "start_after = ?",
  setData: "data = ?",
  due: "start_after",
}

const insert = `INSERT INTO fw_job (name, data, start_after, created_on, priority, singleton_key, group_id)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`

/**
 * Claims one job. For each name, the subquery finds the first job with an index, unless the name is paused or has
 * reached its limit. Running jobs are counted each time, so a process that has crashed cannot leave a wrong number
 * behind.
 */
const claimOne = `UPDATE fw_job SET state = 'active', retry_count = retry_count + 1, heartbeat_on = heartbeat_on + 1,
  started_on = ? WHERE id = (
    SELECT j.id FROM (
      SELECT (
        SELECT w.id FROM fw_job w WHERE w.state IN ('created', 'retry') AND w.name = q.name AND w.start_after <= ?
          AND (NOT q.hasKeys OR (SELECT count(*) FROM fw_job r
            WHERE r.state = 'active' AND r.name = w.name AND r.group_id IS w.group_id) < q.maxRunning)
        ORDER BY w.priority DESC, w.start_after, w.id LIMIT 1
      ) AS id
      FROM (SELECT value ->> 'name' AS name, value ->> 'maxRunning' AS maxRunning, value ->> 'hasKeys' AS hasKeys FROM json_each(?)) q
      WHERE (q.maxRunning IS NULL OR q.hasKeys OR (SELECT count(*) FROM fw_job r WHERE r.state = 'active' AND r.name = q.name) < q.maxRunning)
        AND NOT EXISTS (SELECT 1 FROM fw_job_queue p WHERE p.name = q.name AND p.paused = 1)
    ) f JOIN fw_job j ON j.id = f.id ORDER BY j.priority DESC, j.start_after, j.id LIMIT 1
  ) RETURNING id, retry_count + 1 AS claim, name, data`

class SqliteEngine extends SqlEngine {
  readonly name = "sqlite"
  readonly features: ReadonlySet<JobFeature>

  constructor(openDatabase: () => Database, ...others: readonly JobFeature[]) {
    super(tables, openDatabase)
    this.features = new Set(["concurrency", "concurrency by key", "priority", "steps", "unique", ...others])
  }

  override async open(settings: EngineSettings): Promise<void> {
    await super.open(settings)
    for (const sql of schema) await this.query(sql)
  }

  protected toDue(delay: number): number {
    return Math.round(this.settings.clock.now() + delay)
  }

  async add(job: NewJob, tx?: unknown): Promise<string | null> {
    const { name, data, delay, priority = 0, unique = null, group = null } = job
    const values = [name, JSON.stringify(data), this.toDue(delay), this.toDue(0), priority, unique, group]
    const [row] = await this.query(insert, values, tx as Queries | undefined)
    return row ? String(row.id) : null
  }

  async claim(queues: readonly JobQueue[], maxJobs: number): Promise<readonly ClaimedJob[]> {
    const claims: ClaimedJob[] = []
    const now = this.settings.clock.now()
    const values = [now, now, JSON.stringify(queues, ["name", "maxRunning", "hasKeys"])]
    while (claims.length < maxJobs) {
      const [row] = await this.query(claimOne, values)
      if (!row) break
      claims.push(toClaim(row))
    }
    return claims
  }

  async close(): Promise<void> {
    // The program has opened the database in whose transactions it adds jobs, and also closes it.
    if (!this.features.has("tx")) await this.database.close()
  }
}

/** Returns an engine with a file of its own. @param call what uses the engine, for messages. */
export function createFileEngine(path: string, call: string): JobEngine {
  return new SqliteEngine(() => database(openSharedFile(path, () => {}, call)))
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
  const { file = defaultFile, database: shared } = options
  if (shared === undefined) return createFileEngine(file, "sqliteJobs()")
  if (shared?.engine !== "SQLite") throw jobFault("job_engine.database", [shared?.engine ?? describeType(shared)])
  return new SqliteEngine(() => shared, "tx")
}
