/** Names methods of requests for telemetry (semantic conventions of OpenTelemetry, `http.request.method`). */

const knownMethods = new Set(["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE"])

/**
 * Returns a known method unchanged, and `_OTHER` for any other. Clients can invent methods, and each would be a new
 * value.
 */
export function toKnownMethod(method: string): string {
  return knownMethods.has(method) ? method : "_OTHER"
}
