/** Writes metrics in the text format of Prometheus, version 0.0.4. */
import type { Metric, MetricAttributes } from "./metric.ts"

/** The media type of the text. */
export const prometheusType = "text/plain; version=0.0.4; charset=utf-8"

/** The endings that names get for units (OpenTelemetry, "Prometheus and OpenMetrics Compatibility"). */
const unitEndings: Readonly<Record<string, string>> = { s: "seconds", By: "bytes", "1": "ratio" }

/** Returns metrics as text. */
export function formatPrometheus(metrics: readonly Metric[]): string {
  return metrics.map(formatMetric).join("")
}

function formatMetric(metric: Metric): string {
  const { description, unit, kind, bounds = [], points } = metric
  if (points.length === 0) return ""
  // Such as `http_server_request_duration_seconds`.
  const name = [metric.name.replaceAll(/\W/g, "_"), unitEndings[unit]].filter(Boolean).join("_")
  const type = kind === "histogram" ? "histogram" : "gauge"
  const lines = [`# HELP ${name} ${escapeHelp(description)}`, `# TYPE ${name} ${type}`]
  for (const { attributes, value } of points) {
    if (typeof value === "number") {
      lines.push(`${name}${formatLabels(attributes)} ${value}`)
      continue
    }
    let total = 0
    for (const [index, count] of value.buckets.entries()) {
      total += count
      lines.push(`${name}_bucket${formatLabels({ ...attributes, le: bounds[index] ?? "+Inf" })} ${total}`)
    }
    lines.push(`${name}_sum${formatLabels(attributes)} ${value.sum}`)
    lines.push(`${name}_count${formatLabels(attributes)} ${value.count}`)
  }
  return `${lines.join("\n")}\n`
}

function formatLabels(attributes: MetricAttributes): string {
  const labels = Object.entries(attributes).map(
    ([name, value]) => `${name.replaceAll(/\W/g, "_")}="${escapeLabel(`${value}`)}"`,
  )
  return labels.length > 0 ? `{${labels.join(",")}}` : ""
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"')
}
