/** Log levels, and the level that the environment sets. */
import { fault } from "../errors/fault.ts"

/**
 * Logs every request, and the causes of errors that clients get.
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
 * The least severe messages to log.
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
 * Returns the level: `FW_LOG_LEVEL`, so that the operator of the program decides; otherwise the level in the
 * code; otherwise debug with `FW_DEV=true`, `productionLevel` with `GO_ENV=production` or `NODE_ENV=production`, and info.
 *
 * @throws FwError for an invalid `FW_LOG_LEVEL`.
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
