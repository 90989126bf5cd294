/**
 * Adds a Server-Timing header to responses of /example and below, which browsers show in their developer
 * tools. Measure parts of a handler with `c.span("database", () => …)`. Everyone can see these times; to
 * send them to some clients only, use serverTiming({ when: (c) => … }).
 */
import { type MiddlewareFunc, serverTiming } from "fw"

const exampleMiddleware = serverTiming()

export function Middleware(): MiddlewareFunc {
  return exampleMiddleware
}
