/** Log levels, and which one the environment asks for. Called by the logger. */
import { fault } from "../fault.ts"

/**
 * Every request, and what lies behind the errors that clients are sent.
 *
 * @example
 * app.setLogger({ level: LogLevelDebug })
 * LogLevelDebug // → "debug"
 */
export const LogLevelDebug = "debug"
/**
 * Every request. The default.
 *
 * @example
 * app.setLogger({ level: LogLevelInfo })
 * LogLevelInfo // → "info"
 */
export const LogLevelInfo = "info"
/**
 * Requests answered with 400 and above. The default in production.
 *
 * @example
 * app.setLogger({ level: LogLevelWarn })
 * LogLevelWarn // → "warn"
 */
export const LogLevelWarn = "warn"
/**
 * Requests answered with 500 and above.
 *
 * @example
 * app.setLogger({ level: LogLevelError })
 * LogLevelError // → "error"
 */
export const LogLevelError = "error"
/**
 * Nothing.
 *
 * @example
 * app.setLogger({ level: LogLevelOff })
 * LogLevelOff // → "off"
 */
export const LogLevelOff = "off"

/** The levels, from the most talkative on. */
export const logLevels = [LogLevelDebug, LogLevelInfo, LogLevelWarn, LogLevelError, LogLevelOff] as const

/**
 * How much is logged.
 *
 * @example
 * const level: LogLevel = "warn"
 * app.setLogger({ level })
 */
export type LogLevel = (typeof logLevels)[number]

/** Whether a value is one of the levels. */
export function isLogLevel(value: unknown): value is LogLevel {
  return (logLevels as readonly unknown[]).includes(value)
}

/**
 * The level: `FW_LOG_LEVEL`, so that whoever operates the program has the last word; else the level that the code
 * states; else debug with `FW_DEV=true`, warn with `GO_ENV=production` or `NODE_ENV=production`, and info.
 *
 * @throws FwError for a `FW_LOG_LEVEL` that is none.
 */
export function levelFromEnv(get: (name: string) => string | undefined, stated?: LogLevel): LogLevel {
  const asked = get("FW_LOG_LEVEL")?.trim()
  if (asked) {
    const level = asked.toLowerCase()
    if (isLogLevel(level)) return level
    throw fault("log_level", [asked, logLevels])
  }
  if (stated) return stated
  if (get("FW_DEV") === "true") return LogLevelDebug
  const production = get("GO_ENV") === "production" || get("NODE_ENV") === "production"
  return production ? LogLevelWarn : LogLevelInfo
}
