/**
 * Stops a server gracefully, in the same way on all runtimes. All callers wait for the same end, and a signal can end
 * the waiting.
 */
import type { App } from "../../lib/app.ts"
import {
  getShutdownFunctions,
  type ShutdownFunctions,
  waitUntilAborted,
} from "../../lib/lifecycle/shutdown-functions.ts"
import { reportBug } from "../../lib/log/process-log.ts"
import { env } from "../disk/env.ts"

/** Maximum number of requests that a message lists. */
const maxNamedRequests = 10

/** What had not finished when the time for a stop was over, by the reason with which the stop rejected. */
const unfinishedByReason = new WeakMap<object, string>()

/**
 * Returns what had not finished when a stop rejected. It is the end of a sentence: `with 2 requests unfinished: GET /a,
 * GET /b`.
 */
export function describeUnfinished(reason: unknown): string {
  return unfinishedByReason.get(Object(reason)) ?? `with work unfinished: ${reason}`
}

function noteUnfinished(reason: unknown, description: string): unknown {
  if (Object(reason) === reason) unfinishedByReason.set(reason as object, description)
  return reason
}

/** Waits for connections that have not reached the server yet. */
export interface ConnectionWaits {
  /** Waits for some or all of the connections that the system has already opened. */
  next(): Promise<void>
  /**
   * Called after the server has stopped listening. Waits until no other process of the program accepts connections for
   * it.
   */
  end(): Promise<void>
}

const waitForTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

let connectionWaits: ConnectionWaits = { next: waitForTurn, end: waitForTurn }

/** Sets the waits of a worker, whose connections are accepted by another process. Default: a turn of the event loop. */
export function setConnectionWaits(waits: ConnectionWaits): void {
  connectionWaits = waits
}

/** The servers that have not stopped yet. */
const runningServers = new Set<GracefulStop>()

/** Returns the number of unanswered requests of all servers in this process. */
export function countOpenRequests(): number {
  return [...runningServers].reduce((sum, { runningCount }) => sum + runningCount, 0)
}

/** Stops a server. Each adapter implements how its connections are closed. */
export abstract class GracefulStop {
  readonly #stopController = new AbortController()
  /** Aborts when a caller does not want to wait any longer. Then everything is closed at once. */
  protected readonly forceController = new AbortController()
  readonly #background = new Set<Promise<unknown>>()
  #stopPromise: Promise<void> | undefined
  #shutdownFunctions: ShutdownFunctions | undefined
  /** True if every further response must close its connection. */
  isClosing = false

  /** Aborts when the stop begins, so that endless streams end. */
  get stopSignal(): AbortSignal {
    return this.#stopController.signal
  }

  /** The number of requests that are not answered yet. */
  abstract readonly runningCount: number

  /**
   * Requests that were cut off before the end of their response, such as `GET /report`. The list is empty if the
   * runtime does not report them.
   */
  protected unfinishedRequests: readonly string[] = []

  /** Waits for connections that have not reached the server yet. */
  protected get connectionWaits(): ConnectionWaits {
    return connectionWaits
  }

  /** Waits for work, but not longer than the stop may take. */
  protected async waitUnlessForced(work: Promise<unknown>): Promise<void> {
    await waitUntilAborted(work, this.forceController.signal).catch(() => {})
  }

  /**
   * Closes the server gracefully. When {@link forceController} aborts, closes it at once and rejects with the signal's
   * reason.
   */
  protected abstract close(): Promise<void>

  /** Records that the server listens. The functions of `app.onShutdown()` are called only after it has stopped. */
  markListening(app: App): void {
    this.#shutdownFunctions = getShutdownFunctions(app)
    this.#shutdownFunctions.addServer()
    runningServers.add(this)
  }

  /** Adds a promise of `c.waitUntil()`. The stop waits for it. */
  waitUntil(promise: Promise<unknown>): void {
    this.#background.add(promise)
    const remove = () => this.#background.delete(promise)
    promise.then(remove, remove)
  }

  /**
   * Stops the server. Resolves when the last connection is closed, background work has settled, and the functions of
   * `app.onShutdown()` have run.
   *
   * @param signal ends the waiting for all callers. Everything is then closed at once.
   * @throws the signal's reason, and the FwError `on_shutdown` of a function that failed.
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
      // Background work may start further background work.
      while (this.#background.size > 0) {
        await waitUntilAborted(Promise.allSettled(this.#background), this.forceController.signal)
      }
    } catch (error) {
      // The time is over, so nothing is waited for. What can be closed at once is still closed.
      this.#shutdownFunctions?.removeServer().catch((failure) => reportBug(failure, env))
      throw noteUnfinished(error, this.#describeUnfinished())
    } finally {
      runningServers.delete(this)
    }
    if (!this.#shutdownFunctions) return
    await waitUntilAborted(this.#shutdownFunctions.removeServer(), this.forceController.signal).catch((error) => {
      throw noteUnfinished(error, "with a function of app.onShutdown() unfinished")
    })
  }
}
