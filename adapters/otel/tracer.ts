/**
 * Creates spans that fw exports, and defines what they have in common with the spans of a program's own OpenTelemetry.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import type { Context } from "../../lib/context.ts"
import type { Settings } from "./settings.ts"
import type { Attributes } from "./span.ts"
import {
  createTraceHeaders,
  RecordedSpan,
  readClock,
  readRandomness,
  readTraceparent,
  Span,
  spanKinds,
} from "./span.ts"

export type SpanKind = keyof typeof spanKinds

/** The data that a span gets when it ends. */
export interface SpanEnd {
  readonly name?: string
  readonly attributes: Attributes
  /** True if the operation has failed. */
  readonly isError: boolean
  /** The attributes of the error. Set if it is a bug. */
  readonly exception?: Attributes | undefined
}

/** Creates spans of the type `Handle`. */
export interface Tracer<Handle extends object> {
  /** Runs code for which a span is the current one. */
  run<Result>(span: Handle, run: () => Result): Result
  /** The span of the code that is running. */
  readonly current: Handle | undefined
  /** Returns a span for a request. It begins a trace, or continues that of another program. */
  beginRequest(c: Context): Handle
  /** Returns the first span of a trace that does not belong to a request. */
  beginRoot(name: string, kind: SpanKind, attributes: Attributes): Handle
  /** Returns a span inside of one that is recorded. */
  beginChild(parent: Handle, name: string, kind: SpanKind, attributes: Attributes): Handle
  /** True if the span will be exported. */
  isRecorded(span: Handle): boolean
  end(span: Handle, outcome: SpanEnd): void
  getIDs(span: Handle): { readonly trace_id: string; readonly span_id: string }
  /** Returns the headers with which another program continues the trace. */
  createHeaders(span: Handle): [name: string, value: string][]
  /** True if other instrumentations in the program create spans too. */
  readonly hasOthers?: boolean
  /** Tells other instrumentations, such as that of node:http, the route of the request. */
  noteRoute?(span: Handle, pattern: string): void
}

type OwnTracerSettings = Pick<Settings, "sampler" | "propagators">

/** Creates spans that fw itself exports. */
export class OwnTracer implements Tracer<Span> {
  readonly #store = new AsyncLocalStorage<Span | undefined>()
  readonly #settings: OwnTracerSettings
  readonly #isPropagating: boolean
  readonly #finish: (span: RecordedSpan) => void

  /**
   * @param isPropagating true if outgoing requests continue traces, also those that are not recorded.
   * @param finish takes each recorded span when it has ended.
   */
  constructor(settings: OwnTracerSettings, isPropagating: boolean, finish: (span: RecordedSpan) => void) {
    this.#settings = settings
    this.#isPropagating = isPropagating
    this.#finish = finish
  }

  get current(): Span | undefined {
    return this.#store.getStore()
  }

  run<Result>(span: Span, run: () => Result): Result {
    // Nobody asks for a span that is neither recorded nor continued. Keeping it would cost most of an unrecorded request.
    const isNeeded = this.isRecorded(span) || this.#isPropagating || this.current !== undefined
    return isNeeded ? this.#store.run(span, run) : run()
  }

  /** Runs code whose operations get no spans. */
  runUntraced<Result>(run: () => Result): Result {
    return this.#store.run(undefined, run)
  }

  beginRequest(c: Context): Span {
    const parent = this.#settings.propagators.includes("tracecontext") ? readTraceparent(c) : undefined
    const randomness = parent ? readRandomness(parent.traceID) : Math.random()
    return this.#settings.sampler(randomness, parent?.isSampled)
      ? new RecordedSpan(c.method, spanKinds.server, {}, parent, c, randomness)
      : new Span(parent, c, randomness)
  }

  beginRoot(name: string, kind: SpanKind, attributes: Attributes): Span {
    const randomness = Math.random()
    return this.#settings.sampler(randomness, undefined)
      ? new RecordedSpan(name, spanKinds[kind], { ...attributes }, undefined, undefined, randomness)
      : new Span(undefined, undefined, randomness)
  }

  beginChild(parent: Span, name: string, kind: SpanKind, attributes: Attributes): Span {
    return new RecordedSpan(name, spanKinds[kind], { ...attributes }, parent, parent.request, 0)
  }

  isRecorded(span: Span): boolean {
    return span instanceof RecordedSpan
  }

  end(span: Span, { name, attributes, isError, exception }: SpanEnd): void {
    if (!(span instanceof RecordedSpan) || span.end > 0) return
    if (name) span.name = name
    span.end = readClock()
    Object.assign(span.attributes, attributes)
    span.isError = isError
    span.exception = exception
    this.#finish(span)
  }

  getIDs({ traceID, spanID }: Span) {
    return { trace_id: traceID, span_id: spanID }
  }

  createHeaders(span: Span) {
    return createTraceHeaders(span, this.#settings.propagators)
  }
}
