/** The options of the request logger, and what is logged because of them. */
import { HttpError } from "../errors.ts"
import { fault } from "../fault.ts"
import { canonicalPath } from "../path.ts"
import { escapeUnit, formatBug } from "./error-report.ts"
import { isLogLevel, logLevels } from "./log-level.ts"
import type { Log, LoggedRequest, LoggerEnv, RequestLoggerConfig } from "./logger.ts"
import { jsonLine, useJSON } from "./process-log.ts"
import { rank, type TextLog, word } from "./text-log.ts"

/** The parts of a logger that its options decide. */
export interface LoggerOptions extends Pick<TextLog, "skips" | "paint" | "ending" | "report" | "writeBug"> {
  /** Logs an entry in another form than text. */
  readonly log?: Log | undefined
  /** True if the platform shows bugs: a console shows an error better than text does. */
  readonly leavesBugs: boolean
}

type Check = readonly [allowed: string, test: (value: unknown) => boolean]

const formats: readonly unknown[] = ["text", "json", "auto"]
const aBoolean: Check = ["true or false", (value) => typeof value === "boolean"]
const aFunction: Check = ["a function", (value) => typeof value === "function"]
const checks: Record<keyof RequestLoggerConfig, Check> = {
  level: [`one of ${logLevels.join(", ")}`, isLogLevel],
  showIP: aBoolean,
  showUserAgent: aBoolean,
  skipPaths: ['a list of paths such as "/health" and "/static/*"', isPathList],
  format: ["one of text, json, auto", (value) => formats.includes(value)],
  write: aFunction,
  now: aFunction,
}

function isPathList(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((path) => typeof path === "string" && /^\/[^*?#]*\*?$/.test(path))
  )
}

/** The parts that a line needs in every form. */
type Base = Pick<TextLog, "least" | "now" | "write">

/** Reads options that {@link checkOptions} has passed. */
export function readOptions(
  config: RequestLoggerConfig,
  { get, out, err }: LoggerEnv,
  base: Base,
): LoggerOptions {
  const { write, format = "text", showIP, showUserAgent, skipPaths = [] } = config
  const { least } = base
  const terminal = write === undefined && out?.isTerminal === true
  const json = format === "json" || (format === "auto" && !terminal)
  const skips = skipPaths.length > 0 ? skipper(skipPaths) : undefined
  // What another function writes may go to a place where nobody looks for the errors of the process.
  if (json && out && write === undefined) useJSON(base.write, base.now)
  const leavesBugs = !json && write === undefined && err === undefined && least <= 3
  return {
    skips,
    // https://no-color.org: set and not empty.
    paint: terminal && !get("NO_COLOR") ? paint : undefined,
    ending: (c, status) => senderOf(c, config) + (rank(status) > 2 ? idOf(c, " ", "") : ""),
    report(error, c) {
      const text = leavesBugs && !(error instanceof HttpError) ? "" : reportOf(error, least)
      return text && idOf(c, "", " ") + text
    },
    writeBug: write ?? ((text) => (err ? err.write(text) : console.error(text.trimEnd()))),
    log: json ? jsonLog({ ...base, showIP, showUserAgent, skips }) : undefined,
    leavesBugs,
  }
}

/** @throws FwError `logger_config` for an unknown key, and for an invalid value. */
export function checkOptions(config: RequestLoggerConfig): void {
  if (typeof config !== "object" || config === null || Array.isArray(config))
    throw fault("logger_config.kind", [config])
  for (const [key, value] of Object.entries(config)) {
    if (!Object.hasOwn(checks, key)) throw fault("logger_config.unknown", [key, Object.keys(checks)])
    const [allowed, test] = checks[key as keyof RequestLoggerConfig]
    if (value !== undefined && !test(value)) throw fault("logger_config", [key, allowed])
  }
}

/** A final `*` covers what is below and the path itself, as it does in the proxy's matchers. */
function skipper(paths: readonly string[]): (path: string) => boolean {
  const exact = new Set<string>()
  const prefixes: string[] = []
  for (const path of paths) {
    const wild = path.endsWith("*")
    const canonical = canonicalPath(wild ? path.slice(0, -1) : path)
    if (wild) prefixes.push(canonical)
    exact.add(wild && canonical !== "/" ? canonical.replace(/\/$/, "") : canonical)
  }
  return (path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix))
}

/** Returns the report of an error: all of a bug, and at level debug the cause of an error that was answered. */
function reportOf(error: unknown, least: number): string {
  if (least > 3) return ""
  if (!(error instanceof HttpError)) return formatBug(error)
  return least === 0 && error.cause !== undefined ? formatBug(error) : ""
}

function senderOf(c: LoggedRequest, { showIP, showUserAgent }: RequestLoggerConfig): string {
  return `${showIP ? ` ${word(c.clientIP)}` : ""}${showUserAgent ? ` ${quote(c.header("user-agent"))}` : ""}`
}

/** Returns the id of a request, if it has one. It is as long as the rest of a line, so it is only where it will be looked for. */
function idOf(c: LoggedRequest, before: string, after: string): string {
  const id = c.getString("request_id")
  return id && `${before}requestID=${word(id)}${after}`
}

/** The parts that a line of JSON needs besides its entry. */
type JSONLog = Base &
  Pick<TextLog, "skips"> & { readonly [Name in "showIP" | "showUserAgent"]: boolean | undefined }

function jsonLog({ showIP, showUserAgent, least, skips, write, now }: JSONLog): Log {
  return (c, status, start, at, bytes, error) => {
    const { method, originalPath: path, pattern } = c
    const report = error === undefined ? "" : reportOf(error, least)
    if (!report && (rank(status) < least || skips?.(path))) return
    const record = {
      time: new Date(now()).toISOString(),
      level: logLevels[rank(status)],
      method,
      path,
      status,
      ms: Math.round((at - start) * 1000) / 1000,
      bytes,
      pattern,
      requestID: c.getString("request_id") || undefined,
      ip: showIP ? c.clientIP : undefined,
      userAgent: showUserAgent ? c.header("user-agent") : undefined,
      error: report || undefined,
    }
    write(jsonLine(record))
  }
}

/** Red, yellow, cyan, green by the hundreds. */
function paint(status: number): string {
  return `\x1b[${status >= 500 ? 31 : status >= 400 ? 33 : status >= 300 ? 36 : 32}m${status}\x1b[0m`
}

const plainQuoted = /^[\x20-\x7e]*$/

function quote(value: string): string {
  const escaped = value.replace(/["\\]/g, "\\$&")
  return `"${plainQuoted.test(escaped) ? escaped : escaped.replace(/[^\x20-\x7e]/g, escapeUnit)}"`
}
