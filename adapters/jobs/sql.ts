/** The common base of the job engines that use SQL. The engines themselves only add and claim jobs. */
import type {
  ClaimedJob,
  EngineSettings,
  FailedAttempt,
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
import { toJobData, toJobRecord } from "../../lib/jobs/job-data.ts"
import type { BoundValue } from "../store/database.ts"
import type { Row } from "../store/sqlite-file.ts"

/** The names of an engine's tables, and expressions for them in its SQL dialect, with `?` for values. */
export interface JobTables {
  readonly jobs: string
  /** The table with the columns `name`, `paused` and `tick`. */
  readonly queues: string
  /**
   * The values of the column `state`. Those of waiting jobs are less than `running`, and `running` is less than
   * `failed`.
   */
  readonly waiting: string
  readonly running: string
  readonly failed: string
  /** How often the job was claimed. A claim is valid only while this number stays the same. */
  readonly claim: string
  /** A text that changes with each renewal of a claim. */
  readonly sign: string
  /** The assignment that renews a claim. */
  readonly renew: string
  /** The assignments that set a value. The value for `due` comes from {@link SqlEngine.toDue}. */
  readonly setDue: string
  readonly setData: string
  /** The assignment after which the claims until now do not count as attempts. */
  readonly resetAttempts: string
  /** The time at which the job may run, in milliseconds since 1970. */
  readonly due: string
  /** The column with the unique key, and the column by which the newest job is found. */
  readonly key: string
  readonly order: string
}

/** Maximum number of jobs that one call changes. */
const maxChanged = 10_000

/** The sign of a claim when this process last looked, and the time when it first saw that sign. */
interface SeenClaim {
  readonly sign: string
  readonly at: number
}

/** Jobs that will be finished with one statement. */
interface Finishing {
  readonly jobs: ClaimedJob[]
  readonly isCurrent: Promise<(job: ClaimedJob) => boolean>
}

const toList = (values: readonly unknown[]) => `(${values.map(() => "?").join(", ")})`
const toFence = ({ id, claim }: Pick<ClaimedJob, "id" | "claim">) => `${id}:${claim}`
const readData = (data: unknown) => (typeof data === "string" ? JSON.parse(data) : data) as JobData

/** Returns the claimed job in a row. */
export function toClaim({ id, name, claim, data }: Row): ClaimedJob {
  const read = readData(data)
  return {
    ...read,
    id: String(id),
    name: String(name),
    claim: String(claim),
    attempt: Number(claim) - read.uncountedAttempts,
  }
}

/** A job engine that uses SQL. */
export abstract class SqlEngine implements JobEngine {
  abstract readonly name: string
  abstract readonly features: ReadonlySet<JobFeature>
  protected abstract readonly tables: JobTables
  #settings: EngineSettings | undefined
  #finishing: Finishing | undefined
  #seen = new Map<string, SeenClaim>()

  /** Runs one statement. Returns its rows. */
  protected abstract query(call: string, sql: string, values: readonly BoundValue[]): Promise<readonly Row[]>
  /** Returns the value to store for the time at which a job may run. */
  protected abstract toDue(at: number): number
  abstract add(job: NewJob, tx?: unknown): Promise<string | null>
  abstract tick(name: string, time: number, last: number | null, job: NewJob | undefined): Promise<boolean>
  abstract claim(queues: readonly JobQueue[], maxJobs: number): Promise<readonly ClaimedJob[]>
  abstract close(): Promise<void>

  async open(settings: EngineSettings): Promise<void> {
    this.#settings = settings
  }

  protected get settings(): EngineSettings {
    return this.#settings as EngineSettings
  }

  /**
   * Returns the statement that records a time of a schedule. It returns a row only if the last recorded time was
   * `last`.
   */
  protected toTick(name: string, time: number, last: number | null): readonly [string, BoundValue[]] {
    const sql = `INSERT INTO ${this.tables.queues} AS q (name, tick) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET tick = excluded.tick WHERE q.tick IS NOT DISTINCT FROM ? RETURNING name`
    return [sql, [name, time, last]]
  }

  async lastTick(name: string): Promise<number | null> {
    const sql = `SELECT tick FROM ${this.tables.queues} WHERE name = ?`
    const [row] = await this.query("schedules of jobs", sql, [name])
    return row?.tick == null ? null : Number(row.tick)
  }

  /**
   * Changes a claimed job. Returns true if the claim is still valid. @param sign if set, the claim must have this sign
   * too.
   */
  async #change(call: string, job: ClaimedJob, set: string, values: readonly BoundValue[], sign?: string) {
    const { jobs, running, claim, sign: column } = this.tables
    const sql = `UPDATE ${jobs} SET ${set} WHERE name = ? AND id = ? AND ${claim} = ? AND state = ${running}
      ${sign === undefined ? "" : `AND ${column} = ?`} RETURNING id`
    const fence = [job.name, job.id, Number(job.claim), ...(sign === undefined ? [] : [sign])]
    return (await this.query(call, sql, [...values, ...fence])).length > 0
  }

  /** Runs a statement about several claims. Returns a function that says whether a claim is still valid. */
  async #changeAll(call: string, statement: string, claims: readonly ClaimedJob[]) {
    const { running, claim } = this.tables
    const names = [...new Set(claims.map(({ name }) => name))]
    const fence = `CAST(id AS TEXT) || ':' || CAST(${claim} AS TEXT)`
    const sql = `${statement} WHERE name IN ${toList(names)} AND id IN ${toList(claims)} AND ${fence} IN ${toList(claims)}
      AND state = ${running} RETURNING ${fence} AS fence`
    const rows = await this.query(call, sql, [...names, ...claims.map(({ id }) => id), ...claims.map(toFence)])
    const found = new Set(rows.map(({ fence }) => fence))
    return (job: ClaimedJob) => found.has(toFence(job))
  }

  async renew(claims: readonly ClaimedJob[]): Promise<readonly ClaimedJob[]> {
    const { jobs, renew } = this.tables
    const isCurrent = await this.#changeAll("the renewal of claims", `UPDATE ${jobs} SET ${renew}`, claims)
    return claims.filter((claim) => !isCurrent(claim))
  }

  /**
   * Ends claims that were not renewed for the time of a lease, so that their jobs run again or have failed. Each
   * process measures that time itself, because the clock of a machine may jump, and the database does not store when a
   * lease ends.
   */
  async reclaim(): Promise<void> {
    const call = "the search for lost jobs"
    const { jobs, running, claim, sign } = this.tables
    const { clock, leaseMs, queues } = this.settings
    const from = `FROM ${jobs} WHERE state = ${running}`
    const rows = await this.query(call, `SELECT id, ${claim} AS claim, ${sign} AS sign ${from}`, [])
    const seen = new Map<string, SeenClaim>()
    for (const row of rows) {
      const key = toFence({ id: String(row.id), claim: String(row.claim) })
      const known = this.#seen.get(key)
      const same = known && known.sign === row.sign ? known : { sign: String(row.sign), at: clock.elapsed() }
      seen.set(key, same)
      if (clock.elapsed() - same.at < leaseMs) continue
      const [found] = await this.query(call, `SELECT id, name, data, ${claim} AS claim ${from} AND id = ?`, [
        String(row.id),
      ])
      if (!found || String(found.claim) !== String(row.claim)) continue
      const lost = toClaim(found)
      const isOver =
        lost.attempt >= (queues.find(({ name }) => name === lost.name)?.maxAttempts ?? Number.POSITIVE_INFINITY)
      const retryAt = isOver ? null : clock.now()
      await this.fail(lost, { error: jobFault("job_abandoned").message, retryAt }, same.sign)
    }
    this.#seen = seen
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
    return this.#changeAll("the end of a job", `DELETE FROM ${this.tables.jobs}`, jobs)
  }

  fail(job: ClaimedJob, { error, retryAt }: FailedAttempt, sign?: string): Promise<boolean> {
    const { waiting, failed, setDue, setData } = this.tables
    const set = retryAt === null ? `state = ${failed}` : `state = ${waiting}, ${setDue}`
    const due = retryAt === null ? [] : [this.toDue(retryAt)]
    const data = JSON.stringify(toJobData(job, { error }))
    return this.#change("the end of a job", job, `${set}, ${setData}`, [...due, data], sign)
  }

  giveBack(job: ClaimedJob): Promise<boolean> {
    const data = JSON.stringify(toJobData(job, { uncountedAttempts: job.uncountedAttempts + 1 }))
    return this.#change("the return of a job", job, `state = ${this.tables.waiting}, ${this.tables.setData}`, [data])
  }

  save(job: ClaimedJob): Promise<boolean> {
    return this.#change("the state of a job", job, this.tables.setData, [JSON.stringify(toJobData(job))])
  }

  #toState(state: JobState): string {
    const { waiting, running, failed } = this.tables
    return state === "waiting" ? `state < ${running}` : `state = ${{ waiting, running, failed }[state]}`
  }

  #toCondition({ name, id, state }: JobFilter): readonly [string, BoundValue[]] {
    const parts = [
      ...(name === undefined ? [] : ["name = ?"]),
      ...(id === undefined ? [] : ["CAST(id AS TEXT) = ?"]),
      ...(state === undefined ? [] : [this.#toState(state)]),
    ]
    return [parts.join(" AND ") || "true", [name, id].filter((value) => value !== undefined)]
  }

  /** The SQL expression for the state of a row: `waiting`, `running` or `failed`. */
  get #state(): string {
    const { running, failed } = this.tables
    return `CASE state WHEN ${running} THEN 'running' WHEN ${failed} THEN 'failed' ELSE 'waiting' END`
  }

  async list(filter: JobFilter, maxJobs: number): Promise<readonly JobRecord[]> {
    const { jobs, claim, due, order } = this.tables
    const [where, values] = this.#toCondition(filter)
    const sql = `SELECT id, name, data, ${claim} AS claim, ${this.#state} AS status, ${due} AS due FROM ${jobs}
      WHERE ${where} ORDER BY ${order} DESC LIMIT ?`
    const rows = await this.query("the list of jobs", sql, [...values, maxJobs])
    return rows.map((row) => toJobRecord(toClaim(row), row.status as JobState, Number(row.due)))
  }

  async count() {
    const sql = `SELECT name, ${this.#state} AS status, count(*) AS n FROM ${this.tables.jobs} GROUP BY 1, 2`
    const rows = await this.query("the list of jobs", sql, [])
    return rows.map(({ name, status, n }) => ({ name: String(name), state: status as JobState, count: Number(n) }))
  }

  async retry(filter: JobFilter): Promise<number> {
    const { jobs, waiting, running, failed, setDue, resetAttempts, key } = this.tables
    // A job stays failed if another job with the same unique key waits or runs.
    const sql = `UPDATE ${jobs} AS j SET state = ${waiting}, ${setDue}, ${resetAttempts}
      WHERE name = ? AND id = ? AND state = ${failed} AND NOT EXISTS (SELECT 1 FROM ${jobs} AS o
        WHERE o.name = j.name AND o.${key} = j.${key} AND o.state <= ${running}) RETURNING id`
    let count = 0
    for (const { name, id } of await this.list({ ...filter, state: "failed" }, maxChanged))
      count += (await this.query("jobs retry", sql, [this.toDue(this.settings.clock.now()), name, id])).length
    return count
  }

  async clear(filter: JobFilter): Promise<number> {
    const { jobs, running } = this.tables
    const [where, values] = this.#toCondition(filter)
    const sql = `DELETE FROM ${jobs} WHERE state <> ${running} AND ${where} RETURNING id`
    return (await this.query("jobs clear", sql, values)).length
  }

  async setPaused(name: string, isPaused: boolean): Promise<void> {
    const sql = `INSERT INTO ${this.tables.queues} (name, paused) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET paused = excluded.paused RETURNING name`
    await this.query("jobs pause", sql, [name, isPaused ? 1 : 0])
  }

  async listPaused(): Promise<readonly string[]> {
    const rows = await this.query("the list of jobs", `SELECT name FROM ${this.tables.queues} WHERE paused = 1`, [])
    return rows.map(({ name }) => String(name))
  }
}
