/** The request logger: writes one line per request, as text or JSON. */
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
  /**
   * The level from which requests are logged. The variable `FW_LOG_LEVEL` overrides it. Default: it depends on the
   * environment.
   */
  readonly level?: LogLevel
  /** True to log the client's address. */
  readonly showIP?: boolean
  /** True to log the client's `User-Agent`. */
  readonly showUserAgent?: boolean
  /**
   * Paths that are not logged: `/health`, or with a final `*` everything below a path, as in `/static/*`. Bugs are
   * logged all the same.
   */
  readonly skipPaths?: readonly string[]
  /**
   * The format of the lines. `auto` means text on a terminal and under `fw dev`, and JSON everywhere else. Default:
   * `auto`, or `text` if there is a `write`.
   */
  readonly format?: "text" | "json" | "auto"
  /**
   * Writes a line, which ends with a line feed. Default: writes to standard output, and bugs to standard error.
   */
  readonly write?: (text: string) => void
  /**
   * Takes each line as data, and replaces `format` and `write`. It passes the lines to another logger, as
   * `pinoLog(pino)` does.
   */
  readonly sink?: LogSink
  /**
   * Further names of fields whose values are masked, in addition to `password`, `token` and the like. A part of a name
   * is enough, in any case.
   */
  readonly mask?: readonly string[]
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number
}

/** The members of the context that the logger reads. */
export type LoggedRequest = Pick<Context, "method" | "originalPath" | "pattern" | "clientIP" | "header" | "getString">

/**
 * Logs an answered request. It takes separate arguments, because an object per request would cost as much as writing
 * the line.
 *
 * @param start `performance.now()` when the request arrived.
 * @param end `performance.now()` when the response was complete.
 * @param bytes the size of the body; null if it is unknown.
 * @param error the error, if there was one.
 */
export type LogRequest = (
  c: LoggedRequest,
  status: number,
  start: number,
  end: number,
  bytes: number | null,
  error?: unknown,
) => void

/** A configured logger. */
export interface ResolvedLogger {
  /** True if a bug is left to the platform to report, because it shows an Error object better. */
  readonly leavesBugsToPlatform: boolean
  /**
   * Returns true if a response with this status may be logged.
   *
   * @param c the context of the request. It tells requests for static files from others.
   */
  isEnabled(status: number, c: LoggedRequest): boolean
  /** Logs a request. A bug is logged with all its details. */
  readonly log: LogRequest
  /** Writes lines of the program. */
  readonly writer: LogWriter
}

/** The members of the environment that a logger uses. */
export type LoggerEnv = Pick<Env, "get" | "out" | "err" | "getChannel">

/**
 * Creates the logger for a configuration. On runtimes that have only a console, lines go to the console.
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
  // A page loads a dozen files. In development, their lines would hide those of the routes.
  const hidesFiles = get("FW_DEV") === "true" && !get("FW_LOG_LEVEL") && level === undefined
  return {
    leavesBugsToPlatform: options.leavesBugsToPlatform,
    isEnabled: (status, c) =>
      getLevelRank(status) >= minRank && !(hidesFiles && status < 400 && servedFiles.has(c as Context)),
    log: options.log,
    writer: options.writer,
  }
}
