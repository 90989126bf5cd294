/** Reads the standard environment variables of OpenTelemetry: where telemetry is sent, and how much of it. */
import { otelFault } from "./fault.ts"

/** The kinds of telemetry. */
export type Signal = "traces" | "metrics" | "logs"

/** The settings of a program that exports telemetry itself. */
export interface Settings {
  /** The URL for each kind of telemetry; undefined for a kind that is not sent. */
  readonly urls: Readonly<Record<Signal, string | undefined>>
  readonly headers: Readonly<Record<string, string>>
  /** Attributes of the program that are sent with everything, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>
  readonly propagators: readonly string[]
  readonly sampler: Sampler
}

/**
 * Returns true to record a trace.
 *
 * @param randomness a random number from 0 to 1. It is the same in all programs that a trace passes.
 * @param parent the decision of the calling program; undefined if the trace begins here.
 */
export type Sampler = (randomness: number, parent: boolean | undefined) => boolean

type Variables = Readonly<Record<string, string | undefined>>

/** Returns true if the environment turns telemetry off. */
export function isDisabled({ OTEL_SDK_DISABLED: value }: Variables): boolean {
  return value?.trim().toLowerCase() === "true"
}

/** Returns the settings; undefined if nothing is to be sent. @throws FwError `otel` for an invalid value. */
export function readSettings(variables: Variables, hasMetrics: boolean): Settings | undefined {
  const get = (name: string) => variables[name]?.trim() || undefined
  const base = get("OTEL_EXPORTER_OTLP_ENDPOINT")
  if (base) checkURL("OTEL_EXPORTER_OTLP_ENDPOINT", base)
  const findURL = (signal: Signal) => {
    const name = signal.toUpperCase()
    if (get(`OTEL_${name}_EXPORTER`) === "none") return undefined
    const signalURL = get(`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`)
    if (signalURL) return checkURL(`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`, signalURL)
    return base && `${base.replace(/\/+$/, "")}/v1/${signal}`
  }
  const urls = {
    traces: findURL("traces"),
    metrics: hasMetrics ? findURL("metrics") : undefined,
    logs: findURL("logs"),
  }
  if (!urls.traces && !urls.metrics && !urls.logs) return undefined
  const protocol = get("OTEL_EXPORTER_OTLP_PROTOCOL") ?? "http/json"
  if (protocol !== "http/json") throw otelFault("otel.protocol", [protocol])
  const resource = parsePairs("OTEL_RESOURCE_ATTRIBUTES", get("OTEL_RESOURCE_ATTRIBUTES"))
  const service = get("OTEL_SERVICE_NAME") ?? resource["service.name"] ?? "unknown_service:fw"
  return {
    urls,
    headers: parsePairs("OTEL_EXPORTER_OTLP_HEADERS", get("OTEL_EXPORTER_OTLP_HEADERS")),
    resource: { ...resource, "service.name": service, "telemetry.sdk.name": "fw", "telemetry.sdk.language": "nodejs" },
    propagators: (get("OTEL_PROPAGATORS") ?? "tracecontext,baggage").split(",").map((name) => name.trim()),
    sampler: createSampler(get("OTEL_TRACES_SAMPLER") ?? "parentbased_always_on", get("OTEL_TRACES_SAMPLER_ARG")),
  }
}

function checkURL(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== "http:" && url?.protocol !== "https:") throw otelFault("otel.url", [name, text])
  return url.href
}

/** Parses `a=1,b=two%20words`. */
function parsePairs(name: string, text = ""): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const pair of text.split(",")) {
    const split = pair.indexOf("=")
    if (pair.trim() === "") continue
    if (split < 1) throw otelFault("otel.pairs", [name, pair])
    const value = pair.slice(split + 1).trim()
    try {
      pairs[pair.slice(0, split).trim()] = decodeURIComponent(value)
    } catch {
      throw otelFault("otel.pairs", [name, pair])
    }
  }
  return pairs
}

/** Returns the sampler with a name (OpenTelemetry, "General SDK Configuration"). */
function createSampler(name: string, argument: string | undefined): Sampler {
  const kind = name.replace(/^parentbased_/, "")
  const ratio = kind === "traceidratio" && argument !== undefined ? Number(argument) : 1
  if (!["always_on", "always_off", "traceidratio"].includes(kind)) throw otelFault("otel.sampler", [name])
  if (!(ratio >= 0 && ratio <= 1)) throw otelFault("otel.ratio", [argument ?? ""])
  const root = kind === "always_off" ? () => false : (randomness: number) => randomness < ratio
  return name.startsWith("parentbased_") ? (randomness, parent) => parent ?? root(randomness) : root
}
