/** For every route of the API: how long it took. */
import type { MiddlewareFunc } from "fw"

export function Middleware(): MiddlewareFunc {
  return (next) => async (c) => {
    const start = performance.now()
    const response = await next(c)
    c.setHeader("Server-Timing", `app;dur=${(performance.now() - start).toFixed(1)}`)
    return response
  }
}
