/**
 * Serializes received telemetry again, with the package `@opentelemetry/otlp-transformer` of OpenTelemetry's authors.
 */
import { createRequire } from "node:module"
import { join } from "node:path"

// biome-ignore lint/suspicious/noExplicitAny: JSON, and the objects of an SDK that are made of it.
type Data = any

/**
 * Returns a function that serializes the data in a received body. The body's path says whether it has traces, logs or
 * metrics.
 */
export function createSerializer(modules: string): (path: string, body: Data) => Data {
  const require = createRequire(join(modules, "@opentelemetry", "sdk-node", "package.json"))
  const { JsonTraceSerializer, JsonLogsSerializer, JsonMetricsSerializer } = require("@opentelemetry/otlp-transformer")
  const { AggregationTemporality, DataPointType } = require("@opentelemetry/sdk-metrics")
  const { ValueType } = require("@opentelemetry/api")
  const toMetric = ({ name, description, unit, gauge, sum, histogram }: Data) => ({
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    isMonotonic: sum?.isMonotonic,
    dataPointType: gauge ? DataPointType.GAUGE : sum ? DataPointType.SUM : DataPointType.HISTOGRAM,
    dataPoints: (gauge ?? sum ?? histogram).dataPoints.map((point: Data) => ({
      ...withAttributes(point),
      startTime: toTime(point.startTimeUnixNano),
      endTime: toTime(point.timeUnixNano),
      value: histogram
        ? {
            count: point.count,
            sum: point.sum,
            buckets: { counts: point.bucketCounts, boundaries: point.explicitBounds },
          }
        : point.asDouble,
    })),
  })
  const serialize = (path: string, body: Data): Uint8Array => {
    if (path === "/v1/traces") {
      const [{ resource, scopeSpans }] = body.resourceSpans
      const shared = { resource: withAttributes(resource), instrumentationScope: scopeSpans[0].scope }
      return JsonTraceSerializer.serializeRequest(
        scopeSpans[0].spans.map((span: Data) => ({ ...toSpan(span), ...shared })),
      )
    }
    if (path === "/v1/logs") {
      const [{ resource, scopeLogs }] = body.resourceLogs
      const shared = { resource: withAttributes(resource), instrumentationScope: scopeLogs[0].scope }
      return JsonLogsSerializer.serializeRequest(
        scopeLogs[0].logRecords.map((record: Data) => ({ ...toRecord(record), ...shared })),
      )
    }
    const [{ resource, scopeMetrics }] = body.resourceMetrics
    const scopes = scopeMetrics.map(({ scope, metrics }: Data) => ({ scope, metrics: metrics.map(toMetric) }))
    return JsonMetricsSerializer.serializeRequest({ resource: withAttributes(resource), scopeMetrics: scopes })
  }
  return (path, body) => JSON.parse(new TextDecoder().decode(serialize(path, body)))
}

function toSpan(span: Data): Data {
  const { traceId, spanId, traceState, flags, parentSpanId, kind } = span
  return {
    ...withAttributes(span),
    spanContext: () => ({
      traceId,
      spanId,
      traceFlags: flags & 0xff,
      ...(traceState && { traceState: { serialize: () => traceState } }),
    }),
    ...(parentSpanId && { parentSpanContext: { spanId: parentSpanId, isRemote: (flags & 0x200) !== 0 } }),
    kind: kind - 1,
    startTime: toTime(span.startTimeUnixNano),
    endTime: toTime(span.endTimeUnixNano),
    events: span.events.map((event: Data) => ({ ...withAttributes(event), time: toTime(event.timeUnixNano) })),
  }
}

function toRecord(record: Data): Data {
  const { traceId, spanId, flags } = record
  return {
    ...withAttributes(record),
    body: toValue(record.body),
    hrTime: toTime(record.timeUnixNano),
    hrTimeObserved: toTime(record.observedTimeUnixNano),
    ...(traceId && { spanContext: { traceId, spanId, traceFlags: flags } }),
  }
}

/** Converts nanoseconds to seconds and the remaining nanoseconds. */
function toTime(nanoseconds: string): [number, number] {
  return [Number(BigInt(nanoseconds) / 1_000_000_000n), Number(BigInt(nanoseconds) % 1_000_000_000n)]
}

function withAttributes(given: Data): Data {
  const { attributes = [] } = given
  return { ...given, attributes: Object.fromEntries(attributes.map(({ key, value }: Data) => [key, toValue(value)])) }
}

function toValue(value: Data): Data {
  const [[kind, inner] = ["", undefined]] = Object.entries<Data>(value)
  if (kind === "arrayValue") return inner.values.map(toValue)
  if (kind === "kvlistValue") return withAttributes({ attributes: inner.values }).attributes
  return inner
}
