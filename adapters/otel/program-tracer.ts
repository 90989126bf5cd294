/**
 * Creates spans with the OpenTelemetry SDK that a program has set up itself. fw finds the SDK under the same global
 * name as `@opentelemetry/api` does. So it needs no package, and it works even if a bundle contains another copy of the
 * package.
 */
import type * as otel from "@opentelemetry/api"
import type { Context } from "../../lib/context.ts"
import { type Attributes, spanKinds } from "./span.ts"
import type { SpanEnd, SpanKind, Tracer } from "./tracer.ts"

/** The object of `@opentelemetry/api` 1.x, in which a program has set up its SDK. */
export interface ProgramAPI {
  readonly trace?: otel.TracerProvider
  readonly context?: otel.ContextManager
  readonly propagation?: otel.TextMapPropagator
  readonly metrics?: otel.MeterProvider
}

// Every copy of the package makes its keys from these texts.
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN")
const rpcKey = Symbol.for("OpenTelemetry SDK Context Key RPC_METADATA")
/** Returns the number of a kind in the API, where the numbers begin at 0. */
const toNumber = (kind: SpanKind) => spanKinds[kind] - 1

/** Returns the API if the program has set up tracing; otherwise undefined. */
export function findProgramAPI(): ProgramAPI | undefined {
  const api = (globalThis as { [key: symbol]: ProgramAPI | undefined })[Symbol.for("opentelemetry.js.api.1")]
  return api?.trace && api.context ? api : undefined
}

/** Creates spans with the SDK of the program. */
export class ProgramTracer implements Tracer<otel.Span> {
  readonly hasOthers = true
  readonly #api: ProgramAPI
  readonly #manager: otel.ContextManager
  readonly #tracer: ReturnType<otel.TracerProvider["getTracer"]>
  /** Spans that other instrumentations have created and will end, and the requests of these spans. */
  readonly #adopted = new WeakSet<object>()

  constructor(api: ProgramAPI) {
    const { trace, context } = api as Required<ProgramAPI>
    this.#api = api
    this.#manager = context
    this.#tracer = trace.getTracer("fw")
  }

  get current(): otel.Span | undefined {
    return this.#manager.active().getValue(spanKey) as otel.Span | undefined
  }

  run<Result>(span: otel.Span, run: () => Result): Result {
    return this.#manager.with(this.#toContext(span), run)
  }

  #toContext(span: otel.Span): otel.Context {
    return this.#manager.active().setValue(spanKey, span)
  }

  beginRequest(c: Context): otel.Span {
    const active = this.#manager.active()
    const outerSpan = active.getValue(spanKey) as otel.Span | undefined
    // Another instrumentation, such as that of node:http, has already created a span for this request.
    if (outerSpan && !outerSpan.spanContext().isRemote) {
      this.#adopted.add(outerSpan).add(c)
      return outerSpan
    }
    const getter = { get: (_: object, name: string) => c.header(name) || undefined, keys: () => [] }
    const parent = this.#api.propagation?.extract(active, {}, getter) ?? active
    return this.#tracer.startSpan(c.method, { kind: toNumber("server") }, parent)
  }

  /** Returns true if another instrumentation has created the span of a request. */
  isAdopted(c: Context): boolean {
    return this.#adopted.has(c)
  }

  beginRoot(name: string, kind: SpanKind, attributes: Attributes): otel.Span {
    return this.#tracer.startSpan(name, { root: true, kind: toNumber(kind), attributes }, this.#manager.active())
  }

  beginChild(_parent: otel.Span, name: string, kind: SpanKind, attributes: Attributes): otel.Span {
    return this.#tracer.startSpan(name, { kind: toNumber(kind), attributes }, this.#manager.active())
  }

  isRecorded(span: otel.Span): boolean {
    return span.isRecording()
  }

  end(span: otel.Span, { name, attributes, isError, exception }: SpanEnd): void {
    if (name) span.updateName(name)
    if (exception) span.addEvent("exception", exception)
    if (this.#adopted.has(span)) {
      const route = attributes["http.route"]
      if (route !== undefined) span.setAttributes({ "http.route": route })
      return
    }
    span.setAttributes(attributes)
    if (isError) span.setStatus({ code: 2, message: `${exception?.["exception.message"] ?? ""}` })
    span.end()
  }

  noteRoute(span: otel.Span, pattern: string): void {
    // The instrumentation of node:http takes the route for its metrics from this object.
    const rpc = this.#manager.active().getValue(rpcKey) as { span?: unknown; route?: string } | undefined
    if (rpc?.span === span) rpc.route = pattern
  }

  getIDs(span: otel.Span) {
    const { traceId, spanId } = span.spanContext()
    return { trace_id: traceId, span_id: spanId }
  }

  createHeaders(span: otel.Span): [name: string, value: string][] {
    const headers: [string, string][] = []
    const setter = { set: (_: object, name: string, value: string) => headers.push([name, value]) }
    this.#api.propagation?.inject(this.#toContext(span), {}, setter)
    return headers
  }
}
