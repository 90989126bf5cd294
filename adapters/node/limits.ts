/** The limits of the server on Node. Read by whoever makes one. */
import type { ServerOptions } from "node:http"

/**
 * The limits of the server, in milliseconds and bytes. `docs/server.md` lists them with their reasons; another set is a
 * server of one's own around `nodeHandler`.
 *
 * @example limits.requestTimeout // → 300000
 */
export const limits = {
  /** Time for the headers of a request. */
  headersTimeout: 15_000,
  /** Time for a whole request, its body included: 10 MiB over a slow line of 300 kbit/s. */
  requestTimeout: 300_000,
  /** Time that a connection may idle between requests: longer than the 60 s that load balancers keep theirs. */
  keepAliveTimeout: 65_000,
  /** Size of a request's line and headers together. */
  maxHeaderSize: 16 * 1024,
  /** How often timeouts are looked at. */
  connectionsCheckingInterval: 5_000,
  /** Whether the kernel asks a silent client if it is there still, and after how long: else one that lost power stays for ever. */
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
  /** Time for the handshake of HTTPS: as for headers. */
  handshakeTimeout: 15_000,
  /** Also where the process was started with `--insecure-http-parser`. */
  insecureHTTPParser: false,
  /** Missing Host headers are answered here, as JSON. */
  requireHostHeader: false,
} as const satisfies ServerOptions & { handshakeTimeout: number }

/**
 * Requests that may wait on one connection while the one before them is answered. Each runs its handler at once, and
 * 3 MB can hold 20,000 of them. Clients that pipeline at all send some dozens.
 */
export const mostPipelined = 1000
