/** The options of an app, their defaults, and their checks. */
import { checkOptions, type OptionRules } from "./checks.ts"
import { fault } from "./errors/fault.ts"
import type { RequestLoggerConfig } from "./log/logger.ts"
import { type AddressRange, parseRange } from "./request/address.ts"

/**
 * Options of `new App()`. All have a default.
 *
 * @example
 * const options: AppOptions = { bodyLimit: 1024 * 1024, trustedProxies: ["10.0.0.0/8"] }
 * const app = new App(options)
 * app.config.bodyLimit // → 1048576
 */
export interface AppOptions {
  /** The route directory, relative to the working directory. Default: `app`. */
  readonly appDir?: string
  /** The directory of static files, served under `/static`. Default: `static`, if it exists. */
  readonly staticDir?: string
  /** Size limit of a request's body in bytes. Default: 10 MiB. */
  readonly bodyLimit?: number
  /** Maximum number of parts of a form, fields and files together. Default: 1,000. */
  readonly formPartLimit?: number
  /**
   * Addresses and CIDR ranges of proxies whose forwarding headers are trusted, and `unix` for those that connect to a
   * Unix socket. Default: none.
   */
  readonly trustedProxies?: readonly string[]
  /** The request logger; `false` turns it off. Default: on, at level `info`. */
  readonly logger?: RequestLoggerConfig | boolean
}

/**
 * The options of an app with all defaults filled in: `app.config`.
 *
 * @example
 * const { bodyLimit, trustedProxies }: Config = app.config
 * bodyLimit // → 10485760
 */
export interface Config {
  readonly appDir: string
  /** The option `staticDir`, or `static` if it is not set. */
  readonly staticDir: string
  readonly bodyLimit: number
  readonly formPartLimit: number
  readonly trustedProxies: readonly string[]
}

/** The options with their defaults. */
export interface ResolvedAppOptions {
  readonly config: Config
  readonly trustedRanges: readonly AddressRange[]
  /** True if the program set `staticDir`. Then the directory must exist. */
  readonly isStaticExplicit: boolean
}

/** The valid values of each option. */
const optionRules: OptionRules = {
  appDir: isDirectoryName,
  staticDir: isDirectoryName,
  bodyLimit: isSize,
  formPartLimit: isSize,
  trustedProxies: Array.isArray,
  logger: (value) => /^(?:boolean|object)$/.test(typeof value) && value !== null,
}

function isDirectoryName(value: unknown): boolean {
  return typeof value === "string" && /^[^\0]+$/.test(value)
}

function isSize(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/**
 * Fills in the defaults. @throws FwError `app_options` for an unknown or invalid option, `trusted_proxies` for a range
 * that is not valid.
 */
export function resolveOptions(options: AppOptions): ResolvedAppOptions {
  checkOptions(options, optionRules, "app_options", "new App()")
  const { appDir = "app", staticDir = "static", bodyLimit = 10 * 1024 * 1024, formPartLimit = 1000 } = options
  const trustedProxies = Object.freeze([...(options.trustedProxies ?? [])])
  return {
    config: Object.freeze({ appDir, staticDir, bodyLimit, formPartLimit, trustedProxies }),
    trustedRanges: trustedProxies.map(parseTrustedRange),
    isStaticExplicit: options.staticDir !== undefined,
  }
}

/** Checks a body limit. @throws FwError `app_options` for a value that is not a number of bytes. */
export function checkBodyLimit(limit: unknown, subject: string): asserts limit is number {
  if (!isSize(limit)) throw fault("app_options", ["bodyLimit", limit, subject])
}

function parseTrustedRange(text: unknown): AddressRange {
  const range = parseRange(text)
  if (typeof range === "string") throw fault("trusted_proxies", [text, range])
  return range
}
