/** `rateLimit()`: limits the number of requests that a client may send in a period (RFC 6585 §4). */

import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { toHexDigest } from "../digest.ts"
import { HttpError } from "../errors.ts"
import { Outage } from "../lifecycle/outage.ts"
import { toNetwork } from "../request/address.ts"
import { findWorkerCount } from "../store/worker-count.ts"
import type { MiddlewareFunc } from "../types.ts"
import { middlewareFault } from "./fault.ts"
import { RateLimitMemory } from "./rate-limit-memory.ts"

/**
 * The number of requests that were counted under a key.
 *
 * @example const count: RateLimitCount = { count: 3, reset: 42 }
 */
export interface RateLimitCount {
  /** Requests in the current window, including this one. */
  readonly count: number
  /** Seconds until the window ends. */
  readonly reset: number
}

/**
 * Counts requests. Several processes that use the same store share a limit. Every store of `fw/store` has one as its
 * `counter`.
 *
 * @example
 * const counts = new Map<string, number>()
 * const store: RateLimitStore = {
 *   hit(key, window) {
 *     const count = (counts.get(key) ?? 0) + 1
 *     counts.set(key, count)
 *     return { count, reset: window }
 *   },
 * }
 * app.use(rateLimit({ limit: 10, store }))
 */
export interface RateLimitStore {
  /**
   * Counts one request under a key. The first request begins a window of `window` seconds, at whose end the count is
   * dropped. If it throws, the option `onFailure` of `rateLimit()` decides what happens.
   */
  hit(key: string, window: number): RateLimitCount | Promise<RateLimitCount>
}

/**
 * Options of `rateLimit()`.
 *
 * @example
 * const options: RateLimitOptions = { limit: 1000, window: 3600, key: (c) => c.getString("user_id") || null }
 * app.use(rateLimit(options))
 */
export interface RateLimitOptions {
  /** Requests per window. Default: 100. */
  readonly limit?: number
  /** Length of a window in whole seconds. Default: 60. */
  readonly window?: number
  /**
   * Returns the key under which a request is counted; null to not count it. Default: `c.clientIP`, where an IPv6
   * network of 64 bits is one client. If the address is unknown, the request is a 500, because all clients would share
   * one count, and one of them could lock out the others. Behind a reverse proxy all clients have the proxy's address,
   * unless `trustedProxies` contains it.
   */
  readonly key?: (c: Context) => string | null | Promise<string | null>
  /**
   * The store for the counts: a store of `fw/store`, which counts over all processes, or an object with `hit()`.
   * Default: the memory of this process, for at most {@link maxKeys} keys.
   */
  readonly store?: RateLimitStore | { readonly counter: RateLimitStore }
  /**
   * What happens while the store fails. `closed` refuses requests with 503, and `open` answers them without a limit.
   * Default: `closed`, because a limit may protect passwords.
   */
  readonly onFailure?: "closed" | "open"
  /**
   * Maximum number of keys in memory. If there are more, the key whose window ends first is dropped. Keys that have
   * used up their limit are dropped only if all have. Default: 50,000.
   */
  readonly maxKeys?: number
  /** Name of the limit in the headers, to tell several limits apart. Default: `default`. */
  readonly name?: string
}

const optionNames = ["limit", "window", "key", "store", "onFailure", "maxKeys", "name"]

/**
 * Answers 429 with `Retry-After` to clients that send too many requests. The headers `RateLimit` and `RateLimit-Policy`
 * of every response say how many requests remain (draft-ietf-httpapi-ratelimit-headers).
 *
 * @throws FwError `rate_limit` for an unknown or invalid option.
 * @example
 * app.use(rateLimit({ limit: 1, window: 60 }))
 * await app.request("/")
 * const answer = await app.request("/")
 * answer.status // → 429
 */
