/** Logs the requests of an app: one line per request, as text or JSON. */
import { countBody } from "../answer/count-bytes.ts"
import { isUnprintedBug } from "../chain.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import type { Env } from "../env.ts"
import { HttpError } from "../errors.ts"
import { servedFiles } from "../static/served-files.ts"
import { formatBug } from "./error-report.ts"
import { logLevels, readLogLevel } from "./log-level.ts"
import { checkOptions, createSkipTest, type RequestLoggerConfig } from "./logger.ts"
import { createWriter, openOutput, setProcessWriter, writesJSON } from "./process-log.ts"
import { type LogRecord, type LogWriter, publishRecord } from "./record.ts"
import { formatRequest, formatRequestError } from "./text-log.ts"

/** The members of the context that a line is made from. */
export type LoggedRequest = Pick<Context, "method" | "originalPath" | "pattern" | "clientIP" | "header" | "getString">

/** Logs the requests of an app. */
export interface RequestLogger {
  /** Writes lines of the program. */
  readonly writer: LogWriter
  /**
   * Logs an answered request. A bug is logged with all its details.
   *
   * @param ms the milliseconds until the response was complete.
   * @param bytes the size of the body.
   * @param hasLine false if the request is logged only because of its error. Default: as the options say.
   */
  log(c: LoggedRequest, status: number, ms: number, bytes: number, error?: unknown, hasLine?: boolean): void
  /**
   * Logs a request. If the length of the response is unknown, the request is logged after the response was sent. For
   * that, the result may be another Response than the argument.
   *
   * @param start `performance.now()` when the request arrived.
   */
  record(c: Context, response: Response, start: number): Response
}

/**
 * Creates the logger of an app. On runtimes that have only a console, lines go to the console.
 *
 * @throws FwError for an unknown key, an invalid value, or an invalid `FW_LOG_LEVEL`.
 */
export function createRequestLogger(
  config: RequestLoggerConfig,
  env: Pick<Env, "get" | "out" | "err" | "getChannel">,
): RequestLogger {
  checkOptions(config)
  const { level, showIP, showUserAgent, skipPaths = [], write, format = write ? "text" : "auto", sink } = config
  const { get, out, err, getChannel } = env
  const minRank = logLevels.indexOf(readLogLevel(get, level))
  const isJSON = format === "json" || (format === "auto" && (write !== undefined || writesJSON(env)))
  const writesRecords = isJSON || sink !== undefined
  const writer = createWriter(env, isJSON, config)
  // A `write` function of the program may lead to a file that nobody reads, so errors of the process do not go there.
  if (sink || write === undefined)
    setProcessWriter(writer, writesRecords && out !== undefined, sink !== undefined || config.format !== undefined)
  // A console shows an Error object better than its text.
  const leavesBugsToPlatform = !writesRecords && write === undefined && err === undefined && minRank <= 3
  const { isColored, writeText } = openOutput(env, write)
  const writeBug = write ?? ((text) => (err ? err.write(text) : console.error(text.trimEnd())))
  // A page loads a dozen files. In development, their lines would hide those of the routes.
  const hidesFiles = get("FW_DEV") === "true" && !get("FW_LOG_LEVEL") && level === undefined
  const isSkipped = createSkipTest(skipPaths)
  const logChannel = getChannel?.("fw:log")

  /** Returns true if a response with this status is logged, even if there is no error. */
  const isListed = (status: number, c: LoggedRequest) =>
    getLevelRank(status) >= minRank &&
    !isSkipped(c.originalPath) &&
    !(hidesFiles && status < 400 && servedFiles.has(c as Context))

  const logger: RequestLogger = {
    writer,
    log(c, status, ms, bytes, error, hasLine = isListed(status, c)) {
      const report = error === undefined ? "" : formatReport(error, minRank)
      if (!hasLine && !report) return
      const { method, originalPath: path, pattern } = c
      const record = {
        time: new Date(writer.now()).toISOString(),
        level: logLevels[getLevelRank(status)] as LogRecord["level"],
        message: `${method} ${path} ${status}`,
        method,
        path,
        status,
        ms: Math.round(ms * 1000) / 1000,
        bytes,
        pattern,
        requestID: c.getString("request_id") || undefined,
        ip: showIP ? c.clientIP : undefined,
        userAgent: showUserAgent ? c.header("user-agent") : undefined,
        error: report || undefined,
      }
      publishRecord(logChannel, record, c)
      if (writesRecords) return writer.write(record)
      if (hasLine) writeText(formatRequest(record, isColored))
      if (report && (!leavesBugsToPlatform || error instanceof HttpError)) writeBug(formatRequestError(record))
    },
    record(c, response, start) {
      const { status } = response
      const error = c.error instanceof HttpError || isUnprintedBug(c) ? c.error : undefined
      if (!leavesBugsToPlatform) c.reported = true
      const hasLine = isListed(status, c)
      if (error === undefined && !hasLine) return response
      const size = c.method === "HEAD" ? 0 : access.getExchange(c).getSize(response)
      return countBody(response, size, (bytes) =>
        logger.log(c, status, performance.now() - start, bytes, error, hasLine),
      )
    },
  }
  return logger
}

/** Returns the level of a status, as an index in `logLevels`. */
function getLevelRank(status: number): number {
  return status >= 500 ? 3 : status >= 400 ? 2 : 1
}

/** Returns the text about an error: all of a bug, and at level `debug` the cause of an error that was answered. */
function formatReport(error: unknown, minRank: number): string {
  if (minRank > 3) return ""
  if (!(error instanceof HttpError)) return formatBug(error)
  return minRank === 0 && error.cause !== undefined ? formatBug(error) : ""
}
