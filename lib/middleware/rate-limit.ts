/** `rateLimit()`: limits the number of requests of a client in a period (RFC 6585 §4). */

import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { HttpError } from "../errors.ts"
import { networkOf } from "../request/client-address.ts"
import type { MiddlewareFunc } from "../types.ts"
import { middlewareFault } from "./fault.ts"
import { MemoryStore } from "./rate-limit-memory.ts"

/**
 * The count of a key.
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
 * Counts requests, for several processes that share a limit: over Redis, `INCR`, `EXPIRE … NX` and `TTL`.
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
   * Counts one request under a key. The key's first request begins a window of `window` seconds, after which
   * the count is dropped. An error is a 500; a store that should accept requests when it fails must catch its
   * errors.
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
   * Returns the key under which a request is counted; null to not count it. Default: `c.clientIP`, with an
   * IPv6 network of 64 bits as one client. If the address is unknown, the request is a 500, because with one
   * count for all clients one of them could lock out all others. Behind a reverse proxy the address is that
   * of the proxy for all clients, unless `trustedProxies` lists it.
   */
  readonly key?: (c: Context) => string | null | Promise<string | null>
  /** Store for the counts. Default: this process's memory, for at most {@link maxKeys} keys. */
  readonly store?: RateLimitStore
  /**
   * Most keys in memory. Beyond it, the key whose window ends first is dropped; one that has used up its
   * limit only if all have. Default: 50,000.
   */
  readonly maxKeys?: number
  /** Name of the policy in the headers, if several limits apply. Default: `default`. */
  readonly name?: string
}

const options = ["limit", "window", "key", "store", "maxKeys", "name"]

/**
 * Answers 429 with `Retry-After` to clients that send too many requests, and adds the remaining requests to
 * every response, in `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
 *
 * @throws FwError `rate_limit` for an unknown or invalid option.
 * @example
 * app.use(rateLimit({ limit: 1, window: 60 }))
 * await app.request("/")
 * const answer = await app.request("/")
 * answer.status // → 429
 */
export function rateLimit(given: RateLimitOptions = {}): MiddlewareFunc & { readonly answers?: 429 } {
  checkKeys(given, options, "rate_limit", "rateLimit()")
  const { limit = 100, window = 60, key = clientKey, name = "default", maxKeys = 50_000 } = given
  for (const [option, value] of Object.entries({ limit, window, maxKeys })) checkCount(option, value)
  if (!/^[\w.-]+$/.test(name)) throw middlewareFault("rate_limit.name", [name])
  if (given.store && given.maxKeys !== undefined) throw middlewareFault("rate_limit.store_keys")
  if (typeof key !== "function") throw middlewareFault("rate_limit.key")
  const store = given.store ?? new MemoryStore(maxKeys, limit)
  if (typeof store.hit !== "function") throw middlewareFault("rate_limit.store")
  return (next) => async (c) => {
    const who = await key(c)
    if (who === null) return next(c)
    const { count, reset } = await store.hit(await bounded(who), window)
    const seconds = Math.max(1, Math.ceil(reset))
    // A route with several limits has several values.
    c.appendHeader("RateLimit-Policy", `"${name}";q=${limit};w=${window}`)
    c.appendHeader("RateLimit", `"${name}";r=${Math.max(0, limit - count)};t=${seconds}`)
    if (count <= limit) return next(c)
    return new HttpError(429, `too many requests: try again in ${seconds} s`, {
      headers: { "Retry-After": String(seconds) },
    })
  }
}

/** Returns the default key. @throws FwError `rate_limit` if the client is unknown. */
function clientKey(c: Context): string {
  if (c.clientIP !== "") return networkOf(c.clientIP)
  throw middlewareFault("rate_limit.client")
}

/** Shortens a key, because a client may have chosen it and must not decide how much memory it takes. */
async function bounded(key: string): Promise<string> {
  if (key.length <= 128) return key
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

function checkCount(option: string, value: unknown): void {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw middlewareFault("rate_limit.count", [option, value])
}
