/** The options of an app and what becomes of them. Read once, when the app is made. */
import { type Accepted, checkOptions } from "./checks.ts"
import { fault } from "./fault.ts"
import { leftOut } from "./left-out.ts"
import type { RequestLoggerConfig } from "./log/logger.ts"
import { type AddressRange, parseRanges } from "./request/client-address.ts"

declare const FW_FORWARDING: boolean

/**
 * What `new App()` takes. Everything has a default.
 *
 * @example
 * const options: AppOptions = { bodyLimit: 1024 * 1024, trustedProxies: ["10.0.0.0/8"] }
 * const app = new App(options)
 * app.config.bodyLimit // → 1048576
 */
export interface AppOptions {
  /** The route directory, relative to the working directory. Default: `app`. */
  readonly appDir?: string
  /** The directory of static files, served under `/static`. Default: `static`, if that exists. */
  readonly staticDir?: string
  /** Bytes that a request's body may have. Default: 10 MiB. */
  readonly bodyLimit?: number
  /** Parts that a form may have, fields and files together. Default: 1,000. */
  readonly formPartLimit?: number
  /** Addresses and CIDR ranges whose forwarded headers tell the client's address. Default: none. */
  readonly trustedProxies?: readonly string[]
  /** The request logger; `false` is silence. Default: on, at level `info`. */
  readonly logger?: RequestLoggerConfig | boolean
}

/**
 * The configuration in force: `app.config`.
 *
 * @example
 * const { bodyLimit, trustedProxies }: Config = app.config
 * bodyLimit // → 10485760
 */
export interface Config {
  readonly appDir: string
  /** As given; `static` where nothing was. */
  readonly staticDir: string
  readonly bodyLimit: number
  readonly formPartLimit: number
  readonly trustedProxies: readonly string[]
}

/** What the options come to. */
export interface Resolved {
  readonly config: Config
  readonly trusted: readonly AddressRange[]
  /** Whether the static directory was asked for, and so must exist. */
  readonly staticAsked: boolean
}

/** What each option may be. */
const accepted: Accepted = {
  appDir: isDirectory,
  staticDir: isDirectory,
  bodyLimit: isSize,
  formPartLimit: isSize,
  trustedProxies: Array.isArray,
  logger: (value) => /^(?:boolean|object)$/.test(typeof value) && value !== null,
}

function isDirectory(value: unknown): boolean {
  return typeof value === "string" && /^[^\0]+$/.test(value)
}

function isSize(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** @throws FwError `app_options` for an unknown or invalid option, `trusted_proxies` for a range that is none. */
export function resolveOptions(options: AppOptions): Resolved {
  checkOptions("app_options", options, accepted)
  const { appDir = "app", staticDir = "static", bodyLimit = 10 * 1024 * 1024, formPartLimit = 1000 } = options
  const trustedProxies = Object.freeze([...(options.trustedProxies ?? [])])
  return {
    config: Object.freeze({ appDir, staticDir, bodyLimit, formPartLimit, trustedProxies }),
    trusted: trustedProxies.length > 0 ? rangesOf(trustedProxies) : [],
    staticAsked: options.staticDir !== undefined,
  }
}

/** @throws FwError `app_options` for what is no number of bytes. */
export function checkBodyLimit(limit: unknown, what: string): asserts limit is number {
  if (!isSize(limit)) throw fault("app_options", "bodyLimit", limit, what)
}

function rangesOf(texts: readonly string[]): AddressRange[] {
  return typeof FW_FORWARDING === "undefined" || FW_FORWARDING ? parseRanges(texts) : leftOut("FORWARDING")
}
