/** The log levels, and the level that applies. */
import { fault } from "../errors/fault.ts"

/**
 * Logs every request, and for errors that clients get also their causes.
 *
 * @example
 * app.setLogger({ level: LogLevelDebug })
 * LogLevelDebug // → "debug"
 */
export const LogLevelDebug = "debug"
/**
 * Logs every request. The default.
 *
 * @example
 * app.setLogger({ level: LogLevelInfo })
 * LogLevelInfo // → "info"
 */
export const LogLevelInfo = "info"
/**
 * Logs requests with status 400 and above. The default in production.
 *
 * @example
 * app.setLogger({ level: LogLevelWarn })
 * LogLevelWarn // → "warn"
 */
export const LogLevelWarn = "warn"
/**
 * Logs requests with status 500 and above.
 *
 * @example
 * app.setLogger({ level: LogLevelError })
 * LogLevelError // → "error"
 */
export const LogLevelError = "error"
/**
 * Logs nothing.
 *
 * @example
 * app.setLogger({ level: LogLevelOff })
 * LogLevelOff // → "off"
 */
export const LogLevelOff = "off"

/** The levels, from the most detailed. */
export const logLevels = [LogLevelDebug, LogLevelInfo, LogLevelWarn, LogLevelError, LogLevelOff] as const

/**
 * The level from which messages are logged.
 *
 * @example
 * const level: LogLevel = "warn"
 * app.setLogger({ level })
 */
export type LogLevel = (typeof logLevels)[number]

/** Returns true for the name of a level. */
export function isLogLevel(value: unknown): value is LogLevel {
  return (logLevels as readonly unknown[]).includes(value)
}

/**
 * Returns the level that applies. `FW_LOG_LEVEL` comes first, because the operator of the program decides; then the
 * level in the code; then `debug` with `FW_DEV=true`, and `productionLevel` with `GO_ENV=production` or
 * `NODE_ENV=production`; otherwise `info`.
 *
 * @throws FwError if `FW_LOG_LEVEL` is not a level.
 */
export function readLogLevel(
  get: (name: string) => string | undefined,
  configuredLevel?: LogLevel,
  productionLevel: LogLevel = LogLevelWarn,
): LogLevel {
  const setting = get("FW_LOG_LEVEL")?.trim()
  if (setting) {
    const level = setting.toLowerCase()
    if (isLogLevel(level)) return level
    throw fault("log_level", [setting, logLevels])
  }
  if (configuredLevel) return configuredLevel
  if (get("FW_DEV") === "true") return LogLevelDebug
  const isProduction = get("GO_ENV") === "production" || get("NODE_ENV") === "production"
  return isProduction ? productionLevel : LogLevelInfo
}
