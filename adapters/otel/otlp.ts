/** Writes telemetry in the JSON of OTLP 1.x (opentelemetry-proto, "JSON Protobuf Encoding"). */
import { readErrorMessage } from "../../lib/log/error-report.ts"
import type { LogRecord } from "../../lib/log/record.ts"
import type { Metric, MetricPoint } from "../metrics/metric.ts"
import { readErrorName } from "../shared/http-attributes.ts"
import { type Attributes, type RecordedSpan, Span } from "./span.ts"

const scope = { name: "fw" }

/** Returns the body of an export of spans. */
export function encodeSpans(resource: Values, spans: readonly RecordedSpan[]): object {
  const scopeSpans = [{ scope, spans: spans.map(encodeSpan) }]
  return { resourceSpans: [{ resource: encodeAttributes(resource), scopeSpans }] }
}

/** Returns the body of an export of lines of the log. */
export function encodeLogs(resource: Values, records: readonly LogRecord[]): object {
  const scopeLogs = [{ scope, logRecords: records.map(encodeRecord) }]
  return { resourceLogs: [{ resource: encodeAttributes(resource), scopeLogs }] }
}

/**
 * Returns the body of an export of metrics. @param start the time since which they count, in milliseconds since 1970.
 */
export function encodeMetrics(resource: Values, metrics: readonly Metric[], start: number): object {
  const times = { startTimeUnixNano: toNanoseconds(start), timeUnixNano: toNanoseconds(Date.now()) }
  const measured = metrics.filter(({ points }) => points.length > 0)
  const scopeMetrics = [{ scope, metrics: measured.map((metric) => encodeMetric(metric, times)) }]
  return { resourceMetrics: [{ resource: encodeAttributes(resource), scopeMetrics }] }
}

/** Values of any type, by their names. */
type Values = Readonly<Record<string, unknown>>

/** Returns attributes as members of a message. */
function encodeAttributes(attributes: Values) {
  return { attributes: toAttributes(attributes), droppedAttributesCount: 0 }
}

function toAttributes(attributes: Values) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : { key, value: toAnyValue(value) },
  )
}

function toAnyValue(value: unknown): object {
  if (typeof value === "string") return { stringValue: value }
  if (typeof value === "boolean") return { boolValue: value }
  if (typeof value === "number") return Number.isSafeInteger(value) ? { intValue: value } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toAnyValue) } }
  if (typeof value === "object" && value !== null) return { kvlistValue: { values: toAttributes(value as Values) } }
  return {}
}

/**
 * Returns a time in nanoseconds as text. It is computed in microseconds, because nanoseconds are too large for a number
 * in JavaScript.
 */
function toNanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000)}000`
}

function encodeSpan(span: RecordedSpan) {
  const { traceID, spanID, parent, traceState, name, kind, start, end, attributes, exception, isError } = span
  const endTime = toNanoseconds(end)
  return {
    traceId: traceID,
    spanId: spanID,
    parentSpanId: parent?.spanID,
    traceState: traceState || undefined,
    name,
    kind,
    startTimeUnixNano: toNanoseconds(start),
    endTimeUnixNano: endTime,
    ...encodeAttributes(attributes),
    events: exception ? [{ name: "exception", timeUnixNano: endTime, ...encodeAttributes(exception) }] : [],
    droppedEventsCount: 0,
    // 2 means error.
    status: { code: isError ? 2 : 0, message: exception?.["exception.message"] },
    links: [],
    droppedLinksCount: 0,
    // 0x1: the trace is recorded. 0x100 and 0x200: whether the parent is in another program (opentelemetry-proto,
    // SpanFlags).
    flags: parent && !(parent instanceof Span) ? 0x301 : 0x101,
  }
}

/** The numbers of severities (OpenTelemetry, logs data model). */
const severities = { debug: 5, info: 9, warn: 13, error: 17 } as const

function encodeRecord({ time, level, message, trace_id, span_id, ...fields }: LogRecord) {
  const nanoseconds = toNanoseconds(Date.parse(time))
  return {
    timeUnixNano: nanoseconds,
    observedTimeUnixNano: nanoseconds,
    severityNumber: severities[level],
    severityText: level,
    body: { stringValue: message },
    ...encodeAttributes(fields),
    flags: trace_id ? 1 : undefined,
    traceId: trace_id,
    spanId: span_id,
  }
}

function encodeMetric({ name, description, unit, kind, bounds, points }: Metric, times: object) {
  const info = { name, description, unit }
  const dataPoints = points.map((point) => toDataPoint(point, bounds, times))
  // 2 means cumulative: values since the start of the process.
  if (kind === "histogram") return { ...info, histogram: { aggregationTemporality: 2, dataPoints } }
  if (kind === "gauge") return { ...info, gauge: { dataPoints } }
  return { ...info, sum: { aggregationTemporality: 2, isMonotonic: false, dataPoints } }
}

function toDataPoint({ attributes, value }: MetricPoint, bounds: readonly number[] | undefined, times: object) {
  const point = { attributes: toAttributes(attributes), ...times }
  if (typeof value === "number") return { ...point, asDouble: value }
  const { count, sum, buckets } = value
  return { ...point, count, sum, bucketCounts: buckets, explicitBounds: bounds }
}

/** Returns the attributes of an error of the program (semantic conventions, exceptions). */
export function toException(error: unknown): Attributes {
  return {
    "exception.type": readErrorName(error),
    "exception.message": readErrorMessage(error),
    ...(error instanceof Error && error.stack !== undefined && { "exception.stacktrace": error.stack }),
  }
}
