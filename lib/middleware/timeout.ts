/** `timeout()`: limits the time until a handler returns its response. */
import { isBug } from "../chain.ts"
import { checkKeys } from "../checks.ts"
import { HttpError } from "../errors.ts"
import { maxTimerSeconds } from "../lifecycle/seconds.ts"
import type { MiddlewareFunc } from "../types.ts"
import { middlewareFault } from "./fault.ts"

/**
 * Options of `timeout()`, in addition to the time.
 *
 * @example
 * const options: TimeoutOptions = { status: 504 }
 * app.use(timeout(30, options))
 */
export interface TimeoutOptions<Status extends 503 | 504 = 503 | 504> {
  /** The status: 503, or 504 if the program waits for another server. Default: 503. */
  readonly status?: Status
}

/**
 * Answers 503 if there is no response in time, and aborts `c.signal` with a `TimeoutError`. Pass the signal to `fetch`,
 * to the database, and to everything else that can be stopped. A handler that ignores it keeps running, but its
 * response is dropped. The body of a response has no time limit.
 *
 * @param seconds the time, more than 0. Fractions are allowed.
 * @throws FwError `timeout` for an invalid time, and for an unknown or invalid option.
 * @example
 * app.use(timeout(0.01, { status: 504 }))
 * app.get("/", (c) => new Promise((_, reject) => c.signal.addEventListener("abort", () => reject(c.signal.reason))))
 * const answer = await app.request("/")
 * await answer.json() // → { error: "gateway_timeout", message: "no answer within 0.01 s" }
 */
export function timeout<Status extends 503 | 504 = 503>(
  seconds: number,
  options: TimeoutOptions<Status> = {},
): MiddlewareFunc & { readonly answers?: Status } {
  checkKeys(options, ["status"], "timeout", "timeout()")
  const { status = 503 as Status } = options
  if (typeof seconds !== "number" || !(seconds > 0 && seconds <= maxTimerSeconds))
    throw middlewareFault("timeout.seconds", [seconds, maxTimerSeconds])
  if (status !== 503 && status !== 504) throw middlewareFault("timeout.status", [status])
  return (next) => async (c) => {
    const controller = new AbortController()
    c.addSignal(controller.signal)
    const answer = Promise.resolve(next(c))
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeoutPromise = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), seconds * 1000)
    })
    const response = await Promise.race([answer, timeoutPromise])
    clearTimeout(timer)
    if (response) return response
    const timeoutError = new HttpError(status, `no answer within ${seconds} s`)
    controller.abort(new DOMException(timeoutError.message, "TimeoutError"))
    c.waitUntil(
      answer.then(async (response) => {
        const { error } = c
        // The late response is dropped. Its body is cancelled, so that its source stops, and nobody needs to know about
        // an error of that source.
        await response.body?.cancel().catch(() => {})
        if (error !== timeoutError && isBug(c, error)) throw error
      }),
    )
    return timeoutError
  }
}
