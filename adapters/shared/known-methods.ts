/** The methods of requests in telemetry (semantic conventions of OpenTelemetry, `http.request.method`). */

const knownMethods = new Set(["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE"])

/** Returns a method if it is a value of its own; `_OTHER` for any other, because clients can invent names. */
export function toKnownMethod(method: string): string {
  return knownMethods.has(method) ? method : "_OTHER"
}
