/**
 * One check of `app.health()`: runs a function of the program with a time limit, and reuses its result for a moment.
 */
import { Outage } from "../lifecycle/outage.ts"

/**
 * Finds out whether something works that the program depends on, such as a database. The check has failed if the
 * function throws, rejects, returns `false`, or takes too long.
 *
 * @param signal aborts when the time of the check is over.
 * @example
 * const database: HealthCheck = async (signal) => {
 *   await fetch("http://127.0.0.1:8123/ping", { signal })
 * }
 */
export type HealthCheck = (signal: AbortSignal) => unknown

/** The result of a check, which clients see. The reason of a failure is only reported. */
export type CheckResult = "ok" | "failed" | "timeout"

/** The time limit of a check, and how long its result is reused, in seconds. */
export interface CheckLimits {
  readonly timeout: number
  readonly cache: number
}

/** Stands for a check that took too long. It is a symbol, because a check may return any other value. */
const timedOut = Symbol()

/** A check whose result many requests share. */
export class SharedCheck {
  readonly #name: string
  readonly #check: HealthCheck
  readonly #limits: CheckLimits
  readonly #outage = new Outage()
  #lastResult: { readonly result: CheckResult; readonly until: number } | undefined
  #runPromise: Promise<CheckResult> | undefined

  constructor(name: string, check: HealthCheck, limits: CheckLimits) {
    this.#name = name
    this.#check = check
    this.#limits = limits
  }

  /**
   * Returns the last result if it is new enough, otherwise the result of a new run.
   *
   * @param mayShare false if a request must not wait for a run that another request has started, as on workers.
   */
  getResult(mayShare: boolean): CheckResult | Promise<CheckResult> {
    if (this.#lastResult && performance.now() < this.#lastResult.until) return this.#lastResult.result
    if (!mayShare) return this.#run()
    this.#runPromise ??= this.#run().finally(() => {
      this.#runPromise = undefined
    })
    return this.#runPromise
  }

  async #run(): Promise<CheckResult> {
    const result = await this.#runCheck()
    this.#lastResult = { result, until: performance.now() + this.#limits.cache * 1000 }
    return result
  }

  async #runCheck(): Promise<CheckResult> {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const { timeout } = this.#limits
    const timeoutPromise = new Promise<typeof timedOut>((resolve) => {
      timer = setTimeout(() => {
        resolve(timedOut)
        controller.abort(new DOMException("the health check took too long", "TimeoutError"))
      }, timeout * 1000)
    })
    try {
      const result = await Promise.race([timeoutPromise, this.#check(controller.signal)])
      if (result === timedOut) return this.#reportFailure("timeout", `it took longer than ${timeout} s`)
      if (result === false) return this.#reportFailure("failed", "it returned false")
      this.#outage.end()
      return "ok"
    } catch (error) {
      return this.#reportFailure("failed", "it threw an error", error)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Reports a failure, unless the previous run failed in the same way. A timeout and a failure are both reported,
   * because a timeout does not tell the reason of the failure.
   */
  #reportFailure<Result extends CheckResult>(result: Result, problem: string, cause?: unknown): Result {
    if (this.#lastResult?.result !== result) this.#outage.end()
    const message = `the health check ${JSON.stringify(this.#name)} failed: ${problem}`
    this.#outage.reportFailure(new Error(message, cause === undefined ? {} : { cause }))
    return result
  }
}
