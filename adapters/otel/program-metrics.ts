/** Passes metrics to the meters of a program that has set up OpenTelemetry itself. */

import type { Meter, Observable } from "@opentelemetry/api"
import type { RequestOperation } from "../../lib/trace/requests.ts"
import type { Metric } from "../metrics/metric.ts"
import { durationBounds, toDurationAttributes } from "../metrics/registry.ts"
import { listenForEnds } from "../shared/channels.ts"

/**
 * Creates the instruments of fw in a meter, and passes the metrics to them.
 *
 * @param collect returns the metrics of this process.
 * @param isMeasured returns true for a request whose duration another instrumentation of the program records.
 */
export function passMetrics(
  meter: Meter,
  collect: () => readonly Metric[],
  isMeasured: (request: RequestOperation) => boolean,
): void {
  const duration = meter.createHistogram("http.server.request.duration", {
    unit: "s",
    description: "Duration of HTTP server requests.",
    advice: { explicitBucketBoundaries: durationBounds },
  })
  listenForEnds((request, time) => {
    if (!isMeasured(request)) duration.record((time - request.start) / 1000, toDurationAttributes(request))
  })
  const instruments = new Map<string, Observable>()
  for (const { name, kind, description, unit } of collect()) {
    if (kind === "histogram") continue
    const create = kind === "gauge" ? "createObservableGauge" : "createObservableUpDownCounter"
    instruments.set(name, meter[create](name, { description, unit }))
  }
  meter.addBatchObservableCallback(
    (result) => {
      for (const { name, points } of collect()) {
        const instrument = instruments.get(name)
        for (const { attributes, value } of instrument ? points : [])
          if (instrument && typeof value === "number") result.observe(instrument, value, attributes)
      }
    },
    [...instruments.values()],
  )
}
