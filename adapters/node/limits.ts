/** The limits of the server on Node. */
import type { ServerOptions } from "node:http"

/**
 * The limits of the server, in milliseconds and bytes. `docs/operations/server.md` lists them with their reasons; to use
 * others, create your own server around `nodeHandler`.
 *
 * @example limits.requestTimeout // → 300000
 */
export const limits = {
  /** Timeout for the headers of a request. */
  headersTimeout: 15_000,
  /** Timeout for a whole request with its body: 10 MiB over a slow line of 300 kbit/s. */
  requestTimeout: 300_000,
  /** Timeout of a connection without requests: longer than the 60 s of load balancers. */
  keepAliveTimeout: 65_000,
  /** Size of the request line and headers together. */
  maxHeaderSize: 16 * 1024,
  /** Interval between checks of the timeouts. */
  connectionsCheckingInterval: 5_000,
  /**
   * Makes the kernel check if a silent client still exists, after this time; otherwise a client that lost
   * power would stay connected forever.
   */
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
  /** Timeout of the TLS handshake: the same as for headers. */
  handshakeTimeout: 15_000,
  /** Off even if the process was started with `--insecure-http-parser`. */
  insecureHTTPParser: false,
  /** A missing Host header is answered here, as JSON. */
  requireHostHeader: false,
} as const satisfies ServerOptions & { handshakeTimeout: number }

/**
 * Requests that may wait on one connection for the response to an earlier one. Each runs its handler at once,
 * and 3 MB can contain 20,000 of them. Real clients that pipeline send some dozens.
 */
export const maxPipelinedRequests = 1000
