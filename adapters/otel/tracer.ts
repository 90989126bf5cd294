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
  /** Returns the span of the code that is running. */
  getCurrent(): Handle | undefined
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

/** The tracer of spans that fw itself exports. */
export interface OwnTracer extends Tracer<Span> {
  /** Runs code whose operations get no spans. */
  runUntraced<Result>(run: () => Result): Result
}

/**
 * Returns a tracer of spans that fw itself exports.
 *
 * @param isPropagating true if outgoing requests continue traces, also those that are not recorded.
 * @param finish takes each recorded span when it has ended.
 */
export function createOwnTracer(
  { sampler, propagators }: Pick<Settings, "sampler" | "propagators">,
  isPropagating: boolean,
  finish: (span: RecordedSpan) => void,
): OwnTracer {
  const store = new AsyncLocalStorage<Span | undefined>()
  const isRecorded = (span: Span) => span instanceof RecordedSpan
  return {
    getCurrent: () => store.getStore(),
    run(span, run) {
      // Nobody asks for a span that is neither recorded nor continued. Keeping it would cost most of an unrecorded request.
      const isNeeded = isRecorded(span) || isPropagating || store.getStore() !== undefined
      return isNeeded ? store.run(span, run) : run()
    },
    runUntraced: (run) => store.run(undefined, run),
    beginRequest(c) {
      const parent = propagators.includes("tracecontext") ? readTraceparent(c) : undefined
      const randomness = parent ? readRandomness(parent.traceID) : Math.random()
      return sampler(randomness, parent?.isSampled)
        ? new RecordedSpan(c.method, spanKinds.server, {}, parent, c, randomness)
        : new Span(parent, c, randomness)
    },
    beginRoot(name, kind, attributes) {
      const randomness = Math.random()
      return sampler(randomness, undefined)
        ? new RecordedSpan(name, spanKinds[kind], { ...attributes }, undefined, undefined, randomness)
        : new Span(undefined, undefined, randomness)
    },
    beginChild: (parent, name, kind, attributes) =>
      new RecordedSpan(name, spanKinds[kind], { ...attributes }, parent, parent.request, 0),
    isRecorded,
    end(span, { name, attributes, isError, exception }) {
      if (!(span instanceof RecordedSpan) || span.end > 0) return
      if (name) span.name = name
      span.end = readClock()
      Object.assign(span.attributes, attributes)
      span.isError = isError
      span.exception = exception
      finish(span)
    },
    getIDs: ({ traceID, spanID }) => ({ trace_id: traceID, span_id: spanID }),
    createHeaders: (span) => createTraceHeaders(span, propagators),
  }
}
