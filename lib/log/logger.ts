/** The options of the request logger, and their checks. */
import { fault } from "../errors/fault.ts"
import { canonicalizePath } from "../path.ts"
import { isLogLevel, type LogLevel, logLevels } from "./log-level.ts"
import type { LogSink } from "./record.ts"

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
export function createSkipTest(paths: readonly string[]): (path: string) => boolean {
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
