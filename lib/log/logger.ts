/** The request logger: one line a request, as text or JSON. Made by the app and by the `logger()` middleware. */

import { HttpError } from "../errors.ts"
import { fault } from "../fault.ts"
import { canonicalPath } from "../path.ts"
import type { Env } from "../platform.ts"
import { escapeUnit, formatBug, printable } from "./error-report.ts"
import { isLogLevel, type LogLevel, levelFromEnv, logLevels } from "./log-level.ts"

/**
 * What the request logger does.
 *
 * @example
 * const config: RequestLoggerConfig = { level: "info", showUserAgent: true, skipPaths: ["/health", "/static/*"] }
 * const app = new App({ logger: config })
 */
export interface RequestLoggerConfig {
  /** The least level that is logged. `FW_LOG_LEVEL` in the environment beats it. Default: by environment. */
  readonly level?: LogLevel
  /** Include the client's address. */
  readonly showIP?: boolean
  /** Include the client's `User-Agent`. */
  readonly showUserAgent?: boolean
  /** Paths that are not logged: `/health`, or with a final `*` all below, as in `/static/*`. Their bugs still are. */
  readonly skipPaths?: readonly string[]
  /** `auto` is text on a terminal and JSON lines elsewhere. Default: `text`. */
  readonly format?: "text" | "json" | "auto"
  /** Where lines go, each with its line feed. Default: standard output, and standard error for bugs. */
  readonly write?: (text: string) => void
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number
}

/** One answered request. */
export interface LogEntry {
  readonly method: string
  readonly path: string
  readonly status: number
  /** How long the answer took, in milliseconds. */
  readonly ms: number
  /** Bytes of the body; null when nobody knows, as for a stream. */
  readonly bytes: number | null
  readonly ip: string
  readonly userAgent: string
  /** What went wrong, if anything did. */
  readonly error?: unknown
  /** The pattern of the route that answered. */
  readonly pattern?: string
}

/** A logger that knows all that can be known before a request. */
export interface RequestLog {
  /** Whether an answer with the status may be logged: asked before an entry is made. `isFile`: it is a static file. */
  enabled(status: number, isFile: boolean): boolean
  /** Logs a request, and the error whole where it is a bug. */
  log(entry: LogEntry): void
}

/** The part of the process that a logger uses. */
export type LoggerEnv = Pick<Env, "get"> & Required<Pick<Env, "out" | "err">>

