/**
 * Measures what this process does, for `metrics()` and for `fw/otel`. Names, units, attributes and buckets are those of
 * the semantic conventions of OpenTelemetry, as far as these have them.
 */
import type { EventLoopUtilization } from "node:perf_hooks"
import type { JobEngine } from "../../lib/jobs/engine.ts"
import type { Operation, RequestOperation } from "../../lib/trace/requests.ts"
import { listen, listenForEnds } from "../shared/channels.ts"
import { readErrorName, toKnownMethod } from "../shared/http-attributes.ts"
import { Instrument, type Metric, type MetricAttributes, type MetricPoint } from "./metric.ts"
import { reportAsWorker } from "./worker.ts"

/**
 * Upper bounds of the buckets for the duration of requests, in seconds (HTTP metrics 1.38,
 * http.server.request.duration).
 */
export const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Upper bounds of the buckets for garbage collections, in seconds (V8 metrics, v8js.gc.duration). */
const gcBounds = [0.01, 0.1, 1, 10]

const durations = new Instrument(
  "http.server.request.duration",
  "s",
  "Duration of HTTP server requests.",
  durationBounds,
)
const activeRequests = new Instrument(
  "http.server.active_requests",
  "{request}",
  "Number of active HTTP server requests.",
)
const openStreams = new Instrument("fw.server.open_streams", "{stream}", "Number of open event streams and WebSockets.")
const gcDurations = new Instrument("v8js.gc.duration", "s", "Garbage collection duration.", gcBounds)
const jobDurations = new Instrument("messaging.process.duration", "s", "Duration of attempts of jobs.", durationBounds)
const activeJobs = new Instrument("fw.job.active", "{job}", "Number of jobs that this program runs.")
/** The number of jobs in the engine when it was last asked. Every process asks the same engine, so it is a gauge. */
let engineJobs: readonly MetricPoint[] = []

let readRuntime: (() => Metric[]) | undefined

/** The time at which this process began to count, in milliseconds since 1970; undefined before {@link startMetrics}. */
export let metricsStartTime: number | undefined

/** Begins to count. Further calls do nothing. */
export function startMetrics(): void {
  if (readRuntime) return
  metricsStartTime = Date.now()
  watchRequests()
  watchJobs()
  readRuntime = watchRuntime()
  reportAsWorker(collectMetrics)
}

/** Returns all metrics. Some have no points yet. Before {@link startMetrics} there are no metrics. */
export function collectMetrics(): Metric[] {
  if (!readRuntime) return []
  const recordedMetrics = [durations, activeRequests, openStreams, jobDurations, activeJobs].map((one) => one.read())
  const engineMetric = toGauge("fw.engine.jobs", "{job}", "Number of jobs.", engineJobs)
  return [...recordedMetrics, engineMetric, ...readRuntime()]
}

function watchRequests(): void {
  listen("fw:request:start", (message) => {
    const request = message as RequestOperation
    activeRequests.open(request, toRequestAttributes(request))
  })
  listenForEnds((request, at) => {
    const attributes = activeRequests.close(request)
    if (attributes) durations.record((at - request.start) / 1000, toDurationAttributes(request, attributes))
  })
  // A stream of events counts as a request until the response begins, and as an open stream after that.
  listen("fw:request:end", (message) => {
    const request = message as RequestOperation
    if (request.isEventStream) openStreams.open(request, { "fw.stream.type": "events" })
  })
  listen("fw:request:sent", (message) => openStreams.close(message as object))
  listen("fw:socket:start", (message) => openStreams.open(message as object, { "fw.stream.type": "socket" }))
  listen("fw:socket:end", (message) => openStreams.close(message as object))
}

function watchJobs(): void {
  listen("fw:job:start", (message) => {
    const job = message as Operation
    activeJobs.open(job, { "messaging.destination.name": job.name })
  })
  listen("fw:job:end", (message) => {
    const job = message as Operation
    const attributes = activeJobs.close(job)
    if (!attributes) return
    const { "messaging.system": system, "messaging.operation.name": operationName } = job.attributes
    jobDurations.record((job.end - job.start) / 1000, {
      ...attributes,
      "messaging.system": `${system}`,
      "messaging.operation.name": `${operationName}`,
      ...(job.error !== undefined && { "error.type": readErrorName(job.error) }),
    })
  })
  listen("fw:jobs", (message) => {
    engineJobs = (message as Awaited<ReturnType<JobEngine["count"]>>).map(({ name, state, count }) => ({
      attributes: { "messaging.destination.name": name, "fw.job.state": state },
      value: count,
    }))
  })
}

