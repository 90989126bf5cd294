/**
 * Adds a Server-Timing header to the responses of /example and below. Browsers show the times in their developer
 * tools. To measure part of a handler, use `c.span("database", () => …)`. Everyone can see these times; to send them only to
 * some clients, use serverTiming({ when: (c) => … }).
 */
import { type MiddlewareFunc, serverTiming } from "fw"

const exampleMiddleware = serverTiming()

export function Middleware(): MiddlewareFunc {
  return exampleMiddleware
}
