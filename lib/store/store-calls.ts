/** Calls to a server: each ends within a time limit, and says what is known about one that fails. */
import { FwError } from "../errors.ts"
import { storeFault } from "./fault.ts"

/** `read`: the call changes nothing, so it is sent again if its connection is lost. `write`: it may change something. */
export type CallEffect = "read" | "write"

/**
 * The meaning of an error of a server. The call was not done. `refused`: it never works. `again`: the same call may work a moment
 * later. `elsewhere`: another connection may work, because this server only reads.
 */
export type ErrorMeaning = "refused" | "again" | "elsewhere"

/** The part of calls that differs between engines. */
export interface Dialect {
  /** Name in messages: `Redis`. */
  readonly engine: string
  /** Returns what an error of the server means; undefined for another error, such as a lost connection. */
  classifyError(error: unknown): ErrorMeaning | undefined
  /** Removes values and passwords from an error, because it is reported as the cause. */
  strip?(error: unknown): void
}

/** A call that runs. The engine sets the fields. */
export interface StoreCall {
  /** True if the call ended before. Nothing may be sent for it then. */
  readonly isOver: boolean
  /** The connection to which the call was sent; undefined before. */
  sentTo: object | undefined
  /** The reason why the call has not been sent yet, such as a refused connection. */
  problem: unknown
}

/** Milliseconds before a call that only reads is sent again. The client may not know yet that its connection is lost. */
const retryPauseMs = 10

/** A call that runs. */
class PendingCall<Result = unknown> implements StoreCall {
  isOver = false
  sentTo: object | undefined = undefined
  problem: unknown = undefined
  /** Counts how often the call was sent: the promise of a lost connection may reject after the call was sent again. */
  attempt = 0
  readonly call: string
  readonly effect: CallEffect
  readonly deadline: number
  readonly body: (task: StoreCall) => Promise<Result>
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void

  constructor(
    call: string,
    effect: CallEffect,
    end: number,
    body: (task: StoreCall) => Promise<Result>,
    resolve: (result: Result) => void,
    reject: (error: unknown) => void,
  ) {
    this.call = call
    this.effect = effect
    this.deadline = end
    this.body = body
    this.resolve = resolve
    this.reject = reject
  }
}

/** The calls of a store. */
export class StoreCalls {
  /** Milliseconds that a call may take. */
  readonly timeoutMs: number
  readonly #dialect: Dialect
  readonly #drop: (connection: object, cause: unknown) => void
  /** In the order of their ends, since every call has the same limit. */
  readonly #runningCalls = new Set<PendingCall>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  /**
   * Creates the calls of an engine.
   *
   * @param limit milliseconds.
   * @param drop ends a connection that did not answer in time, or whose server only reads.
   */
  constructor(dialect: Dialect, limit: number, drop: (connection: object, cause: unknown) => void) {
    this.#dialect = dialect
    this.timeoutMs = limit
    this.#drop = drop
  }

  /**
   * Runs a call.
   *
   * @throws FwError `store_unavailable` or `store_unknown`; `store` after {@link close}.
   */
  run<Result>(call: string, effect: CallEffect, body: (task: StoreCall) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(storeFault("store.closed", [call]))
      const task = new PendingCall(call, effect, performance.now() + this.timeoutMs, body, resolve, reject)
      this.#runningCalls.add(task as PendingCall)
      this.#timer ??= setTimeout(this.#endOverdue, this.timeoutMs)
      this.#send(task as PendingCall)
    })
  }

  /** Ends the calls that were sent to a connection which is lost, or sends those that only read again. */
  handleLostConnection(connection: object, cause: unknown): void {
    for (const task of this.#runningCalls) if (task.sentTo === connection) this.#resend(task, cause)
  }

  /** Ends all calls. Later ones are refused. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const task of this.#runningCalls) this.#fail(task, "was closed by store.close()", undefined)
  }

  #send(task: PendingCall): void {
    const { attempt } = task
    if (task.isOver) return
    task.body(task).then(
      (result) => {
        if (!task.isOver) this.#remove(task)
        task.resolve(result)
      },
      (error) => {
        if (!task.isOver && attempt === task.attempt) this.#refuse(task, error)
      },
    )
  }

  #remove(task: PendingCall): void {
    task.isOver = true
    this.#runningCalls.delete(task)
  }

  #refuse(task: PendingCall, error: unknown): void {
    const reply = this.#dialect.classifyError(error)
    const { sentTo } = task
    if (reply === "again") this.#sendAgain(task, error)
    else if (reply) this.#fail(task, "refused it", error)
    else if (sentTo) this.#resend(task, error)
    else this.#fail(task, "could not be reached", error)
    if (reply === "elsewhere" && sentTo) this.#drop(sentTo, error)
  }

  #resend(task: PendingCall, cause: unknown): void {
    if (task.effect === "write") this.#fail(task, "closed the connection", cause)
    else this.#sendAgain(task, cause)
  }

  /** Sends a call again that was not done, or only reads. */
  #sendAgain(task: PendingCall, cause: unknown): void {
    task.attempt += 1
    task.sentTo = undefined
    task.problem = cause
    setTimeout(() => this.#send(task), retryPauseMs)
  }

  #fail(task: PendingCall, why: string, cause: unknown): void {
    if (task.isOver) return
    this.#remove(task)
    if (cause instanceof FwError) {
      task.reject(cause)
      return
    }
    const { engine, classifyError, strip } = this.#dialect
    strip?.(cause)
    const isUnknown = task.effect === "write" && task.sentTo !== undefined && !classifyError(cause)
    const code = isUnknown ? "store_unknown" : "store_unavailable"
    task.reject(storeFault(code, [task.call, engine, why], { cause }))
  }

  readonly #endOverdue = (): void => {
    this.#timer = undefined
    const now = performance.now()
    for (const task of this.#runningCalls) {
      if (task.deadline > now) break
      const { sentTo, problem } = task
      const seconds = `${this.timeoutMs / 1000} s`
      if (!sentTo && this.#dialect.classifyError(problem)) this.#fail(task, `refused it for ${seconds}`, problem)
      else this.#fail(task, `${sentTo ? "did not answer" : "could not be reached"} in ${seconds}`, problem)
      // This ends the other calls on the connection too.
      if (sentTo) this.#drop(sentTo, new Error("a call was not answered in time"))
    }
    const [next] = this.#runningCalls
    if (next) this.#timer ??= setTimeout(this.#endOverdue, Math.max(1, next.deadline - now))
  }
}