/** Returns the attributes of a request that has ended. @param start those that it had at its start. */
export function toDurationAttributes(
  request: RequestOperation,
  start = toRequestAttributes(request),
): MetricAttributes {
  const { status, pattern } = request
  return {
    ...start,
    "http.response.status_code": status,
    ...(pattern && { "http.route": pattern }),
    ...(status >= 500 && { "error.type": `${status}` }),
  }
}

function toRequestAttributes({ c: { method, origin } }: RequestOperation): MetricAttributes {
  return { "http.request.method": toKnownMethod(method), "url.scheme": origin.startsWith("https:") ? "https" : "http" }
}

/** Begins to measure the runtime. Returns a function that reads the values that this runtime provides. */
function watchRuntime(): () => Metric[] {
  // Deno and Bun do not have all of these functions. workerd does not have the modules, so they are loaded here and not
  // imported: a worker is bundled into one file, with this one.
  const delay = tryMeasure(() => {
    const histogram = process.getBuiltinModule("node:perf_hooks").monitorEventLoopDelay({ resolution: 10 })
    histogram.enable()
    return histogram
  })
  const { supportedEntryTypes } = PerformanceObserver as { supportedEntryTypes?: readonly string[] }
  if (supportedEntryTypes?.includes("gc")) watchGarbageCollections()
  let last: EventLoopUtilization | undefined
  return () => {
    const metrics = [...readMemory(), gcDurations.read()]
    if (delay) {
      for (const rank of [50, 90, 99]) metrics.push(toDelay(`p${rank}`, `${rank}th percentile`, delay.percentile(rank)))
      metrics.push(toDelay("max", "maximum", delay.max))
      // The histogram begins again, so that a slow moment does not stay in all later values.
      delay.reset()
    }
    const now = tryMeasure(() => performance.eventLoopUtilization())
    if (now) {
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      metrics.push(toGauge("nodejs.eventloop.utilization", "1", "Event loop utilization.", toPoints(utilization)))
    }
    return metrics
  }
}

function tryMeasure<T>(measure: () => T): T | undefined {
  try {
    return measure()
  } catch {
    return undefined
  }
}

function watchGarbageCollections(): void {
  const types: Readonly<Record<number, string>> = { 1: "minor", 4: "major", 8: "incremental", 16: "weakcb" }
  new PerformanceObserver((list) => {
    for (const { duration, detail } of list.getEntries() as readonly { duration: number; detail?: unknown }[]) {
      const type = types[(detail as { kind?: number } | undefined)?.kind ?? 0] ?? "minor"
      gcDurations.record(duration / 1000, { "v8js.gc.type": type })
    }
  }).observe({ entryTypes: ["gc"] })
}

function toDelay(name: string, statistic: string, nanoseconds: number): Metric {
  const points = toPoints(nanoseconds / 1e9)
  return toGauge(`nodejs.eventloop.delay.${name}`, "s", `Event loop ${statistic} delay.`, points)
}

function toPoints(value: number): MetricPoint[] {
  return [{ attributes: {}, value }]
}

function toGauge(name: string, unit: string, description: string, points: readonly MetricPoint[]): Metric {
  return { kind: "gauge", name, unit, description, points }
}

/** Returns an amount of memory. */
function toMemory(name: string, description: string, points: readonly MetricPoint[]): Metric {
  return { kind: "updown", name, unit: "By", description, points }
}

function readMemory(): Metric[] {
  const spaces = tryMeasure(() => process.getBuiltinModule("node:v8").getHeapSpaceStatistics()) ?? []
  const toSpaces = (key: "space_used_size" | "space_size"): MetricPoint[] =>
    spaces.map((space) => ({ attributes: { "v8js.heap.space.name": space.space_name }, value: space[key] }))
  return [
    toMemory("process.memory.usage", "The amount of physical memory in use.", toPoints(process.memoryUsage.rss())),
    toMemory("v8js.memory.heap.used", "Heap Memory size allocated.", toSpaces("space_used_size")),
    toMemory("v8js.memory.heap.limit", "Total heap memory size pre-allocated.", toSpaces("space_size")),
  ]
}
