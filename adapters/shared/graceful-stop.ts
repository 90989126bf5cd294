/** A graceful stop, common to all servers. All callers wait for the same end, and a signal can cut it short. */
import type { App } from "../../lib/app.ts"
import {
  getShutdownFunctions,
  type ShutdownFunctions,
  waitUntilAborted,
} from "../../lib/lifecycle/shutdown-functions.ts"
import { reportBug } from "../../lib/log/process-log.ts"
import { env } from "../disk/env.ts"

/** Maximum number of requests that a message names. */
const maxNamedRequests = 10

/** The work that was unfinished when the time for a stop was over, by the reason with which the stop rejected. */
const unfinishedByReason = new WeakMap<object, string>()

/** Returns what had not finished when a stop rejected, as the end of a sentence: `with 2 requests unfinished: GET /a, GET /b`. */
export function describeUnfinished(reason: unknown): string {
  return unfinishedByReason.get(Object(reason)) ?? `with work unfinished: ${reason}`
}

function noteUnfinished(reason: unknown, description: string): unknown {
  if (Object(reason) === reason) unfinishedByReason.set(reason as object, description)
  return reason
}

/** How a server waits for connections that are on their way to it. */
export interface ConnectionWaits {
  /** Waits for the connections that the system has opened already, or for some of them. */
  next(): Promise<void>
  /** Waits, after the server has stopped listening, until no other process of the program takes connections. */
  end(): Promise<void>
}

const waitForTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

let connectionWaits: ConnectionWaits = { next: waitForTurn, end: waitForTurn }

/** Sets the waits of a worker, whose connections another process accepts. Default: a turn of the event loop. */
export function setConnectionWaits(ofWorker: ConnectionWaits): void {
  connectionWaits = ofWorker
}

/** The servers that have not stopped. */
const serving = new Set<GracefulStop>()

/** Returns the number of requests that are not answered yet, of all servers of the process. */
export function openRequests(): number {
  return [...serving].reduce((sum, { running }) => sum + running, 0)
}

/** Stops a server. Each adapter implements closing. */
export abstract class GracefulStop {
  readonly #stopController = new AbortController()
  /** Aborts when a caller no longer waits: everything is closed. */
  protected readonly forceController = new AbortController()
  readonly #background = new Set<Promise<unknown>>()
  #stopPromise: Promise<void> | undefined
  #appClosing: ShutdownFunctions | undefined
  /** True if every further response closes its connection. */
  isClosing = false

  /** Aborts when the stop begins, so that endless streams end. */
  get stopSignal(): AbortSignal {
    return this.#stopController.signal
  }

  /** The number of requests that are not answered yet. */
  abstract readonly running: number

  /**
   * The requests that were closed without their whole response, such as `GET /report`. Empty if the runtime does not
   * report them.
   */
  protected unfinishedRequests: readonly string[] = []

  /** The waits for connections that are on their way. */
  protected get connectionWaits(): ConnectionWaits {
    return connectionWaits
  }

  /** Waits for work, but not longer than the time for the stop. */
  protected async waitUnlessForced(work: Promise<unknown>): Promise<void> {
    await waitUntilAborted(work, this.forceController.signal).catch(() => {})
  }

  /** Closes the server gracefully; when {@link forceController} aborts, at once, and rejects with its reason. */
  protected abstract close(): Promise<void>

  /** Notes that the server listens: the functions of `app.onShutdown()` wait for its end. */
  markListening(app: App): void {
    this.#appClosing = getShutdownFunctions(app)
    this.#appClosing.addServer()
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
    this.isClosing = true
    this.#stopController.abort(new DOMException("the server is stopping", "AbortError"))
    this.#stopPromise ??= this.#end()
    const forceStop = () => this.forceController.abort(signal?.reason)
    if (signal?.aborted) forceStop()
    signal?.addEventListener("abort", forceStop)
    try {
      await this.#stopPromise
    } finally {
      signal?.removeEventListener("abort", forceStop)
    }
  }

  #describeUnfinished(): string {
    const { length } = this.unfinishedRequests
    if (length === 0 && this.#background.size > 0) return "with work of c.waitUntil() unfinished"
    if (length === 0) return "with requests unfinished"
    const requestNames = this.unfinishedRequests.slice(0, maxNamedRequests).join(", ")
    return `with ${length} request${length > 1 ? "s" : ""} unfinished: ${requestNames}${length > maxNamedRequests ? ", …" : ""}`
  }

  async #end(): Promise<void> {
    try {
      await this.close()
      // Background work may add more background work.
      while (this.#background.size > 0) {
        await waitUntilAborted(Promise.allSettled(this.#background), this.forceController.signal)
      }
    } catch (error) {
      // The time is over, so nobody waits. What can be closed at once is closed.
      this.#appClosing?.removeServer().catch((failure) => reportBug(failure, env))
      throw noteUnfinished(error, this.#describeUnfinished())
    } finally {
      serving.delete(this)
    }
    if (!this.#appClosing) return
    await waitUntilAborted(this.#appClosing.removeServer(), this.forceController.signal).catch((error) => {
      throw noteUnfinished(error, "with a function of app.onShutdown() unfinished")
    })
  }
}
