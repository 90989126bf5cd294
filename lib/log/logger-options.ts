/** Turns the options of the request logger into functions that format and write. */

import { fault } from "../errors/fault.ts"
import { HttpError } from "../errors.ts"
import { canonicalizePath } from "../path.ts"
import { escapeUnit, formatBug } from "./error-report.ts"
import { isLogLevel, logLevels } from "./log-level.ts"
import type { LoggedRequest, LoggerEnv, LogRequest, RequestLoggerConfig } from "./logger.ts"
import { createWriter, setProcessWriter, writesJSON } from "./process-log.ts"
import { type LogRecord, type LogWriter, publishRecord } from "./record.ts"
import { createTextLog, escapeWord, getLevelRank, type TextLogOptions } from "./text-log.ts"

/** The functions that the options decide. */
export interface LoggerOptions {
  readonly log: LogRequest
  /** Writes lines of the program. */
  readonly writer: LogWriter
  /** True if a bug is left to the platform to report. A console shows an Error object better than its text. */
  readonly leavesBugsToPlatform: boolean
}

type OptionRule = readonly [allowed: string, test: (value: unknown) => boolean]

const logFormats: readonly unknown[] = ["text", "json", "auto"]
const booleanRule: OptionRule = ["true or false", (value) => typeof value === "boolean"]
const functionRule: OptionRule = ["a function", (value) => typeof value === "function"]
const optionRules: Record<keyof RequestLoggerConfig, OptionRule> = {
  level: [`one of ${logLevels.join(", ")}`, isLogLevel],
  showIP: booleanRule,
  showUserAgent: booleanRule,
  skipPaths: ['a list of paths such as "/health" and "/static/*"', isPathList],
  format: ["one of text, json, auto", (value) => logFormats.includes(value)],
  write: functionRule,
  sink: functionRule,
  mask: ['a list of names such as "pin"', isNameList],
  now: functionRule,
}

function isNameList(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string" && name !== "")
}

