/** `sqliteJobs()`: the embedded job engine, which several processes of one machine can share. */
import { checkKeys } from "../../lib/checks.ts"
import type {
  ClaimedJob,
  EngineSettings,
  FailedAttempt,
  JobEngine,
  JobFeature,
  JobFilter,
  JobQueue,
  JobRecord,
  JobState,
  NewJob,
} from "../../lib/jobs/engine.ts"
import { jobFault } from "../../lib/jobs/fault.ts"
import { describeType } from "../../lib/text.ts"
import type { Database, Queries } from "../db/database.ts"
import type { BoundValue } from "../store/database.ts"
import type { Row } from "../store/sqlite-file.ts"
import { type BoundStatement, type JobTables, openJobDatabase, openJobFile } from "./sqlite-tables.ts"

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

const features: ReadonlySet<JobFeature> = new Set(["concurrency", "concurrency by key", "priority", "steps", "unique"])
const states: readonly JobState[] = ["waiting", "running", "failed"]

const insert = `INSERT INTO fw_job (name, payload, due, priority, key, lane, most, scheduled) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING RETURNING id`

/**
 * Claims one job. For each name, the subquery finds the first job with an index, unless the name is paused or has
 * reached its limit. Running jobs are counted each time, so a process that has crashed cannot leave a wrong number
 * behind.
 */
const claimOne = `UPDATE fw_job SET state = 1, claim = claim + 1, beat = beat + 1, attempt = attempt + 1, progress = NULL,
    attempts = (SELECT json_extract(value, '$[2]') FROM json_each(?) WHERE json_extract(value, '$[0]') = fw_job.name)
  WHERE id = (
    SELECT j.id FROM (
      SELECT (
        SELECT w.id FROM fw_job w WHERE w.state = 0 AND w.name = json_extract(q.value, '$[0]') AND w.due <= ?
          AND (w.lane IS NULL OR (SELECT count(*) FROM fw_job r WHERE r.state = 1 AND r.lane = w.lane) < w.most)
        ORDER BY w.priority DESC, w.due, w.id LIMIT 1
      ) AS id
      FROM json_each(?) q
      WHERE (json_extract(q.value, '$[1]') IS NULL OR
          (SELECT count(*) FROM fw_job r WHERE r.state = 1 AND r.name = json_extract(q.value, '$[0]')) < json_extract(q.value, '$[1]'))
        AND NOT EXISTS (SELECT 1 FROM fw_job_queue p WHERE p.name = json_extract(q.value, '$[0]') AND p.paused = 1)
    ) f JOIN fw_job j ON j.id = f.id ORDER BY j.priority DESC, j.due, j.id LIMIT 1
  ) RETURNING id, claim, name, payload, attempt, scheduled, steps, priority`

/** Claims further jobs of the same name and priority as one that was claimed, if the name has no limit. */
const claimMore = `UPDATE fw_job SET state = 1, claim = claim + 1, beat = beat + 1, attempt = attempt + 1, progress = NULL,
    attempts = ?
  WHERE id IN (
    SELECT id FROM fw_job WHERE state = 0 AND name = ? AND priority = ? AND due <= ? AND lane IS NULL
    ORDER BY due, id LIMIT ?
  ) RETURNING id, claim, name, payload, attempt, scheduled, steps, priority`

/** A condition for the claims in a list of pairs. The list is passed as two parameters with the same value. */
const ofPairs = `WHERE state = 1 AND id IN (SELECT json_extract(value, '$[0]') FROM json_each(?)) AND claim =
  (SELECT json_extract(value, '$[1]') FROM json_each(?) WHERE json_extract(value, '$[0]') = fw_job.id)`
const ofClaim = "WHERE id = ? AND claim = ? AND state = 1"

function toInsert({ name, payload, due, priority, unique, group, most, scheduled }: NewJob): BoundStatement {
  // The name is part of the stored group, so that groups of different names never share a limit.
  const lane = group === undefined ? null : JSON.stringify([name, group])
  return [insert, [name, payload, due, priority, unique ?? null, lane, most ?? null, scheduled ?? null]]
}

/** The value that a claim had when this process last looked, and when it saw that value first. */
interface SeenClaim {
  readonly sign: string
  readonly at: number
}

/** Jobs that will be finished with one statement. */
interface Finishing {
  readonly jobs: ClaimedJob[]
  readonly isCurrent: Promise<(job: ClaimedJob) => boolean>
}

function toClaim(row: Row): ClaimedJob {
  return {
    id: String(row.id),
    claim: String(row.claim),
    name: String(row.name),
    payload: String(row.payload),
    attempt: Number(row.attempt),
    scheduled: row.scheduled === null ? undefined : Number(row.scheduled),
    steps: JSON.parse(String(row.steps)),
  }
}

class SqliteEngine implements JobEngine {
  readonly name = "sqlite"
  readonly features: ReadonlySet<JobFeature>
  readonly #options: SqliteJobsOptions
  #tables: JobTables | undefined
  #settings: EngineSettings | undefined
  #finishing: Finishing | undefined
  #seenClaims = new Map<number, SeenClaim>()

