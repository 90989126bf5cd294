/** Runs calls to a server with a time limit. If a call fails, its error says whether it may have been done. */
import { FwError } from "../errors.ts"
import { storeFault } from "./fault.ts"

/**
 * Whether a call may change something. A `read` is sent again if its connection is lost; a `write` is not, because it
 * may have been done.
 */
export type CallEffect = "read" | "write"

/**
 * What an error of a server means. In all three cases the call was not done. `refused`: it would never work. `again`:
 * the same call may work a moment later. `elsewhere`: this server accepts only reads, but another connection may lead
 * to one that accepts the call.
 */
export type ErrorMeaning = "refused" | "again" | "elsewhere"

/** What differs between engines. */
export interface Dialect {
  /** The name in messages: `Redis`. */
  readonly engine: string
  /** Returns the meaning of an error of the server; undefined for any other error, such as a lost connection. */
  classifyError(error: unknown): ErrorMeaning | undefined
  /** Removes values and passwords from an error, because the error is reported. */
  strip?(error: unknown): void
}

/** A call that is running. The engine sets the last two fields. */
export interface StoreCall {
  /** True if the call has ended, for example at its time limit. Then nothing may be sent for it. */
  readonly isOver: boolean
  /** The connection on which the call was sent; undefined before that. */
  connection: object | undefined
  /** The reason why the call could not be sent yet, such as a refused connection. */
  problem: unknown
}

/**
 * Milliseconds before a read is sent again. Without the pause, the client may not have noticed yet that the connection
 * is lost.
 */
const retryPauseMs = 10

/** A running call, with what is needed to send it again, to end it at its deadline, and to settle its promise. */
class PendingCall<Result = unknown> implements StoreCall {
  isOver = false
  connection: object | undefined = undefined
  problem: unknown = undefined
  /** How often the call was sent. When a call is sent again, the answer to the earlier attempt is ignored. */
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
    deadline: number,
    body: (task: StoreCall) => Promise<Result>,
    resolve: (result: Result) => void,
    reject: (error: unknown) => void,
  ) {
    this.call = call
    this.effect = effect
    this.deadline = deadline
    this.body = body
    this.resolve = resolve
    this.reject = reject
  }
}

/** Runs the calls of one store. */
export class StoreCalls {
  /** Maximum number of milliseconds for a call. */
  readonly timeoutMs: number
  readonly #dialect: Dialect
  readonly #drop: (connection: object, cause: unknown) => void
  /** The running calls. All have the same time limit, so they are also in the order in which their time ends. */
  readonly #runningCalls = new Set<PendingCall>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  /**
   * Creates the object that runs the calls of an engine.
   *
   * @param timeoutMs maximum number of milliseconds for a call.
   * @param drop closes a connection that did not answer in time, or whose server accepts only reads.
   */
  constructor(dialect: Dialect, timeoutMs: number, drop: (connection: object, cause: unknown) => void) {
    this.#dialect = dialect
    this.timeoutMs = timeoutMs
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

  /** Handles the end of a connection: sends the reads on it again, and ends the writes with an error. */
  handleLostConnection(connection: object, cause: unknown): void {
    for (const task of this.#runningCalls) if (task.connection === connection) this.#resend(task, cause)
  }

  /** Ends all calls, and refuses later ones. */
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
    const { connection } = task
    if (reply === "again") this.#sendAgain(task, error)
    else if (reply) this.#fail(task, "refused it", error)
    else if (connection) this.#resend(task, error)
    else this.#fail(task, "could not be reached", error)
    if (reply === "elsewhere" && connection) this.#drop(connection, error)
  }

  #resend(task: PendingCall, cause: unknown): void {
    if (task.effect === "write") this.#fail(task, "closed the connection", cause)
    else this.#sendAgain(task, cause)
  }

  /** Sends a call again that was not done or that only reads. */
  #sendAgain(task: PendingCall, cause: unknown): void {
    task.attempt += 1
    task.connection = undefined
    task.problem = cause
    setTimeout(() => this.#send(task), retryPauseMs)
  }

  #fail(task: PendingCall, problem: string, cause: unknown): void {
    if (task.isOver) return
    this.#remove(task)
    if (cause instanceof FwError) {
      task.reject(cause)
      return
    }
    const { engine, classifyError, strip } = this.#dialect
    strip?.(cause)
    const isUnknown = task.effect === "write" && task.connection !== undefined && !classifyError(cause)
    const code = isUnknown ? "store_unknown" : "store_unavailable"
    task.reject(storeFault(code, [task.call, engine, problem], { cause }))
  }

  readonly #endOverdue = (): void => {
    this.#timer = undefined
    const now = performance.now()
    for (const task of this.#runningCalls) {
      if (task.deadline > now) break
      const { connection, problem } = task
      const seconds = `${this.timeoutMs / 1000} s`
      if (!connection && this.#dialect.classifyError(problem)) this.#fail(task, `refused it for ${seconds}`, problem)
      else this.#fail(task, `${connection ? "did not answer" : "could not be reached"} in ${seconds}`, problem)
      // Dropping the connection also ends all other calls on it.
      if (connection) this.#drop(connection, new Error("a call was not answered in time"))
    }
    const [next] = this.#runningCalls
    if (next) this.#timer ??= setTimeout(this.#endOverdue, Math.max(1, next.deadline - now))
  }
}