function isPathList(value: unknown): boolean {
  return Array.isArray(value) && value.every((path) => typeof path === "string" && /^\/[^*?#]*\*?$/.test(path))
}

/** What lines in every format need. */
type LogBase = Pick<TextLogOptions, "minRank" | "now" | "write">

/** Makes the functions for options that {@link checkOptions} has accepted. */
export function resolveLoggerOptions(config: RequestLoggerConfig, env: LoggerEnv, base: LogBase): LoggerOptions {
  const { level, write, sink, mask: secretNames, format = write ? "text" : "auto", skipPaths = [] } = config
  const { minRank, now } = base
  const { get, out, err, getChannel: channel } = env
  const isTerminal = write === undefined && out?.isTerminal === true
  const isJSON = format === "json" || (format === "auto" && (write !== undefined || writesJSON(env)))
  const writesRecords = isJSON || sink !== undefined
  const isSkipped = skipPaths.length > 0 ? createSkipTest(skipPaths) : undefined
  const writer = createWriter(env, { isJSON, level, secretNames, now, write, sink })
  // A `write` function of the program may lead to a file that nobody reads, so errors of the process do not go there.
  if (sink || write === undefined)
    setProcessWriter(writer, writesRecords && out !== undefined, sink !== undefined || config.format !== undefined)
  const leavesBugs = !writesRecords && write === undefined && err === undefined && minRank <= 3
  const createRecord = createRecordMaker(config, { ...base, isSkipped })
  const logText = createTextLog({
    ...base,
    isSkipped,
    // https://no-color.org: the variable counts only if it is not empty.
    colorStatus: isTerminal && !get("NO_COLOR") ? colorStatus : undefined,
    formatEnding: (c, status) =>
      formatSender(c, config) + (getLevelRank(status) > 2 ? formatRequestID(c, " ", "") : ""),
    report(error, c) {
      const text = leavesBugs && !(error instanceof HttpError) ? "" : formatReport(error, minRank)
      return text && formatRequestID(c, "", " ") + text
    },
    writeBug: write ?? ((text) => (err ? err.write(text) : console.error(text.trimEnd()))),
  })
  const logChannel = channel?.("fw:log")
  const log: LogRequest = (c, status, start, end, bytes, error) => {
    if (writesRecords || logChannel?.hasSubscribers) {
      const record = createRecord(c, status, start, end, bytes, error)
      if (record) publishRecord(logChannel, record, c)
      if (record && writesRecords) writer.write(record)
    }
    if (!writesRecords) logText(c, status, start, end, bytes, error)
  }
  return { log, writer, leavesBugsToPlatform: leavesBugs }
}

/** Checks the options. @throws FwError `logger_config` for an unknown name, and for an invalid value. */
export function checkOptions(config: RequestLoggerConfig): void {
  if (typeof config !== "object" || config === null || Array.isArray(config))
    throw fault("logger_config.kind", [config])
  for (const [key, value] of Object.entries(config)) {
    if (!Object.hasOwn(optionRules, key)) throw fault("logger_config.unknown", [key, Object.keys(optionRules)])
    const [allowed, test] = optionRules[key as keyof RequestLoggerConfig]
    if (value !== undefined && !test(value)) throw fault("logger_config", [key, allowed])
  }
}

/**
 * Returns a function that finds paths which are not logged. A final `*` stands for the path itself and everything below
 * it, as in the proxy's matchers.
 */
function createSkipTest(paths: readonly string[]): (path: string) => boolean {
  const exactPaths = new Set<string>()
  const prefixes: string[] = []
  for (const path of paths) {
    const isWildcard = path.endsWith("*")
    const canonical = canonicalizePath(isWildcard ? path.slice(0, -1) : path)
    if (isWildcard) prefixes.push(canonical)
    exactPaths.add(isWildcard && canonical !== "/" ? canonical.replace(/\/$/, "") : canonical)
  }
  return (path) => exactPaths.has(path) || prefixes.some((prefix) => path.startsWith(prefix))
}

/** Returns the text about an error: all of a bug, and at level `debug` the cause of an error that was answered. */
function formatReport(error: unknown, minRank: number): string {
  if (minRank > 3) return ""
  if (!(error instanceof HttpError)) return formatBug(error)
  return minRank === 0 && error.cause !== undefined ? formatBug(error) : ""
}

function formatSender(c: LoggedRequest, { showIP, showUserAgent }: RequestLoggerConfig): string {
  return `${showIP ? ` ${escapeWord(c.clientIP)}` : ""}${showUserAgent ? ` ${quoteText(c.header("user-agent"))}` : ""}`
}

/**
 * Returns the id of a request; `""` if it has none. The id is as long as the rest of the line, so it is printed only
 * with errors.
 */
function formatRequestID(c: LoggedRequest, before: string, after: string): string {
  const id = c.getString("request_id")
  return id && `${before}requestID=${escapeWord(id)}${after}`
}

/** Returns a function that creates the record of a request. It returns undefined if the request is not logged. */
function createRecordMaker(
  { showIP, showUserAgent }: RequestLoggerConfig,
  { minRank, isSkipped, now }: LogBase & Pick<TextLogOptions, "isSkipped">,
): (...request: Parameters<LogRequest>) => LogRecord | undefined {
  return (c, status, start, end, bytes, error) => {
    const { method, originalPath: path, pattern } = c
    const report = error === undefined ? "" : formatReport(error, minRank)
    if (!report && (getLevelRank(status) < minRank || isSkipped?.(path))) return undefined
    return {
      time: new Date(now()).toISOString(),
      level: logLevels[getLevelRank(status)] as LogRecord["level"],
      message: `${method} ${path} ${status}`,
      method,
      path,
      status,
      ms: Math.round((end - start) * 1000) / 1000,
      bytes,
      pattern,
      requestID: c.getString("request_id") || undefined,
      ip: showIP ? c.clientIP : undefined,
      userAgent: showUserAgent ? c.header("user-agent") : undefined,
      error: report || undefined,
    }
  }
}

/** Colours a status red, yellow, cyan or green, by its first digit. */
function colorStatus(status: number): string {
  return `\x1b[${status >= 500 ? 31 : status >= 400 ? 33 : status >= 300 ? 36 : 32}m${status}\x1b[0m`
}

const plainASCII = /^[\x20-\x7e]*$/

function quoteText(value: string): string {
  const escaped = value.replace(/["\\]/g, "\\$&")
  return `"${plainASCII.test(escaped) ? escaped : escaped.replace(/[^\x20-\x7e]/g, escapeUnit)}"`
}
