/** Writes a line of JSON for every request to /example and below, in addition to the app's own request log. */
import type { MiddlewareFunc } from "fw"

const exampleMiddleware: MiddlewareFunc = (next) => async (c) => {
  const start = performance.now()
  const response = await next(c)
  const line = {
    time: new Date().toISOString(),
    method: c.method,
    // The query is left out, because it may contain secrets.
    path: c.path,
    status: response.status,
    ms: Math.round(performance.now() - start),
    ip: c.clientIP,
  }
  console.log(JSON.stringify(line))
  return response
}

export function Middleware(): MiddlewareFunc {
  return exampleMiddleware
}
