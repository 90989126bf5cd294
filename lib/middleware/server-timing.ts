/** `serverTiming()`: sends times for the developer tools of browsers (W3C Server Timing). */
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { isToken } from "../request/header-grammar.ts"
import { type SpanTimes, spanTimesKey } from "../trace/span.ts"
import type { MiddlewareFunc } from "../types.ts"

/**
 * Options of `serverTiming()`.
 *
 * @example
 * const options: ServerTimingOptions = { when: (c) => c.header("X-Debug") === "yes" }
 * app.use(serverTiming(options))
 */
export interface ServerTimingOptions {
  /**
   * Returns true to send the times of a request. Every client that gets them can learn what is slow. Default: always
   * true.
   */
  readonly when?: (c: Context) => boolean
}

/**
 * Adds the header `Server-Timing`, in milliseconds: `total`, the time until the response began, and the times that
 * `c.span()` has measured.
 *
 * @throws FwError `server_timing` for an unknown option.
 * @example
 * app.use(serverTiming())
 * const answer = await app.request("/")
 * answer.headers.get("Server-Timing")?.startsWith("total;dur=") // → true
 */
export function serverTiming(options: ServerTimingOptions = {}): MiddlewareFunc {
  checkKeys(options, ["when"], "server_timing", "serverTiming()", { when: "function" })
  const { when = () => true } = options
  return (next) => async (c) => {
    if (!when(c)) return next(c)
    const start = performance.now()
    const times: SpanTimes = new Map()
    c.set(spanTimesKey, times)
    const response = await next(c)
    const entries = [["total", performance.now() - start] as const, ...times]
    c.appendHeader("Server-Timing", entries.map(([name, ms]) => formatTiming(name, ms)).join(", "))
    return response
  }
}

/** Formats an entry of the header. A name that is not a valid token is sent as a description, which browsers show in its place. */
export function formatTiming(name: string, ms: number): string {
  const isPlain: boolean = isToken(name)
  if (isPlain) return `${name};dur=${ms.toFixed(1)}`
  const description = name.replace(/[^\x20-\x7e]/g, "?").replace(/["\\]/g, "\\$&")
  return `${name.replace(/[^\w-]/g, "_")};desc="${description}";dur=${ms.toFixed(1)}`
}