export function rateLimit(options: RateLimitOptions = {}): MiddlewareFunc & { readonly answers?: 429 } {
  checkKeys(options, optionNames, "rate_limit", "rateLimit()")
  const { limit = 100, window = 60, key = getClientKey, name = "default", maxKeys = 50_000 } = options
  for (const [option, value] of Object.entries({ limit, window, maxKeys })) checkCount(option, value)
  if (!/^[\w.-]+$/.test(name)) throw middlewareFault("rate_limit.name", [name])
  if (options.store && options.maxKeys !== undefined) throw middlewareFault("rate_limit.store_keys")
  if (typeof key !== "function") throw middlewareFault("rate_limit.key")
  const { onFailure = "closed" } = options
  if (onFailure !== "closed" && onFailure !== "open") throw middlewareFault("rate_limit.failure", [onFailure])
  const workers = findWorkerCount()
  if (workers && !options.store) throw middlewareFault("rate_limit.workers", [workers, options.name])
  const store = toCounter(options.store, `rate ${name} ${limit} ${window} `) ?? new RateLimitMemory(maxKeys, limit)
  const countRequest = createRequestCounter(store, window)
  return (next) => async (c) => {
    const client = await key(c)
    if (client === null) return next(c)
    // A key that is not text would be the same for all clients.
    if (typeof client !== "string") throw middlewareFault("rate_limit.key_result", [client])
    const hit = await countRequest(await shortenKey(client))
    if (hit === undefined) return onFailure === "open" ? next(c) : createUncountedError()
    const { count, reset } = hit
    const seconds = Math.max(1, Math.ceil(reset))
    // If a route has several limits, each adds a value.
    c.appendHeader("RateLimit-Policy", `"${name}";q=${limit};w=${window}`)
    c.appendHeader("RateLimit", `"${name}";r=${Math.max(0, limit - count)};t=${seconds}`)
    if (count <= limit) return next(c)
    return new HttpError(429, `too many requests: try again in ${seconds} s`, {
      headers: { "Retry-After": String(seconds) },
    })
  }
}

/**
 * Returns the counter of a store. @throws FwError `rate_limit` for a value that has none.
 *
 * @param prefix is put before the keys in a store of `fw/store`, which other limits and other parts of a program use
 * too.
 */
function toCounter(store: RateLimitOptions["store"], prefix: string): RateLimitStore | undefined {
  if (store === undefined) return undefined
  const { hit, capabilities } = Object(store) as { hit?: unknown; capabilities?: readonly string[] }
  if (typeof hit === "function") return store as RateLimitStore
  const isListed = !capabilities || capabilities.includes("counter")
  const counter = isListed ? (Object(store) as { counter?: RateLimitStore }).counter : undefined
  if (typeof counter?.hit !== "function") throw middlewareFault("rate_limit.store")
  return { hit: (key, window) => counter.hit(prefix + key, window) }
}

/**
 * Returns a function that counts a request under a key. If the store fails, the error is reported and the result is
 * undefined.
 */
function createRequestCounter(store: RateLimitStore, window: number) {
  const outage = new Outage()
  return async (key: string): Promise<RateLimitCount | undefined> => {
    try {
      const hit = await store.hit(key, window)
      const { count, reset } = Object(hit) as Partial<RateLimitCount>
      if (!Number.isFinite(count) || !Number.isFinite(reset)) throw middlewareFault("rate_limit.hit", [hit])
      outage.end()
      return hit
    } catch (error) {
      outage.reportFailure(error)
      return undefined
    }
  }
}

/** Returns the error for a request that cannot be counted. */
function createUncountedError(): HttpError {
  return new HttpError(503, "requests cannot be counted at the moment: try again", {
    headers: { "Retry-After": "1" },
  })
}

/** Returns the default key of a request. @throws FwError `rate_limit` if the address of the client is unknown. */
function getClientKey(c: Context): string {
  if (c.clientIP !== "") return toNetwork(c.clientIP)
  throw middlewareFault("rate_limit.client")
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: stores refuse these characters.
const unstorableCharacter = /[\u0000\ud800-\udfff]/u

/** Shortens a key. A client may have chosen it, and must not decide how much memory it takes. */
async function shortenKey(key: string): Promise<string> {
  return key.length <= 128 && !unstorableCharacter.test(key) ? key : toHexDigest(key)
}

function checkCount(option: string, value: unknown): void {
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw middlewareFault("rate_limit.count", [option, value])
}
