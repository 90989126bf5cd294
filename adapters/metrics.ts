/** Metrics for Prometheus, exported as `fw/metrics`. */
import type { HandlerFunc } from "../lib/types.ts"
import { formatPrometheus, prometheusType } from "./metrics/prometheus.ts"
import { collectMetrics, startMetrics } from "./metrics/registry.ts"
import { collectFromWorkers } from "./metrics/worker.ts"

/**
 * Returns a handler that answers with the metrics of the program, in the text format of Prometheus (0.0.4). With
 * several workers (`FW_WORKERS`), each of them answers with the metrics of all. Requests are counted from this call on.
 * It works on Node, Bun and Deno, but not on platforms such as Cloudflare Workers.
 *
 * The metrics show your routes and how busy they are, so put a guard before the handler.
 *
 * @example
 * app.get("/metrics", basicAuth({ users: { prometheus: "let-me-in" } }), metrics())
 * const answer = await app.request("/metrics", { headers: { authorization: `Basic ${btoa("prometheus:let-me-in")}` } })
 * answer.headers.get("content-type") // → "text/plain; version=0.0.4; charset=utf-8"
 */
export function metrics(): HandlerFunc {
  startMetrics()
  return async (c) => {
    c.setHeader("Cache-Control", "no-store")
    return c.blob(200, prometheusType, formatPrometheus((await collectFromWorkers()) ?? collectMetrics()))
  }
}