/** A config without open questions. */
interface Settings extends Pick<RequestLoggerConfig, "showIP" | "showUserAgent"> {
  readonly least: number
  readonly color: boolean
  readonly skips: (path: string) => boolean
  readonly write: (text: string) => void
  readonly writeBug: (text: string) => void
  readonly now: () => number
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

/**
 * Makes the logger of a config.
 *
 * @throws FwError for an unknown key, an invalid value, or an invalid `FW_LOG_LEVEL`.
 */
export function resolveLogger(config: RequestLoggerConfig, env: LoggerEnv): RequestLog {
  validate(config)
  const { write, format = "text" } = config
  const terminal = write === undefined && env.out.isTerminal
  const settings: Settings = {
    ...config,
    least: logLevels.indexOf(levelFromEnv(env.get, config.level)),
    // https://no-color.org: set and not empty.
    color: terminal && !env.get("NO_COLOR"),
    skips: skipper(config.skipPaths ?? []),
    write: write ?? ((text) => env.out.write(text)),
    writeBug: write ?? ((text) => env.err.write(text)),
    now: config.now ?? Date.now,
  }
  // A page of a site has a dozen files: in development their lines would hide those of the routes.
  const hidesFiles = env.get("FW_DEV") === "true" && !env.get("FW_LOG_LEVEL") && config.level === undefined
  const json = format === "json" || (format === "auto" && !terminal)
  return {
    enabled: (status, isFile) => rank(status) >= settings.least && !(hidesFiles && isFile && status < 400),
    log: json ? jsonLog(settings) : textLog(settings),
  }
}

function validate(config: RequestLoggerConfig): void {
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
  if (paths.length === 0) return () => false
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

/** The place of a status's level in `logLevels`. */
function rank(status: number): number {
  return status >= 500 ? 3 : status >= 400 ? 2 : 1
}

/** What to report of an error: a bug whole, and at level debug what lies behind an answer. */
function reportOf(error: unknown, least: number): string {
  if (error === undefined || least > 3) return ""
  if (!(error instanceof HttpError)) return formatBug(error)
  return least === 0 && error.cause !== undefined ? formatBug(error) : ""
}

function textLog({ least, color, skips, write, writeBug, now, showIP, showUserAgent }: Settings) {
  const stamp = secondStamp(now)
  return (entry: LogEntry): void => {
    const { method, path, status, ms, bytes, error } = entry
    if (rank(status) >= least && !skips(path)) {
      const shown = color ? paint(status) : status
      const sender = `${showIP ? ` ${word(entry.ip)}` : ""}${showUserAgent ? ` ${quote(entry.userAgent)}` : ""}`
      const took = ms < 9999.5 ? `${Math.round(ms)}ms` : `${(ms / 1000).toFixed(1)}s`
      write(`${stamp()}${word(method)} ${word(path)} ${shown} in ${took} (${size(bytes)})${sender}\n`)
    }
    const report = error === undefined ? "" : reportOf(error, least)
    if (report) writeBug(`${stamp()}${word(method)} ${word(path)} ${report}\n`)
  }
}

function jsonLog({ least, skips, write, now, showIP, showUserAgent }: Settings) {
  return (entry: LogEntry): void => {
    const { method, path, status, ms, bytes, pattern, error } = entry
    const report = reportOf(error, least)
    if (!report && (rank(status) < least || skips(path))) return
    const record = {
      time: new Date(now()).toISOString(),
      level: logLevels[rank(status)],
      method,
      path,
      status,
      ms: Math.round(ms * 1000) / 1000,
      bytes,
      pattern,
      ip: showIP ? entry.ip : undefined,
      userAgent: showUserAgent ? entry.userAgent : undefined,
      error: report || undefined,
    }
    // JSON escapes line feeds, yet neither C1 controls nor marks that reorder text.
    const line = JSON.stringify(record)
    write(`${plainQuoted.test(line) ? line : printable(line)}\n`)
  }
}

/** `[12:34:56] ` in local time, made once a second. */
function secondStamp(now: () => number): () => string {
  let second = Number.NaN
  let stamp = ""
  return () => {
    const time = now()
    if (Math.floor(time / 1000) !== second) {
      second = Math.floor(time / 1000)
      const date = new Date(time)
      const parts = [date.getHours(), date.getMinutes(), date.getSeconds()]
      stamp = `[${parts.map((part) => String(part).padStart(2, "0")).join(":")}] `
    }
    return stamp
  }
}

/** Red, yellow, cyan, green by the hundreds. */
function paint(status: number): string {
  return `\x1b[${status >= 500 ? 31 : status >= 400 ? 33 : status >= 300 ? 36 : 32}m${status}\x1b[0m`
}

const units = ["KB", "MB", "GB", "TB"]

/** `0B`, `512B`, `1.2KB`: units of 1024, and a dash for what is not known. */
function size(bytes: number | null): string {
  if (bytes === null) return "-"
  if (bytes < 1024) return `${bytes}B`
  let value = bytes / 1024
  let unit = 0
  // 1023.95 would round to 1024.0.
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  // What toFixed(1) gives, at a tenth of its price.
  const tenths = Math.round(value * 10)
  return `${Math.floor(tenths / 10)}.${tenths % 10}${units[unit]}`
}

const plainWord = /^[\x21-\x7e]*$/
const plainQuoted = /^[\x20-\x7e]*$/

/** One word of printable ASCII: a path is that anyway, unless it was refused. */
function word(value: string): string {
  return plainWord.test(value) ? value : value.replace(/[^\x21-\x7e]/g, escapeUnit)
}

function quote(value: string): string {
  const escaped = value.replace(/["\\]/g, "\\$&")
  return `"${plainQuoted.test(escaped) ? escaped : escaped.replace(/[^\x20-\x7e]/g, escapeUnit)}"`
}
