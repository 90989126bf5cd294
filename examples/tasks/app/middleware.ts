/** For pages, forms and the API: changes are refused during maintenance. */
import { HttpError, type MiddlewareFunc } from "fw"
import { store } from "../lib/store.ts"

export function Middleware(): MiddlewareFunc {
  return (next) => (c) => {
    const changes = !["GET", "HEAD", "OPTIONS"].includes(c.method)
    // The proxy closes all of the API. Pages can still be read.
    if (changes && store.settings.maintenance && !c.path.startsWith("/api/"))
      throw new HttpError(503, "we are mending something, and changes are not taken: try again soon")
    return next(c)
  }
}
