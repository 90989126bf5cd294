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

const durations = new Instrument({
  name: "http.server.request.duration",
  description: "Duration of HTTP server requests.",
  unit: "s",
  kind: "histogram",
  bounds: durationBounds,
})
const activeRequests = new Instrument({
  name: "http.server.active_requests",
  description: "Number of active HTTP server requests.",
  unit: "{request}",
  kind: "updown",
})
const openStreams = new Instrument({
  name: "fw.server.open_streams",
  description: "Number of open event streams and WebSockets.",
  unit: "{stream}",
  kind: "updown",
})
const eventStream = { "fw.stream.type": "events" }
const webSocket = { "fw.stream.type": "socket" }
const gcDurations = new Instrument({
  name: "v8js.gc.duration",
  description: "Garbage collection duration.",
  unit: "s",
  kind: "histogram",
  bounds: gcBounds,
})

const jobDurations = new Instrument({
  name: "messaging.process.duration",
  description: "Duration of attempts of jobs.",
  unit: "s",
  kind: "histogram",
  bounds: durationBounds,
})
const activeJobs = new Instrument({
  name: "fw.job.active",
  description: "Number of jobs that this program runs.",
  unit: "{job}",
  kind: "updown",
})
/** The number of jobs in the engine when it was last asked. */
let engineJobs: Metric = {
  name: "fw.engine.jobs",
  description: "Number of jobs.",
  unit: "{job}",
  kind: "gauge",
  points: [],
}

/** The active requests and the open streams, with the attributes under which they are counted. */
const openOperations = new Map<object, MetricAttributes>()
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
  return [...recordedMetrics, engineJobs, ...readRuntime()]
}

function watchRequests(): void {
  listen("fw:request:start", (message) => {
    const request = message as RequestOperation
    const attributes = toRequestAttributes(request)
    openOperations.set(request, attributes)
    activeRequests.record(1, attributes)
  })
  listenForEnds((request, at) => {
    const attributes = openOperations.get(request)
    if (!attributes) return
    openOperations.delete(request)
    activeRequests.record(-1, attributes)
    durations.record((at - request.start) / 1000, toDurationAttributes(request, attributes))
  })
  // A stream of events counts as a request until the response begins, and as an open stream after that.
  listen("fw:request:end", (message) => {
    if ((message as RequestOperation).isEventStream) openStream(message as object, eventStream)
  })
  listen("fw:request:sent", (message) => closeStream(message as object))
  listen("fw:socket:start", (message) => openStream(message as object, webSocket))
  listen("fw:socket:end", (message) => closeStream(message as object))
}

function openStream(stream: object, attributes: MetricAttributes): void {
  openOperations.set(stream, attributes)
  openStreams.record(1, attributes)
}

function closeStream(stream: object): void {
  const attributes = openOperations.get(stream)
  if (attributes && openOperations.delete(stream)) openStreams.record(-1, attributes)
}

function watchJobs(): void {
  listen("fw:job:start", (message) => {
    const { name } = message as Operation
    const attributes = { "messaging.destination.name": name }
    openOperations.set(message as object, attributes)
    activeJobs.record(1, attributes)
  })
  listen("fw:job:end", (message) => {
    const job = message as Operation
    const attributes = openOperations.get(job)
    if (!attributes) return
    openOperations.delete(job)
    activeJobs.record(-1, attributes)
    const error = job.error === undefined ? {} : { "error.type": readErrorName(job.error) }
    const { "messaging.system": system = "", "messaging.operation.name": operationName = "" } = job.attributes
    const operationAttributes = { "messaging.system": `${system}`, "messaging.operation.name": `${operationName}` }
    jobDurations.record((job.end - job.start) / 1000, { ...attributes, ...operationAttributes, ...error })
  })
  listen("fw:jobs", (message) => {
    const points = (message as Awaited<ReturnType<JobEngine["count"]>>).map(({ name, state, count }) => ({
      attributes: { "messaging.destination.name": name, "fw.job.state": state },
      value: count,
    }))
    // Every process asks the same engine, so the counts of several processes must not be added.
    engineJobs = { ...engineJobs, points }
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
  return {
    "http.request.method": toKnownMethod(method),
    "url.scheme": origin.startsWith("https:") ? "https" : "http",
  }
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
  let delayMetrics: Metric[] = []
  let last: EventLoopUtilization | undefined
  return () => {
    if (delay && (delay.count > 0 || delayMetrics.length === 0)) {
      const percentiles = [50, 90, 99].map((rank) =>
        toDelay(`p${rank}`, `${rank}th percentile`, delay.percentile(rank)),
      )
      delayMetrics = [...percentiles, toDelay("max", "maximum", delay.max)]
      // The histogram begins again, so that a slow moment does not stay in all later values.
      delay.reset()
    }
    const metrics = [readMemory(), ...readHeap(), gcDurations.read(), ...delayMetrics]
    const now = tryMeasure(() => performance.eventLoopUtilization())
    if (now) {
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      metrics.push(toGauge("nodejs.eventloop.utilization", "Event loop utilization.", "1", utilization))
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
  return toGauge(`nodejs.eventloop.delay.${name}`, `Event loop ${statistic} delay.`, "s", nanoseconds / 1e9)
}

function toGauge(name: string, description: string, unit: string, value: number): Metric {
  return { name, description, unit, kind: "gauge", points: [{ attributes: {}, value }] }
}

function readMemory(): Metric {
  const points = [{ attributes: {}, value: process.memoryUsage.rss() }]
  const description = "The amount of physical memory in use."
  return { name: "process.memory.usage", description, unit: "By", kind: "updown", points }
}

function readHeap(): Metric[] {
  const spaces = tryMeasure(() => process.getBuiltinModule("node:v8").getHeapSpaceStatistics()) ?? []
  const toPoints = (key: "space_used_size" | "space_size"): MetricPoint[] =>
    spaces.map((space) => ({ attributes: { "v8js.heap.space.name": space.space_name }, value: space[key] }))
  const rest = { unit: "By", kind: "updown" } as const
  return [
    {
      ...rest,
      name: "v8js.memory.heap.used",
      description: "Heap Memory size allocated.",
      points: toPoints("space_used_size"),
    },
    {
      ...rest,
      name: "v8js.memory.heap.limit",
      description: "Total heap memory size pre-allocated.",
      points: toPoints("space_size"),
    },
  ]
}