  constructor(options: SqliteJobsOptions) {
    this.#options = options
    this.features = options.database ? new Set([...features, "tx"]) : features
  }

  async open(settings: EngineSettings): Promise<void> {
    const { file = "data/jobs.db", database } = this.#options
    this.#settings = settings
    this.#tables ??= database ? await openJobDatabase(database) : openJobFile(file)
  }

  async #run(call: string, sql: string, values: readonly BoundValue[]): Promise<readonly Row[]> {
    return (this.#tables as JobTables).run(call, sql, values)
  }

  /** Runs a statement about a claimed job. Returns true if the claim is still valid. */
  async #change(call: string, set: string, values: readonly BoundValue[], { id, claim }: ClaimedJob): Promise<boolean> {
    const sql = `UPDATE fw_job SET ${set} ${ofClaim} RETURNING id`
    return (await this.#run(call, sql, [...values, Number(id), Number(claim)])).length > 0
  }

  async add(job: NewJob, tx?: unknown): Promise<string | null> {
    const [sql, values] = toInsert(job)
    const [row] = tx ? await (tx as Queries).query<Row>(sql, values) : await this.#run("jobs.add()", sql, values)
    return row ? String(row.id) : null
  }

  tick(name: string, time: number, last: number | null, job: NewJob | undefined): Promise<boolean> {
    const record: BoundStatement = [
      `INSERT INTO fw_job_queue (name, tick) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET tick = excluded.tick
        WHERE tick IS ? RETURNING name`,
      [name, time, last],
    ]
    const add: BoundStatement = job ? toInsert(job) : ["SELECT 1", []]
    return (this.#tables as JobTables).runBoth("schedules of jobs", record, add)
  }

  async lastTick(name: string): Promise<number | null> {
    const [row] = await this.#run("schedules of jobs", "SELECT tick FROM fw_job_queue WHERE name = ?", [name])
    return row?.tick == null ? null : Number(row.tick)
  }

  async claim(queues: readonly JobQueue[], most: number): Promise<readonly ClaimedJob[]> {
    const list = JSON.stringify(queues.map(({ name, most, attempts }) => [name, most ?? null, attempts]))
    const { clock } = this.#settings as EngineSettings
    const claims: ClaimedJob[] = []
    while (claims.length < most) {
      const [row] = await this.#run("the claim of a job", claimOne, [list, clock.now(), list])
      if (!row) break
      claims.push(toClaim(row))
      const queue = queues.find(({ name }) => name === row.name)
      if (!queue || queue.most !== undefined || queue.hasKeys || claims.length === most) continue
      const values = [queue.attempts, queue.name, Number(row.priority), clock.now(), most - claims.length]
      claims.push(...(await this.#run("the claim of a job", claimMore, values)).map(toClaim))
    }
    return claims
  }

  /** Runs a statement about several claims. Returns a function that says whether a claim is still valid. */
  async #changeAll(call: string, statement: string, claims: readonly ClaimedJob[]) {
    const pairs = JSON.stringify(claims.map(({ id, claim }) => [Number(id), Number(claim)]))
    const rows = await this.#run(call, `${statement} ${ofPairs} RETURNING id, claim`, [pairs, pairs])
    const found = new Set(rows.map(({ id, claim }) => `${id} ${claim}`))
    return ({ id, claim }: ClaimedJob) => found.has(`${id} ${claim}`)
  }

  async renew(claims: readonly ClaimedJob[]): Promise<readonly ClaimedJob[]> {
    const isCurrent = await this.#changeAll("the renewal of claims", "UPDATE fw_job SET beat = beat + 1", claims)
    return claims.filter((claim) => !isCurrent(claim))
  }

  /**
   * Finds claims that were not renewed for the time of a lease. Each process measures that time itself, because the
   * clock of the machine may jump, and the database does not store when a lease ends.
   */
  async reclaim(): Promise<void> {
    const { clock, leaseMs } = this.#settings as EngineSettings
    const rows = await this.#run("the search for lost jobs", "SELECT id, claim, beat FROM fw_job WHERE state = 1", [])
    const seen = new Map<number, SeenClaim>()
    for (const row of rows) {
      const [id, claim, beat] = [Number(row.id), Number(row.claim), Number(row.beat)]
      const sign = `${claim} ${beat}`
      const known = this.#seenClaims.get(id)
      const same = known?.sign === sign ? known : { sign, at: clock.elapsed() }
      seen.set(id, same)
      if (clock.elapsed() - same.at < leaseMs) continue
      const sql = `UPDATE fw_job SET state = iif(attempt >= attempts, 2, 0), due = ?, error = ?
        ${ofClaim} AND beat = ? RETURNING id`
      await this.#run("the search for lost jobs", sql, [
        clock.now(),
        jobFault("job_abandoned").message,
        id,
        claim,
        beat,
      ])
    }
    this.#seenClaims = seen
  }

