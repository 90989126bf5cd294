/** Sends the time that a route of the API took, in milliseconds, in the header Server-Timing. */
import type { MiddlewareFunc } from "fw"

export function Middleware(): MiddlewareFunc {
  return (next) => async (c) => {
    const start = performance.now()
    const response = await next(c)
    c.setHeader("Server-Timing", `app;dur=${(performance.now() - start).toFixed(1)}`)
    return response
  }
}
