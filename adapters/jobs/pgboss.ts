/** `pgbossJobs()`: stores jobs in PostgreSQL, with the package pg-boss of the application. */
import { createHash } from "node:crypto"
import type { Db, Job, PgBoss } from "pg-boss"
import { checkKeys } from "../../lib/checks.ts"
import type { ClaimedJob, EngineSettings, JobEngine, JobFeature, JobQueue, NewJob } from "../../lib/jobs/engine.ts"
import { jobFault } from "../../lib/jobs/fault.ts"
import type { Database, Queries, TransactionOptions } from "../db/database.ts"
import type { PackageClass } from "./package-class.ts"
import { type JobTables, SqlEngine, toClaim } from "./sql.ts"

/**
 * Options of {@link pgbossJobs}.
 *
 * @example
 * import { database } from "fw/db"
 * import { Pool } from "pg"
 * class PgBoss {} // import { PgBoss } from "pg-boss"
 * const db = database(new Pool({ connectionString: process.env.DATABASE_URL }))
 * const options: PgbossJobsOptions = { PgBoss, database: db }
 */
export interface PgbossJobsOptions {
  /** The class `PgBoss` of the package. */
  readonly PgBoss: PackageClass
  /**
   * The database of the program. It must be PostgreSQL. Jobs can be added in its transactions, and the program closes
   * it.
   */
  readonly database: Database
  /** The schema of the tables. Default: `fw_jobs`. */
  readonly schema?: string
}

/** The first number of the lock that a process holds while it creates the tables. */
const lockNumber = 0x66_77_6a

function createTables(schema: string): JobTables {
  return {
    jobs: `${schema}.job`,
    queues: `${schema}.fw_queue`,
    renew: "heartbeat_on = clock_timestamp()",
    setDue: "start_after = now() + ?::float8 * interval '1 ms'",
    setData: "data = ?::text::jsonb",
    due: "round(extract(epoch FROM start_after) * 1000)",
  }
}

/** Returns a short digest of a text. Unlike the text, it always fits into an index. */
const toKey = (text: string) => createHash("sha256").update(text).digest("hex")

const toBossDatabase = (queries: Queries): Db => ({
  executeSql: async (text, values) => ({ rows: [...(await queries.query(text, values))] }),
})

/**
 * A clock whose timers do not keep the process alive. Otherwise a test that adds a job would never end, because nothing
 * stops pg-boss there.
 */
const quietClock = {
  now: () => Date.now(),
  setTimeout: (run: () => void, ms: number) => setTimeout(run, ms).unref(),
  clearTimeout: (timer: NodeJS.Timeout) => clearTimeout(timer),
  setInterval: (run: () => void, ms: number) => setInterval(run, ms).unref(),
  clearInterval: (timer: NodeJS.Timeout) => clearInterval(timer),
}

class PgbossEngine extends SqlEngine {
  readonly name = "pg-boss"
  readonly features = new Set<JobFeature>(["concurrency", "concurrency by key", "priority", "tx", "steps", "unique"])
  readonly #boss: PgBoss

  constructor({ PgBoss, database, schema }: Required<PgbossJobsOptions>) {
    super(createTables(schema), () => database)
    const roles = { supervise: false, schedule: false, registerInstance: false }
    const options = { db: toBossDatabase(database), schema, clock: quietClock, ...roles }
    this.#boss = new PgBoss(...([options] as never[])) as PgBoss
  }

  override async open(settings: EngineSettings): Promise<void> {
    await super.open(settings)
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
    if (major < 22 || (major === 22 && minor < 12)) throw jobFault("job_engine.pgboss_node", [process.versions.node])
    const boss = this.#boss
    // Without a listener, Node would end the process. Calls fail after such an error too, and the runner reports that.
    boss.on("error", () => {})
    await boss.start()
    for (const { name } of settings.queues) await boss.createQueue(name, { policy: "exclusive" })
    await this.transact(async (tx) => {
      await tx.query("SELECT pg_advisory_xact_lock($1)", [lockNumber])
      await tx.query(`CREATE TABLE IF NOT EXISTS ${this.tables.queues} (name text PRIMARY KEY,
        paused integer NOT NULL DEFAULT 0, tick bigint)`)
      for (const { name } of settings.queues)
        await tx.query(`INSERT INTO ${this.tables.queues} (name) VALUES ($1) ON CONFLICT DO NOTHING`, [name])
    })
  }