  /** Finishes a job. Jobs that end in the same turn of the event loop are finished with one statement. */
  async finish(job: ClaimedJob): Promise<boolean> {
    this.#finishing ??= { jobs: [], isCurrent: new Promise(setImmediate).then(() => this.#finishAll()) }
    this.#finishing.jobs.push(job)
    return (await this.#finishing.isCurrent)(job)
  }

  #finishAll() {
    const { jobs } = this.#finishing as Finishing
    this.#finishing = undefined
    return this.#changeAll("the end of a job", "DELETE FROM fw_job", jobs)
  }

  fail(job: ClaimedJob, { error, retryAt }: FailedAttempt): Promise<boolean> {
    const state = retryAt === null ? 2 : 0
    return this.#change(
      "the end of a job",
      "state = ?, due = coalesce(?, due), error = ?",
      [state, retryAt && Math.round(retryAt), error],
      job,
    )
  }

  giveBack(job: ClaimedJob): Promise<boolean> {
    return this.#change("the return of a job", "state = 0, attempt = attempt - 1", [], job)
  }

  saveStep(job: ClaimedJob, step: string, result: string): Promise<boolean> {
    return this.#change("job.step()", "steps = json_patch(steps, json_object(?, ?))", [step, result], job)
  }

  saveProgress(job: ClaimedJob, progress: number): Promise<boolean> {
    return this.#change("job.progress()", "progress = ?", [progress], job)
  }

  async list(filter: JobFilter, most: number): Promise<readonly JobRecord[]> {
    const [where, values] = toCondition(filter)
    const sql = `SELECT * FROM fw_job WHERE ${where} ORDER BY id DESC LIMIT ?`
    const rows = await this.#run("the list of jobs", sql, [...values, most])
    return rows.map((row) => ({
      id: String(row.id),
      name: String(row.name),
      state: states[Number(row.state)] as JobState,
      payload: String(row.payload),
      attempt: Number(row.attempt),
      due: Number(row.due),
      ...(row.progress !== null && { progress: Number(row.progress) }),
      ...(row.error !== null && { error: String(row.error) }),
    }))
  }

  async count() {
    const rows = await this.#run(
      "the list of jobs",
      "SELECT name, state, count(*) AS n FROM fw_job GROUP BY name, state",
      [],
    )
    return rows.map(({ name, state, n }) => ({
      name: String(name),
      state: states[Number(state)] as JobState,
      count: Number(n),
    }))
  }

  async retry(filter: JobFilter): Promise<number> {
    const { clock } = this.#settings as EngineSettings
    const [where, values] = toCondition({ ...filter, state: "failed" })
    // A job stays failed if another job with the same unique key waits or runs.
    const sql = `UPDATE OR IGNORE fw_job SET state = 0, attempt = 0, due = ? WHERE ${where} RETURNING id`
    return (await this.#run("jobs retry", sql, [clock.now(), ...values])).length
  }

  async clear(filter: JobFilter): Promise<number> {
    const [where, values] = toCondition(filter)
    return (await this.#run("jobs clear", `DELETE FROM fw_job WHERE state <> 1 AND ${where} RETURNING id`, values))
      .length
  }

  async setPaused(name: string, isPaused: boolean): Promise<void> {
    const sql = `INSERT INTO fw_job_queue (name, paused) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET
      paused = excluded.paused RETURNING name`
    await this.#run("jobs pause", sql, [name, isPaused ? 1 : 0])
  }

  async listPaused(): Promise<readonly string[]> {
    const rows = await this.#run("the list of jobs", "SELECT name FROM fw_job_queue WHERE paused = 1", [])
    return rows.map(({ name }) => String(name))
  }

  async close(): Promise<void> {
    await this.#tables?.close()
  }
}

function toCondition({ name, id, state }: JobFilter): readonly [string, BoundValue[]] {
  const parts: readonly (readonly [string, BoundValue | undefined])[] = [
    ["name = ?", name],
    ["id = ?", id === undefined ? undefined : Number(id)],
    ["state = ?", state === undefined ? undefined : states.indexOf(state)],
  ]
  const given = parts.filter(([, value]) => value !== undefined)
  return [given.map(([sql]) => sql).join(" AND ") || "1", given.map(([, value]) => value as BoundValue)]
}

/**
 * Returns the job engine that needs no other service. Jobs are in a SQLite file that several processes of one machine
 * can share. It is the default, with the file `data/jobs.db`. Jobs survive a crash of the process. A power failure may
 * undo the last writes.
 *
 * @throws FwError `store` if there is no SQLite or the file cannot be opened, `job_options` for options that are not
 * valid.
 * @example
 * import { createClient } from "@libsql/client"
 * import { database } from "fw/db"
 * const db = database(createClient({ url: ":memory:" }))
 * setJobEngine(sqliteJobs({ database: db }))
 */
export function sqliteJobs(options: SqliteJobsOptions = {}): JobEngine {
  checkKeys(options, ["file", "database"], "job_options", "sqliteJobs()", { file: "string" })
  if (options.database !== undefined && typeof options.database?.query !== "function")
    throw jobFault("job_engine.database", [describeType(options.database)])
  return new SqliteEngine(options)
}
