/** The engines under test, by name and address: in the test and in the programs that it kills. */
import { sqliteJobs } from "../../../adapters/jobs/sqlite.ts"
import type { JobEngine } from "../../../lib/jobs/engine.ts"

/** Opens an engine. @param address the path of a file, or the URL of a server. */
export async function createTestEngine(kind: string, address: string): Promise<JobEngine> {
  if (kind === "sqlite") return sqliteJobs({ file: address })
  throw new TypeError(`there is no engine ${kind}`)
}
