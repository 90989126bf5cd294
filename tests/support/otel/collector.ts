/**
 * A collector that receives telemetry, and decodes it. When it is closed, it writes what it received to the file in
 * `FW_OTLP_FILE`.
 */
import { writeFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

type Value = string | number | boolean | undefined
export type Values = Readonly<Record<string, Value>>

/** A span as it was sent. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number; readonly message?: string }
  readonly values: Values
  readonly events: readonly { readonly name: string; readonly values: Values }[]
}

/** A data point of a metric as it was sent. */
export interface ReceivedPoint {
  readonly values: Values
  readonly asDouble?: number
  readonly count?: number
  readonly sum?: number
  readonly bucketCounts?: readonly number[]
  readonly explicitBounds?: readonly number[]
}

/** A metric as it was sent. */
export interface ReceivedMetric {
  readonly name: string
  readonly unit: string
  readonly form: "gauge" | "sum" | "histogram"
  readonly isMonotonic?: boolean
  readonly points: readonly ReceivedPoint[]
}

/** A log line as it was sent. */
export interface ReceivedLine {
  readonly body: { readonly stringValue: string }
  readonly severityNumber: number
  readonly traceId?: string
  readonly spanId?: string
  readonly values: Values
}

/** Decides how the collector answers. `count` is the number of the request, from 1. With "never" it sends no answer. */
export type Respond = (
  count: number,
) => { readonly status: number; readonly headers?: Record<string, string> } | "never"

// biome-ignore lint/suspicious/noExplicitAny: the functions below give this JSON its types.
type JSONData = any

/** Starts a collector on this machine. */
export async function startCollector(respond: Respond = () => ({ status: 200 })) {
  const bodies: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly data: JSONData }[] = []
  let count = 0
  const state = { respond }
  const server = createServer((incoming, outgoing) => {
    let text = ""
    incoming.setEncoding("utf8").on("data", (piece: string) => {
      text += piece
    })
    incoming.on("end", () => {
      count += 1
      const answer = state.respond(count)
      if (answer === "never") return
      if (answer.status === 200)
        bodies.push({ path: incoming.url ?? "", headers: incoming.headers, data: JSON.parse(text) })
      outgoing.writeHead(answer.status, answer.headers).end("{}")
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const of = (signal: string) => bodies.filter(({ path }) => path === `/v1/${signal}`).map(({ data }) => data)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    state,
    get count() {
      return count
    },
    spans: (): ReceivedSpan[] =>
      of("traces")
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({ ...span, values: toValues(span), events: span.events.map(withValues) })),
    lines: (): ReceivedLine[] =>
      of("logs")
        .flatMap(({ resourceLogs }) => resourceLogs)
        .flatMap(({ scopeLogs }) => scopeLogs)
        .flatMap(({ logRecords }) => logRecords)
        .map(withValues),
    /** Returns the last values of each metric. */
    metrics: (): ReceivedMetric[] =>
      (of("metrics").at(-1)?.resourceMetrics[0].scopeMetrics[0].metrics ?? []).map((metric: JSONData) => {
        const form = (["gauge", "sum", "histogram"] as const).find((name) => metric[name]) ?? "gauge"
        const { dataPoints, isMonotonic } = metric[form]
        return { name: metric.name, unit: metric.unit, form, isMonotonic, points: dataPoints.map(withValues) }
      }),
    close: () =>
      new Promise<void>((resolve) => {
        const { FW_OTLP_FILE } = process.env
        if (FW_OTLP_FILE) writeFileSync(FW_OTLP_FILE, JSON.stringify(bodies))
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function withValues(given: JSONData) {
  return { ...given, values: toValues(given) }
}

function toValues({ attributes = [] }: JSONData): Values {
  return Object.fromEntries(
    attributes.map(({ key, value }: JSONData) => [key, Object.values(value as Record<string, Value>)[0]]),
  )
}
