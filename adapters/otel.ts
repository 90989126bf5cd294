/**
 * Sends traces, metrics and logs with OpenTelemetry. Exported as `fw/otel`. Does nothing unless the environment asks
 * for it.
 */

import { type App, checkApp } from "../lib/app.ts"
import { checkKeys } from "../lib/checks.ts"
import type { LogRecord } from "../lib/log/record.ts"
import { Exporter, type ExporterOptions, send, startTimer, type Target } from "./otel/exporter.ts"
import { otelFault } from "./otel/fault.ts"
import { encodeLogs, encodeMetrics, encodeSpans } from "./otel/otlp.ts"
import { createProgramTracer, findProgramAPI, type ProgramAPI } from "./otel/program-tracer.ts"
import { isDisabled, readSettings, type Settings, type Signal } from "./otel/settings.ts"
import type { RecordedSpan } from "./otel/span.ts"
import { createOwnTracer } from "./otel/tracer.ts"
import { type OptionalKind, optionalKinds, watchOperations } from "./otel/watch.ts"
import { sendPublished } from "./shared/outgoing.ts"

/**
 * Options of `telemetry()`.
 *
 * @example
 * const options: TelemetryOptions = { propagateTo: ["prices.internal"], spans: ["middleware"] }
 */
export interface TelemetryOptions {
  /**
   * Hosts whose programs continue the trace: outgoing requests to them have the header `traceparent`. No other host gets the
   * header. Write a host as in a URL, with the port if it is not the usual one. Default: none.
   */
  readonly propagateTo?: readonly string[]
  /** Further kinds of spans in a trace: `middleware`, `handler`. Default: none. */
  readonly spans?: readonly OptionalKind[]
}

/**
 * `fetch()` with a span, and with `traceparent` for the hosts of `propagateTo`. On Node, the global `fetch()` has them too. Bun,
 * Deno and workers do not report what they send, so a program that runs there calls this function.
 *
 * @example
 * const send = fetch // import { fetch } from "fw/otel"
 */
export const fetch: typeof globalThis.fetch = sendPublished

/** The process, for its environment variables. Workers have it with the flag `nodejs_compat`. */
const { process: nodeProcess } = globalThis as {
  process?: { readonly env?: Readonly<Record<string, string | undefined>> }
}

/** Sends all data that waits. @param isLast true to make no further attempts after one that has failed. */
type Flush = (isLast: boolean) => Promise<void>

let flush: Flush | undefined

/**
 * Sends traces, metrics and logs to the collector in `OTEL_EXPORTER_OTLP_ENDPOINT`. If the program has set up
 * OpenTelemetry itself, spans and metrics go there instead, and fw sends nothing. Without both, this function does
 * nothing.
 *
 * Call it in `main.ts` after the app was created. Data that waits to be sent is sent when the app shuts down.
 *
 * @throws FwError `otel` for an argument that is not valid, and for a variable of OpenTelemetry with an invalid value.
 * @example telemetry(app, { propagateTo: ["prices.internal"] })
 */
export function telemetry(app: App, options: TelemetryOptions = {}): void {
  checkApp(app, "telemetry()")
  checkKeys(options, ["propagateTo", "spans"], "otel", "telemetry()")
  const { propagateTo = [], spans = [] } = options
  for (const host of propagateTo)
    if (typeof host !== "string" || !/^[^/\s]+$/.test(host)) throw otelFault("otel.hosts", [host])
  for (const kind of spans) if (!optionalKinds.includes(kind)) throw otelFault("otel.spans", [kind, optionalKinds])
  flush ??= start(propagateTo, spans)
  app.onShutdown(() => flush?.(true))
}

/** Starts telemetry. Returns a function that sends all waiting data; undefined if telemetry is off. */
function start(hosts: readonly string[], kinds: readonly OptionalKind[]): Flush | undefined {
  const variables = nodeProcess?.env ?? {}
  if (isDisabled(variables)) return undefined
  const api = findProgramAPI()
  if (api) {
    watchForProgram(api, hosts, kinds)
    return async () => {}
  }
  // A worker and a Lambda function run only during requests, so they can send only then.
  const isPerRequest = isWorker || variables.AWS_LAMBDA_FUNCTION_NAME !== undefined
  const settings = readSettings(variables, !isPerRequest)
  return settings && exportAll(settings, hosts, kinds, isPerRequest)
}

const isWorker = (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent === "Cloudflare-Workers"

/** Passes spans and metrics to the OpenTelemetry SDK of the program. */
function watchForProgram(api: ProgramAPI, hosts: readonly string[], kinds: readonly OptionalKind[]): void {
  const tracer = createProgramTracer(api)
  watchOperations(tracer, { hosts, kinds, onSent: () => {}, onLine: undefined })
  const meter = api.metrics?.getMeter("fw")
  if (meter)
    void loadMetrics().then(async ({ collectMetrics }) => {
      const { passMetrics } = await import("./otel/program-metrics.ts")
      passMetrics(meter, collectMetrics, ({ c }) => tracer.isAdopted(c))
    })
}

/** Exports everything itself. Returns a function that sends all waiting data. */
function exportAll(
  settings: Settings,
  hosts: readonly string[],
  kinds: readonly OptionalKind[],
  isPerRequest: boolean,
): Flush {
  const { urls, headers } = settings
  const tracer = createOwnTracer(settings, hosts.length > 0, (span) => spans?.add(span))
  const toTarget = (url: string | undefined) => url && { url, headers, runUntraced: tracer.runUntraced }
  let resource: Settings["resource"] | undefined
  // Workers cannot create random values before their first request.
  const getResource = () => {
    resource ??= { ...settings.resource, "service.instance.id": crypto.randomUUID() }
    return resource
  }
  const create = <Item>(signal: Signal, itemName: string, encode: ExporterOptions<Item>["encode"]) => {
    const target = toTarget(urls[signal])
    return target ? new Exporter<Item>({ itemName, target, encode, isPerRequest }) : undefined
  }
  const spans = create<RecordedSpan>("traces", "spans", (items) => encodeSpans(getResource(), items))
  const lines = create<LogRecord>("logs", "lines of the log", (items) => encodeLogs(getResource(), items))
  const exporters = [spans, lines].filter((exporter) => exporter !== undefined)
  watchOperations(tracer, {
    hosts,
    kinds,
    onSent({ c }) {
      if (isPerRequest) for (const exporter of exporters) c.waitUntil(exporter.sendOnce())
    },
    onLine: lines && (({ record }) => lines.add({ ...record })),
  })
  const metricsTarget = toTarget(urls.metrics)
  const sendMetrics = metricsTarget ? sendMetricsEveryMinute(metricsTarget, getResource) : undefined
  return async (isLast) => {
    await Promise.all([...exporters.map((exporter) => exporter.flush(isLast)), sendMetrics?.()])
  }
}

async function loadMetrics() {
  const registry = await import("./metrics/registry.ts")
  registry.startMetrics()
  return registry
}

/** Sends the metrics at intervals. They are totals, so if one export is lost, the next one contains its values too. */
function sendMetricsEveryMinute(target: Target, getResource: () => Settings["resource"]): () => Promise<void> {
  const loadPromise = loadMetrics()
  const sendNow = async () => {
    const { collectMetrics, metricsStartTime = Date.now() } = await loadPromise
    await send(target, JSON.stringify(encodeMetrics(getResource(), collectMetrics(), metricsStartTime)))
  }
  const repeat = () => startTimer(() => void sendNow().finally(repeat), 60_000)
  repeat()
  return sendNow
}
