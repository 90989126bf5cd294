/** The limits of fw's server on Node. */
import type { ServerOptions } from "node:http"

/**
 * The limits of the server, in milliseconds and bytes. `docs/operations/server.md` lists them with the reasons. For
 * other limits, create a server of your own with `nodeHandler`.
 *
 * @example limits.requestTimeout // → 300000
 */
export const limits = {
  /** Time in which the headers of a request must arrive. */
  headersTimeout: 15_000,
  /** Time in which a whole request must arrive. It is enough for a body of 10 MiB over a slow line with 300 kbit/s. */
  requestTimeout: 300_000,
  /**
   * Time after which a connection without requests is closed. Load balancers close theirs after 60 s, and must do so
   * first.
   */
  keepAliveTimeout: 65_000,
  /** Maximum size of the request line and all headers together. */
  maxHeaderSize: 16 * 1024,
  /** Time between two checks of the timeouts. */
  connectionsCheckingInterval: 5_000,
  /**
   * Makes the system check after this time whether a silent client still exists. Otherwise a client that has lost its
   * power would stay connected forever.
   */
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
  /** Time in which a TLS handshake must be complete, the same as for headers. */
  handshakeTimeout: 15_000,
  /** False, even if the process was started with `--insecure-http-parser`. */
  insecureHTTPParser: false,
  /** False, because fw itself answers a request without a Host header, with JSON. */
  requireHostHeader: false,
} as const satisfies ServerOptions & { handshakeTimeout: number }

/**
 * Maximum number of requests that may wait on one connection behind an earlier one. The handler of each starts at once,
 * and 3 MB can contain 20,000 requests. Real clients that pipeline send a few dozen.
 */
export const maxPipelinedRequests = 1000
