/** The tables of the embedded job engine. They are in a file of their own, or in the database of the program. */
import { jobFault } from "../../lib/jobs/fault.ts"
import type { Database } from "../db/database.ts"
import type { BoundValue } from "../store/database.ts"
import { type Row, SqliteFile } from "../store/sqlite-file.ts"

/**
 * `claim` grows each time a process claims the job, so that calls with an older claim have no effect. `beat` grows each
 * time the claim is renewed. `state` is 0 for a job that waits, 1 for a job that runs, and 2 for a job that has failed
 * for good.
 */
const tables = [
  `CREATE TABLE IF NOT EXISTS fw_job (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, payload TEXT NOT NULL,
    state INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL, priority INTEGER NOT NULL, attempt INTEGER NOT NULL DEFAULT 0,
    claim INTEGER NOT NULL DEFAULT 0, beat INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0, key TEXT,
    lane TEXT, most INTEGER, scheduled INTEGER, steps TEXT NOT NULL DEFAULT '{}', progress REAL, error TEXT) STRICT`,
  "CREATE INDEX IF NOT EXISTS fw_job_next ON fw_job (state, name, priority DESC, due, id)",
  "CREATE INDEX IF NOT EXISTS fw_job_lane ON fw_job (lane) WHERE state = 1",
  "CREATE UNIQUE INDEX IF NOT EXISTS fw_job_key ON fw_job (name, key) WHERE state < 2",
  `CREATE TABLE IF NOT EXISTS fw_job_queue (name TEXT PRIMARY KEY, paused INTEGER NOT NULL DEFAULT 0,
    tick INTEGER) STRICT`,
]

/** A statement with the values of its parameters. */
export type BoundStatement = readonly [sql: string, values: readonly BoundValue[]]

/** Runs the statements of the engine. */
export interface JobTables {
  run(call: string, sql: string, values: readonly BoundValue[]): Promise<readonly Row[]>
  /**
   * Runs two statements in one transaction. The second one runs only if the first one has returned a row. Returns true
   * if it has.
   */
  runBoth(call: string, first: BoundStatement, second: BoundStatement): Promise<boolean>
  close(): Promise<void>
}

/** Opens the tables in a file. */
export function openJobFile(path: string): JobTables {
  const file = new SqliteFile(path, { schema: tables.map((sql) => `${sql};`).join("\n"), call: "sqliteJobs()" })
  return {
    run: (call, sql, values) => file.writeAll(call, sql, values),
    runBoth: (call, first, second) =>
      file.transaction(call, (run) => {
        if (run(...first) === undefined) return false
        run(...second)
        return true
      }),
    close: async () => file.close(),
  }
}

/** Opens the tables in the database of a program. @throws FwError `job_engine` if it is not SQLite. */
export async function openJobDatabase(database: Database): Promise<JobTables> {
  if (database.engine !== "SQLite") throw jobFault("job_engine.database", [database.engine])
  for (const sql of tables) await database.query(sql)
  return {
    run: (_call, sql, values) => database.query(sql, values),
    runBoth: (_call, [one, oneValues], [two, twoValues]) =>
      database.transaction(async (tx) => {
        if ((await tx.query(one, oneValues)).length === 0) return false
        await tx.query(two, twoValues)
        return true
      }),
    // The program has opened the database, so it also closes it.
    close: async () => {},
  }
}
