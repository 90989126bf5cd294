/**
 * What a program does, published on channels of `node:diagnostics_channel`: the one place that tracers, metrics and the
 * inspector of `fw dev` read. While nobody listens, a place of the framework asks {@link OperationChannel.isWatched}, and
 * makes nothing. Its closures are made in another function, because V8 makes the scope of closures when a function begins.
 * Runtimes without such channels publish nothing.
 */
import { platform } from "#platform"
import { HttpError, type Issue } from "../errors.ts"
import type { Channel } from "./channel.ts"

/**
 * The kinds of operations. Each has the channels `fw:<kind>:start` and `fw:<kind>:end`.
 *
 * @example
 * const kinds: OperationKind[] = ["store", "query"]
 */
export type OperationKind =
  | "request"
  | "proxy"
  | "middleware"
  | "handler"
  | "validation"
  | "render"
  | "store"
  | "query"
  | "job"
  | "socket"
  | "span"

/** Something that a program does. It names no type of a context, which almost every module would import with it. */
export class Operation {
  readonly kind: OperationKind
  /** Such as `kv.get`, or the file of a middleware. That of a request becomes `GET /users/{id}` at its end. */
  name: string
  /** The request to which it belongs. Undefined if it is not known, as in a store: a store that is bound to the start of the request tells. */
  readonly c: object | undefined
  /** More about it, by names of the semantic conventions of OpenTelemetry. */
  readonly attributes: Record<string, string | number | boolean>
  /** In milliseconds of `performance.now()`. */
  readonly start = performance.now()
  /** As {@link start}; 0 until then. */
  end = 0
  /** What was thrown, or an `HttpError` that was returned; undefined if there was none. */
  error: unknown = undefined
  /** True if the client of a query is instrumented itself, so that a tracer of the program sees the query twice. */
  isInstrumented = false
  /** The span of who traces: a `WeakMap` for each request would cost more than all the rest. */
  span: object | undefined = undefined
  /** What a schema found in data that it refused. */
  issues: readonly Issue[] | undefined = undefined

  constructor(
    kind: OperationKind,
    name: string,
    c?: object,
    attributes: Record<string, string | number | boolean> = {},
  ) {
    this.kind = kind
    this.name = name
    this.c = c
    this.attributes = attributes
  }
}

/** The channels of one kind of operations. */
export class OperationChannel {
  readonly kind: OperationKind
  #start: Channel | undefined
  #end: Channel | undefined
  #isOpen = false

  constructor(kind: OperationKind) {
    this.kind = kind
  }

  /** True if somebody listens. */
  get isWatched(): boolean {
    if (!this.#isOpen) this.#open()
    return this.#start?.hasSubscribers === true || this.#end?.hasSubscribers === true
  }

  /** Opens the channels with the first question, because modules are loaded before the platform is there. */
  #open(): void {
    this.#start = platform.env.channel?.(`fw:${this.kind}:start`)
    this.#end = platform.env.channel?.(`fw:${this.kind}:end`)
    this.#isOpen = true
  }

  /** Runs a function as an operation, which ends when the function or its promise does. */
  run<Result>(
    name: string,
    run: (operation: Operation) => Result,
    c?: object,
    attributes?: Operation["attributes"],
    isInstrumented = false,
  ): Result {
    const operation = new Operation(this.kind, name, c, attributes)
    operation.isInstrumented = isInstrumented
    return this.begin(operation, () => {
      try {
        const result = run(operation)
        if (!(result instanceof Promise)) return this.#settle(operation, result)
        return result.then(
          (value) => this.#settle(operation, value),
          (error) => this.#fail(operation, error),
        ) as Result
      } catch (error) {
        return this.#fail(operation, error)
      }
    })
  }

  /** Publishes the start of an operation, and runs it. A store that is bound to the channel is set for everything in the run. */
  begin<Result>(operation: Operation, run: () => Result): Result {
    return this.#start ? this.#start.runStores(operation, run) : run()
  }

  /** Publishes the end of an operation. */
  end(operation: Operation, error: unknown): void {
    operation.end = performance.now()
    operation.error = error
    this.#end?.publish(operation)
  }

  #settle<Result>(operation: Operation, result: Result): Result {
    this.end(operation, result instanceof HttpError ? result : undefined)
    return result
  }

  #fail(operation: Operation, error: unknown): never {
    this.end(operation, error)
    throw error
  }
}

export const proxyChannel = new OperationChannel("proxy")
export const middlewareChannel = new OperationChannel("middleware")
export const handlerChannel = new OperationChannel("handler")
export const validationChannel = new OperationChannel("validation")
export const renderChannel = new OperationChannel("render")
export const storeChannel = new OperationChannel("store")
export const queryChannel = new OperationChannel("query")
export const jobChannel = new OperationChannel("job")
export const socketChannel = new OperationChannel("socket")
export const spanChannel = new OperationChannel("span")
