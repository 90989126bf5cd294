/** For pages, forms and the API: changes that are not taken. */
import { type Context, forbidden, HttpError, type MiddlewareFunc } from "fw"
import { origins } from "../lib/env.ts"
import { store } from "../lib/store.ts"

export function Middleware(): MiddlewareFunc {
  return (next) => (c) => {
    if (c.method !== "GET" && c.method !== "HEAD" && c.method !== "OPTIONS") refuse(c)
    return next(c)
  }
}

function refuse(c: Context): void {
  // A form of any site may be sent to any other without a preflight, so CORS alone does not keep it out.
  const site = c.header("sec-fetch-site")
  if ((site === "cross-site" || site === "same-site") && !origins.includes(c.header("origin")))
    throw forbidden("pages of other sites may not change anything here")
  // The proxy closes the API, all of it; pages can still be read.
  if (store.settings.maintenance && !c.path.startsWith("/api/"))
    throw new HttpError(503, "we are mending something, and changes are not taken: try again soon")
}
