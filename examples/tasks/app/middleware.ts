/** Refuses the changes that forms send during maintenance. */
import { HttpError, type MiddlewareFunc } from "fw"
import { store } from "../lib/store.ts"

export function Middleware(): MiddlewareFunc {
  return (next) => (c) => {
    const changes = !["GET", "HEAD", "OPTIONS"].includes(c.method)
    // app/proxy.ts already refuses requests to the API. Pages can still be read.
    if (changes && store.settings.maintenance && !c.path.startsWith("/api/"))
      throw new HttpError(503, "closed for maintenance, changes are not accepted: try again soon")
    return next(c)
  }
}