  /** Returns the delay itself and not a time, because the server's clock may differ. */
  protected toDue(delay: number): number {
    return delay
  }

  async add(job: NewJob, tx?: unknown): Promise<string | null> {
    const { name, data, delay, priority = 0, unique, group = "" } = job
    const options = {
      priority,
      // Each queue runs only one job per key at a time, so a job without a key gets one of its own.
      singletonKey: unique === undefined ? crypto.randomUUID() : toKey(unique),
      group: { id: toKey(group) },
      ...(delay > 0 && { startAfter: delay / 1000 }),
      ...(tx !== undefined && { db: toBossDatabase(tx as Queries) }),
    }
    return this.#boss.send(name, data, options)
  }

  async claim(queues: readonly JobQueue[], maxJobs: number): Promise<readonly ClaimedJob[]> {
    const claims: ClaimedJob[] = []
    const paused = await this.listPaused()
    for (const { name, maxRunning } of queues) {
      const batchSize = maxJobs - claims.length
      if (batchSize === 0) break
      if (paused.includes(name)) continue
      const jobs = await (maxRunning === undefined
        ? this.#boss.fetch(name, { batchSize })
        : this.#fetchLimited(name, maxRunning, batchSize))
      for (const { id, data, retryCount } of jobs) claims.push(toClaim({ id, name, data, claim: retryCount + 1 }))
    }
    return claims
  }

  /**
   * Claims of jobs with the same name run one after the other, so that each process counts the claims of the others.
   */
  #fetchLimited(name: string, maxRunning: number, batchSize: number): Promise<readonly Job<unknown>[]> {
    return this.transact(async (tx) => {
      // The count must include what other processes have committed, whatever isolation level is the default of the
      // server.
      await tx.query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
      await tx.query(`SELECT 1 FROM ${this.tables.queues} WHERE name = $1 FOR UPDATE`, [name])
      const found: Job<unknown>[] = []
      const options = { batchSize: 1, groupConcurrency: maxRunning, db: toBossDatabase(tx) }
      while (found.length < batchSize) {
        const [job] = await this.#boss.fetch(name, options)
        if (!job) break
        found.push(job)
      }
      return found
    })
  }

  /** A process that is stopped inside the transaction must not keep the others waiting, so PostgreSQL ends it then. */
  protected override transact<Result>(
    run: (tx: Queries) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result> {
    return super.transact(async (tx) => {
      await tx.query("SET LOCAL idle_in_transaction_session_timeout = '5s'")
      return run(tx)
    }, options)
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false })
  }
}

/**
 * Returns the job engine for PostgreSQL. It uses pg-boss 12, which the application installs. Jobs can be added in
 * transactions of the program. The retry counter of pg-boss protects a claim: it changes when another process claims the job.
 *
 * @throws FwError `job_engine` without the class of pg-boss and for a database that is not PostgreSQL, `job_options` for
 * options that are not valid; at the start of the jobs, `job_engine` on a Node older than 22.12.
 * @example
 * import { database } from "fw/db"
 * import { Pool } from "pg"
 * class PgBoss {} // import { PgBoss } from "pg-boss"
 * const db = database(new Pool({ connectionString: process.env.DATABASE_URL }))
 * setJobEngine(pgbossJobs({ PgBoss, database: db }))
 */
export function pgbossJobs(options: PgbossJobsOptions): JobEngine {
  checkKeys(options, ["PgBoss", "database", "schema"], "job_options", "pgbossJobs()", {
    PgBoss: "function",
    schema: "string",
  })
  const { PgBoss, database, schema = "fw_jobs" } = options as Partial<PgbossJobsOptions>
  if (!PgBoss || database?.engine !== "PostgreSQL") throw jobFault("job_engine.pgboss")
  if (!/^[a-z_][a-z0-9_]{0,49}$/.test(schema)) throw jobFault("job_engine.schema", [schema])
  return new PgbossEngine({ PgBoss, database, schema })
}
