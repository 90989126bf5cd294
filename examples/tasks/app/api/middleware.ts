/** For every route of the API: how long it took, and no forms of other sites. */
import { type Context, forbidden, type MiddlewareFunc } from "fw"
import { origins } from "../../lib/env.ts"

export function Middleware(): MiddlewareFunc {
  return (next) => async (c) => {
    const start = performance.now()
    refuseForeignForm(c)
    const response = await next(c)
    c.setHeader("Server-Timing", `app;dur=${(performance.now() - start).toFixed(1)}`)
    return response
  }
}

/** A form of any site may be sent to any other without a preflight, so CORS alone does not keep it out. */
function refuseForeignForm(c: Context): void {
  if (c.method === "GET" || c.method === "HEAD" || c.method === "OPTIONS") return
  const site = c.header("sec-fetch-site")
  if (site !== "cross-site" && site !== "same-site") return
  if (!origins.includes(c.header("origin")))
    throw forbidden("pages of other sites may not change anything here")
}
