/**
 * Creates spans with the OpenTelemetry SDK that a program has set up itself. fw finds the SDK under the same global
 * name as `@opentelemetry/api` does. So it needs no package, and it works even if a bundle contains another copy of the
 * package.
 */
import type * as otel from "@opentelemetry/api"
import type { Context } from "../../lib/context.ts"
import { spanKinds } from "./span.ts"
import type { SpanKind, Tracer } from "./tracer.ts"

/** The object of `@opentelemetry/api` 1.x, in which a program has set up its SDK. */
export interface ProgramAPI {
  readonly trace: otel.TracerProvider
  readonly context: otel.ContextManager
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
  const apis = globalThis as { [key: symbol]: Partial<ProgramAPI> | undefined }
  const api = apis[Symbol.for("opentelemetry.js.api.1")]
  return api?.trace && api.context ? (api as ProgramAPI) : undefined
}

/** The tracer of a program that has set up OpenTelemetry itself. */
export interface ProgramTracer extends Tracer<otel.Span> {
  /** Returns true if another instrumentation has created the span of a request. */
  isAdopted(c: Context): boolean
}

/** Returns a tracer that creates spans with the SDK of the program. */
export function createProgramTracer({ trace, context, propagation }: ProgramAPI): ProgramTracer {
  const tracer = trace.getTracer("fw")
  /** Spans that other instrumentations have created and will end, and the requests of these spans. */
  const adopted = new WeakSet<object>()
  const getSpan = (from: otel.Context) => from.getValue(spanKey) as otel.Span | undefined
  const toContext = (span: otel.Span) => context.active().setValue(spanKey, span)
  return {
    hasOthers: true,
    getCurrent: () => getSpan(context.active()),
    run: (span, run) => context.with(toContext(span), run),
    beginRequest(c) {
      const active = context.active()
      const outerSpan = getSpan(active)
      // Another instrumentation, such as that of node:http, has already created a span for this request.
      if (outerSpan && !outerSpan.spanContext().isRemote) {
        adopted.add(outerSpan).add(c)
        return outerSpan
      }
      const getter = { get: (_: object, name: string) => c.header(name) || undefined, keys: () => [] }
      const parent = propagation?.extract(active, {}, getter) ?? active
      return tracer.startSpan(c.method, { kind: toNumber("server") }, parent)
    },
    isAdopted: (c) => adopted.has(c),
    beginRoot: (name, kind, attributes) =>
      tracer.startSpan(name, { root: true, kind: toNumber(kind), attributes }, context.active()),
    beginChild: (_parent, name, kind, attributes) =>
      tracer.startSpan(name, { kind: toNumber(kind), attributes }, context.active()),
    isRecorded: (span) => span.isRecording(),
    end(span, { name, attributes, isError, exception }) {
      if (name) span.updateName(name)
      if (exception) span.addEvent("exception", exception)
      if (adopted.has(span)) {
        const route = attributes["http.route"]
        if (route !== undefined) span.setAttributes({ "http.route": route })
        return
      }
      span.setAttributes(attributes)
      if (isError) span.setStatus({ code: 2, message: `${exception?.["exception.message"] ?? ""}` })
      span.end()
    },
    noteRoute(span, pattern) {
      // The instrumentation of node:http takes the route for its metrics from this object.
      const rpc = context.active().getValue(rpcKey) as { span?: unknown; route?: string } | undefined
      if (rpc?.span === span) rpc.route = pattern
    },
    getIDs(span) {
      const { traceId, spanId } = span.spanContext()
      return { trace_id: traceId, span_id: spanId }
    },
    createHeaders(span) {
      const headers: [string, string][] = []
      const setter = { set: (_: object, name: string, value: string) => headers.push([name, value]) }
      propagation?.inject(toContext(span), {}, setter)
      return headers
    },
  }
}
