/**
 * Publishes what a program does on channels of `node:diagnostics_channel`. Tracers, metrics and the inspector of `fw
 * dev` subscribe to them. Runtimes without such channels publish nothing.
 *
 * The framework first asks {@link OperationChannel.isWatched}, and creates no objects if nobody subscribes. The
 * closures for an operation are in a separate function, because V8 allocates them when a function begins.
 */
import { platform } from "#platform"
import { HttpError, type Issue } from "../errors.ts"
import type { Channel } from "./channel.ts"

/** The kinds of operations. */
export const operationKinds = [
  "request",
  "proxy",
  "middleware",
  "handler",
  "validation",
  "render",
  "store",
  "query",
  "fetch",
  "enqueue",
  "job",
  "socket",
  "span",
] as const

/**
 * A kind of operations. For each kind there are the channels `fw:<kind>:start` and `fw:<kind>:end`.
 *
 * @example
 * const kinds: OperationKind[] = ["store", "query"]
 */
export type OperationKind = (typeof operationKinds)[number]

type Attributes = Record<string, string | number | boolean>

/**
 * Something that a program does. `c` has no exact type here, because nearly every module would then import the types of
 * the context.
 */
export class Operation {
  readonly kind: OperationKind
  /**
   * A name, such as `kv.get` or the file of a middleware. The name of a request becomes `GET /users/{id}` at its end.
   */
  name: string
  /**
   * The context of the request to which it belongs. Undefined if it is not known, as in a store. A subscriber then
   * finds it with an AsyncLocalStorage that is bound to the start of requests.
   */
  readonly c: object | undefined
  /** Further facts, with names from the semantic conventions of OpenTelemetry. */
  readonly attributes: Attributes
  /** The start, in milliseconds of `performance.now()`. */
  readonly start = performance.now()
  /** The end, in milliseconds of `performance.now()`; 0 before the end. */
  end = 0
  /** The error that was thrown, or the `HttpError` that was returned; undefined if there was none. */
  error: unknown = undefined
  /** True if the database client is instrumented itself. A tracer would see the query twice. */
  isInstrumented = false
  /**
   * The span of a tracer. It is a field because a `WeakMap` entry per request would cost more than everything else
   * here.
   */
  span: object | undefined = undefined
  /**
   * Runs the code of the operation. A subscriber sets it at the start, so that the context of its library, such as
   * `context.with()` of OpenTelemetry, applies to that code.
   */
  around: (<Result>(run: () => Result) => Result) | undefined = undefined
  /** The problems that a schema found, if it refused the data. */
  issues: readonly Issue[] | undefined = undefined

  constructor(kind: OperationKind, name: string, c?: object, attributes: Attributes = {}) {
    this.kind = kind
    this.name = name
    this.c = c
    this.attributes = attributes
  }
}

/** The channels for one kind of operation. */
export class OperationChannel {
  readonly kind: OperationKind
  #start: Channel | undefined
  #end: Channel | undefined

  constructor(kind: OperationKind) {
    this.kind = kind
  }

  /** True if there are subscribers. */
  get isWatched(): boolean {
    // The channels are opened here, because modules are loaded before the platform is set.
    this.#start ??= platform.env.getChannel?.(`fw:${this.kind}:start`)
    this.#end ??= platform.env.getChannel?.(`fw:${this.kind}:end`)
    return this.#start?.hasSubscribers === true || this.#end?.hasSubscribers === true
  }

  /**
   * Runs a function as an operation. The operation ends when the function has returned, or when its promise has
   * settled.
   */
  run<Result>(name: string, run: (operation: Operation) => Result, c?: object, attributes?: Attributes): Result {
    const operation = new Operation(this.kind, name, c, attributes)
    return this.runOperation(operation, () => run(operation))
  }

  /** Runs a function as {@link run} does, but with an operation that exists already. */
  runOperation<Result>(operation: Operation, run: () => Result): Result {
    return this.begin(operation, () => {
      try {
        const result = run()
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

  /**
   * Publishes the start of an operation, and runs a function. During the run, the AsyncLocalStorage that is bound to
   * the channel has the operation as its store.
   */
  begin<Result>(operation: Operation, run: () => Result): Result {
    if (!this.#start) return run()
    return this.#start.runStores(operation, () => (operation.around ? operation.around(run) : run()))
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

/** The channels of all kinds. */
export const channels = Object.fromEntries(
  operationKinds.map((kind) => [kind, new OperationChannel(kind)]),
) as Readonly<Record<OperationKind, OperationChannel>>
