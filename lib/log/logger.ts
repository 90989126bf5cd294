/** The request logger: one line per request, as text or JSON. */
import type { Context } from "../context.ts"
import type { Env } from "../env.ts"
import { servedFiles } from "../static/served-files.ts"
import { type LogLevel, logLevels, readLogLevel } from "./log-level.ts"
import { checkOptions, resolveLoggerOptions } from "./logger-options.ts"
import type { LogSink, LogWriter } from "./record.ts"
import { getLevelRank } from "./text-log.ts"

/**
 * Options of the request logger.
 *
 * @example
 * const config: RequestLoggerConfig = { level: "info", showUserAgent: true, skipPaths: ["/health", "/static/*"] }
 * const app = new App({ logger: config })
 */
export interface RequestLoggerConfig {
  /** The lowest level to log. `FW_LOG_LEVEL` in the environment overrides it. Default: by environment. */
  readonly level?: LogLevel
  /** True to log the client's address. */
  readonly showIP?: boolean
  /** True to log the client's `User-Agent`. */
  readonly showUserAgent?: boolean
  /**
   * Paths that are not logged: `/health`, or with a final `*` everything below, as in `/static/*`. Bugs are still
   * logged.
   */
  readonly skipPaths?: readonly string[]
  /**
   * `auto` is text on a terminal and under `fw dev`, and JSON lines elsewhere. Default: `auto`, and `text` with a `write` of
   * your own.
   */
  readonly format?: "text" | "json" | "auto"
  /**
   * Writes a line, which ends with a line feed. Default: to standard output, and to standard error for bugs.
   */
  readonly write?: (text: string) => void
  /** Takes each line as data, in place of `format` and `write`: another logger, such as `pinoLog(pino)`. */
  readonly sink?: LogSink
  /** Names of fields whose values are masked, besides `password`, `token` and the like: parts of names, in any case. */
  readonly mask?: readonly string[]
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number
}

/** The parts of an answered request that are logged. */
export type LoggedRequest = Pick<Context, "method" | "originalPath" | "pattern" | "clientIP" | "header" | "getString">

/**
 * Logs an answered request. Its values are arguments, because an object for each request would cost as much as its line.
 *
 * @param start `performance.now()` when the request came.
 * @param at `performance.now()` at the response.
 * @param bytes the size of the body; null if it is unknown.
 * @param error the error, if there was one.
 */
export type LogRequest = (
  c: LoggedRequest,
  status: number,
  start: number,
  at: number,
  bytes: number | null,
  error?: unknown,
) => void

/** A configured logger. */
export interface ResolvedLogger {
  /** True if the platform shows bugs, because it shows them better. */
  readonly leavesBugsToPlatform: boolean
  /**
   * Returns true if a response with the status may be logged.
   *
   * @param c its request, which may be for a static file.
   */
  isEnabled(status: number, c: LoggedRequest): boolean
  /** Logs a request, and the whole error if it is a bug. */
  readonly log: LogRequest
  /** Writes the lines of the program. */
  readonly writer: LogWriter
}

/** The part of the process that a logger uses. */
export type LoggerEnv = Pick<Env, "get" | "out" | "err" | "channel">

/**
 * Makes the logger of a config. Where there is only a console, lines go there.
 *
 * @throws FwError for an unknown key, an invalid value, or an invalid `FW_LOG_LEVEL`.
 */
export function resolveLogger(config: RequestLoggerConfig, env: LoggerEnv): ResolvedLogger {
  checkOptions(config)
  const { get, out } = env
  const { level, now = Date.now } = config
  const minRank = logLevels.indexOf(readLogLevel(get, level))
  const write = config.write ?? ((text) => (out ? out.write(text) : console.log(text.trimEnd())))
  const options = resolveLoggerOptions(config, env, { minRank, now, write })
  // A page has a dozen files. In development, their lines would hide those of the routes.
  const hidesFiles = get("FW_DEV") === "true" && !get("FW_LOG_LEVEL") && level === undefined
  return {
    leavesBugsToPlatform: options.leavesBugsToPlatform,
    isEnabled: (status, c) =>
      getLevelRank(status) >= minRank && !(hidesFiles && status < 400 && servedFiles.has(c as Context)),
    log: options.log,
    writer: options.writer,
  }
}
