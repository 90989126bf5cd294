/** The report of a bug that no request logger takes, on runtimes with a standard error. */
import { formatBug } from "./error-report.ts"
import { levelFromEnv } from "./log-level.ts"
import type { LoggerEnv } from "./logger.ts"

/** Writes a bug to standard error, unless `FW_LOG_LEVEL` is `off`. */
export function reportBug(error: unknown, env: LoggerEnv): void {
  if (levelFromEnv(env.get) !== "off") env.err.write(`${formatBug(error)}\n`)
}
