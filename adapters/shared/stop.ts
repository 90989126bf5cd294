/** A graceful stop, common to all servers. All callers wait for the same end, and a signal can cut it short. */
import type { App } from "../../lib/app.ts"
import { type Closing, closingOf, untilAborted } from "../../lib/closing.ts"
import { reportBug } from "../../lib/log/process-log.ts"
import { env } from "../disk/env.ts"

/** Most requests that a message names. */
const mostNamed = 10

/** Unfinished work at the end of the time of a stop, by the reason with which it rejected. */
const unfinished = new WeakMap<object, string>()

/** Returns what had not finished when a stop rejected, as the end of a sentence: `with 2 requests unfinished: GET /a, GET /b`. */
export function unfinishedOf(reason: unknown): string {
  return unfinished.get(Object(reason)) ?? `with work unfinished: ${reason}`
}

function noted(reason: unknown, left: string): unknown {
  if (Object(reason) === reason) unfinished.set(reason as object, left)
  return reason
}

/** The waits of a server for connections that are on their way to it. */
export interface Arrivals {
  /** Waits for the connections that the system has opened already, or for some of them. */
  next(): Promise<void>
  /** Waits, after the server has stopped to listen, until no other process of the program takes connections. */
  end(): Promise<void>
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

let arrivals: Arrivals = { next: turn, end: turn }

/** Sets the waits of a worker, whose connections another process accepts. Default: a turn of the event loop. */
export function waitForArrivals(ofWorker: Arrivals): void {
  arrivals = ofWorker
}

/** The servers that have not stopped. */
const serving = new Set<Stop>()

/** Returns the number of requests that are not answered yet, of all servers of the process. */
export function openRequests(): number {
  return [...serving].reduce((sum, { running }) => sum + running, 0)
}

/** Stops a server. Each adapter implements closing. */
export abstract class Stop {
  readonly #leaving = new AbortController()
  /** Aborts when a caller no longer waits: everything is closed. */
  protected readonly cut = new AbortController()
  readonly #background = new Set<Promise<unknown>>()
  #closed: Promise<void> | undefined
  #closing: Closing | undefined
  /** True if every further response closes its connection. */
  closing = false

  /** Aborts when the stop begins, so that endless streams end. */
  get leaving(): AbortSignal {
    return this.#leaving.signal
  }

  /** The number of requests that are not answered yet. */
  abstract readonly running: number

  /** The requests that were closed without their whole response, such as `GET /report`. Empty where the runtime does not say it. */
  protected cutOff: readonly string[] = []

  /** The waits for connections that are on their way. */
  protected get arrivals(): Arrivals {
    return arrivals
  }

  /** Waits for work, but not longer than the stop may take. */
  protected async unlessCut(work: Promise<unknown>): Promise<void> {
    await untilAborted(work, this.cut.signal).catch(() => {})
  }

  /** Closes the server gracefully; when {@link cut} aborts, at once, and rejects with its reason. */
  protected abstract close(): Promise<void>

  /** Notes that the server listens: the functions of `app.onShutdown()` wait for its end. */
  serves(app: App): void {
    this.#closing = closingOf(app)
    this.#closing.open()
    serving.add(this)
  }

  /** Adds a promise of `c.waitUntil()`, for which the stop waits. */
  waitUntil(promise: Promise<unknown>): void {
    this.#background.add(promise)
    const done = () => this.#background.delete(promise)
    promise.then(done, done)
  }

  /**
   * Stops the server; resolves when its last connection is closed, background work has settled, and what the app opened is closed.
   *
   * @param signal ends the wait of every caller; everything is closed then.
   * @throws its reason, and the FwError `on_shutdown` of a function that failed.
   */
  async shutdown(signal: AbortSignal | undefined): Promise<void> {
    this.closing = true
    this.#leaving.abort(new DOMException("the server is stopping", "AbortError"))
    this.#closed ??= this.#end()
    const cut = () => this.cut.abort(signal?.reason)
    if (signal?.aborted) cut()
    signal?.addEventListener("abort", cut)
    try {
      await this.#closed
    } finally {
      signal?.removeEventListener("abort", cut)
    }
  }

  #unfinished(): string {
    const { length } = this.cutOff
    if (length === 0 && this.#background.size > 0) return "with work of c.waitUntil() unfinished"
    if (length === 0) return "with requests unfinished"
    const named = this.cutOff.slice(0, mostNamed).join(", ")
    return `with ${length} request${length > 1 ? "s" : ""} unfinished: ${named}${length > mostNamed ? ", …" : ""}`
  }

  async #end(): Promise<void> {
    try {
      await this.close()
      // Background work may add more.
      while (this.#background.size > 0) {
        await untilAborted(Promise.allSettled(this.#background), this.cut.signal)
      }
    } catch (error) {
      // The time is over, so nobody waits. What can be closed at once is closed.
      this.#closing?.close().catch((failure) => reportBug(failure, env))
      throw noted(error, this.#unfinished())
    } finally {
      serving.delete(this)
    }
    if (!this.#closing) return
    await untilAborted(this.#closing.close(), this.cut.signal).catch((error) => {
      throw noted(error, "with a function of app.onShutdown() unfinished")
    })
  }
}
