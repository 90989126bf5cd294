/** Measures the time of every route of the API. */
import type { MiddlewareFunc } from "fw"

export function Middleware(): MiddlewareFunc {
  return (next) => async (c) => {
    const start = performance.now()
    const response = await next(c)
    c.setHeader("Server-Timing", `app;dur=${(performance.now() - start).toFixed(1)}`)
    return response
  }
}
