/** Serves metrics on a port of their own: `FW_METRICS_PORT`. */
import { createServer } from "node:http"
import { isIP } from "node:net"
import { toBindError } from "../shared/bind.ts"
import { startFault } from "../shared/start-fault.ts"
import type { Metric } from "./metric.ts"
import { formatPrometheus, prometheusType } from "./prometheus.ts"
import { collectMetrics, startMetrics } from "./registry.ts"

/**
 * Starts to count, and serves the metrics of this process at an address. The metrics of workers are served by the
 * process that starts them.
 *
 * @throws FwError as {@link listenForScrapes} does.
 */
export async function serveMetrics(address: string, isWorker: boolean): Promise<void> {
  startMetrics()
  if (!isWorker) await listenForScrapes(address, collectMetrics)
}

/**
 * Starts a server that answers `GET /metrics` at an address. It does not keep the process alive.
 *
 * @param address a port of this machine, such as `9464`, or an address and a port, such as `0.0.0.0:9464`.
 * @throws FwError `metrics_port` for a text that is not an address; `port_in_use`, `port_denied` or `host` if the
 * server cannot listen on it.
 */
export async function listenForScrapes(
  address: string,
  collect: () => readonly Metric[] | Promise<readonly Metric[]>,
): Promise<void> {
  const [, hostText = "127.0.0.1", digits = ""] = /^(?:(\S+):)?(\d{1,5})$/.exec(address) ?? []
  const host = hostText.replace(/^\[(.*)\]$/, "$1")
  const port = Number(digits)
  if (digits === "" || port > 65_535 || isIP(host) === 0) throw startFault("metrics_port", [address])
  const server = createServer(async (incoming, outgoing) => {
    const isMetricsRequest = incoming.url === "/metrics" && (incoming.method === "GET" || incoming.method === "HEAD")
    outgoing.writeHead(isMetricsRequest ? 200 : 404, { "content-type": prometheusType, "cache-control": "no-store" })
    outgoing.end(isMetricsRequest ? formatPrometheus(await collect()) : "Metrics are at /metrics.\n")
  })
  server.unref()
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toBindError(error, { host, port })))
    server.listen({ host, port }, resolve)
  })
}
