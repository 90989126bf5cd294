/** `serverTiming()`: reports times for the browser's developer tools (W3C Server Timing). */
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { checkContext } from "../context-key.ts"
import { isToken } from "../request/header-grammar.ts"
import { describeType } from "../text.ts"
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
   * Returns true to send the times of a request. Every client can read them and learn what is slow. Default:
   * always.
   */
  readonly when?: (c: Context) => boolean
}

/** Context key where `timed()` stores its times, if `serverTiming()` is used. */
const timesKey = "server_timing"

/**
 * Sends `Server-Timing` with the time until the response began, `total`, and the times measured with
 * `timed()`, in milliseconds.
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
    const times = new Map<string, number>()
    c.set(timesKey, times)
    const response = await next(c)
    const all = [["total", performance.now() - start] as const, ...times]
    c.appendHeader("Server-Timing", all.map(([name, time]) => `${name};dur=${time.toFixed(1)}`).join(", "))
    return response
  }
}

/**
 * Runs a function and records its time under a name, also when it fails. Times of the same name are added up.
 *
 * @throws TypeError for a missing context, and for a name that is not a token.
 * @example
 * app.use(serverTiming())
 * app.get("/", async (c) => c.json(200, await timed(c, "db", async () => ["a", "b"])))
 * const answer = await app.request("/")
 * await answer.json() // → ["a", "b"]
 */
export async function timed<T>(c: Context, name: string, run: () => T | Promise<T>): Promise<T> {
  checkContext(c, "timed()")
  if (!isToken(name))
    throw new TypeError(`${JSON.stringify(name)} is not a name for a time: use letters, digits, _ and -`)
  if (typeof run !== "function") throw new TypeError(`timed() takes a function to run, not ${describeType(run)}`)
  const times = c.get<Map<string, number>>(timesKey)
  const start = performance.now()
  try {
    return await run()
  } finally {
    times?.set(name, (times.get(name) ?? 0) + performance.now() - start)
  }
}
