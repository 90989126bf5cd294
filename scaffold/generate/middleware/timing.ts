/**
 * Tells in the header Server-Timing how long answers of /example and below take, for the browser's developer tools.
 * What handlers do in `timed(c, "database", () => …)` is told by its name. Strangers learn what is slow: to keep it from
 * them, write serverTiming({ when: (c) => … }).
 */
import { type MiddlewareFunc, serverTiming } from "fw"

const exampleMiddleware = serverTiming()

export function Middleware(): MiddlewareFunc {
  return exampleMiddleware
}
