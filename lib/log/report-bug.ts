/** The report of a bug that no request logger takes, on runtimes with a standard error. */
import type { Env } from "../platform.ts"
import { formatBug } from "./error-report.ts"
import { levelFromEnv } from "./log-level.ts"

/** The part of a process that a report uses. */
type ProcessEnv = Pick<Env, "get"> & Required<Pick<Env, "err">>

/** Writes a bug to standard error, unless `FW_LOG_LEVEL` is `off`. */
export function reportBug(error: unknown, env: ProcessEnv): void {
  if (levelFromEnv(env.get) !== "off") env.err.write(`${formatBug(error)}\n`)
}
