/** Metrics as plain data, so that processes can send them to each other. */

/** The attributes of a point, with names from the semantic conventions of OpenTelemetry. */
export type MetricAttributes = Readonly<Record<string, string | number>>

/** The values of a histogram since the start of the process. */
export interface HistogramValue {
  count: number
  sum: number
  /**
   * The number of values in each bucket. There is a bucket for each bound, and one for all values above the last bound.
   */
  buckets: number[]
}

/** A value of a metric, and the attributes that it belongs to. */
export interface MetricPoint {
  readonly attributes: MetricAttributes
  readonly value: number | HistogramValue
}

/**
 * A metric with its values since the start of the process. An `updown` is a number of things that exist now. A `gauge`
 * is a measured value that cannot be added up.
 */
export interface Metric {
  /** The name in OpenTelemetry, such as `http.server.request.duration`. */
  readonly name: string
  readonly description: string
  /** The unit in UCUM, such as `s`, `By` or `{request}`. */
  readonly unit: string
  readonly kind: "histogram" | "updown" | "gauge"
  /** The upper bounds of the buckets of a histogram. */
  readonly bounds?: readonly number[]
  readonly points: readonly MetricPoint[]
}

/** Records values of a metric. For each set of attributes it has a number or a histogram. */
export class Instrument {
  readonly #info: Omit<Metric, "points">
  readonly #points = new Map<string, { readonly attributes: MetricAttributes; value: number | HistogramValue }>()
  readonly #open = new Map<object, MetricAttributes>()

  /** @param bounds the upper bounds of the buckets, for a histogram. */
  constructor(name: string, unit: string, description: string, bounds?: readonly number[]) {
    this.#info = { name, unit, description, kind: bounds ? "histogram" : "updown", ...(bounds && { bounds }) }
  }

  /** Counts something that exists from now on. */
  open(thing: object, attributes: MetricAttributes): void {
    this.#open.set(thing, attributes)
    this.record(1, attributes)
  }

  /** Counts something no longer. Returns its attributes; undefined if it was not counted. */
  close(thing: object): MetricAttributes | undefined {
    const attributes = this.#open.get(thing)
    if (attributes && this.#open.delete(thing)) this.record(-1, attributes)
    return attributes
  }

  /** Adds to the number, or adds a value to the histogram, for these attributes. */
  record(value: number, attributes: MetricAttributes): void {
    const key = Object.values(attributes).join("\n")
    const { bounds } = this.#info
    let point = this.#points.get(key)
    if (!point) {
      const start = bounds ? { count: 0, sum: 0, buckets: Array<number>(bounds.length + 1).fill(0) } : 0
      point = { attributes, value: start }
      this.#points.set(key, point)
    }
    if (typeof point.value === "number") point.value += value
    else if (bounds) addToHistogram(point.value, value, bounds)
  }

  /** Returns a copy of the current values. */
  read(): Metric {
    return { ...this.#info, points: structuredClone([...this.#points.values()]) }
  }
}

function addToHistogram(histogram: HistogramValue, value: number, bounds: readonly number[]): void {
  const index = bounds.findIndex((bound) => value <= bound)
  const bucket = index < 0 ? bounds.length : index
  histogram.count += 1
  histogram.sum += value
  histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1
}

/**
 * Returns the metrics of several processes as those of one. Numbers and histograms are added up. Of gauges the highest
 * value is used, because people look for the process with the worst value.
 */
export function combineMetrics(processes: readonly (readonly Metric[])[]): Metric[] {
  const combinedByName = new Map<string, { readonly metric: Metric; readonly points: Map<string, MetricPoint> }>()
  for (const metric of processes.flat()) {
    const target = combinedByName.get(metric.name) ?? { metric, points: new Map<string, MetricPoint>() }
    combinedByName.set(metric.name, target)
    for (const { attributes, value } of metric.points) {
      const key = JSON.stringify(Object.entries(attributes))
      const otherValue = target.points.get(key)?.value
      const combinedValue = otherValue === undefined ? value : combineValues(otherValue, value, metric.kind)
      target.points.set(key, { attributes, value: combinedValue })
    }
  }
  return [...combinedByName.values()].map(({ metric, points }) => ({ ...metric, points: [...points.values()] }))
}

type PointValue = MetricPoint["value"]

function combineValues(first: PointValue, second: PointValue, kind: Metric["kind"]): PointValue {
  if (typeof first === "number" || typeof second === "number")
    return kind === "gauge" ? Math.max(Number(first), Number(second)) : Number(first) + Number(second)
  const buckets = first.buckets.map((count, index) => count + (second.buckets[index] ?? 0))
  return { count: first.count + second.count, sum: first.sum + second.sum, buckets }
}
