/**
 * Allows scripts of other origins to read responses of /example and below. CORS_ORIGINS lists the origins, such
 * as "https://shop.example,https://admin.example"; without it, no origin is allowed. Browsers send no cookies with these
 * requests.
 *
 * csrf() in main.ts answers 403 to POST, PUT, PATCH and DELETE from other origins. To allow them, pass it the same list:
 * csrf({ origins }).
 */
import { cors, type MiddlewareFunc } from "fw"

function exampleMiddleware(): MiddlewareFunc {
  const listed = (process.env.CORS_ORIGINS ?? "").split(",").map((origin) => origin.trim())
  return cors({ origins: listed.filter((origin) => origin !== "") })
}

export function Middleware(): MiddlewareFunc {
  return exampleMiddleware()
}
