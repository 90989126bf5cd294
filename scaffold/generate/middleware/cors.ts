/**
 * Allows scripts of other origins to read responses of /example and below. CORS_ORIGINS lists the origins,
 * such as "https://shop.example,https://admin.example"; without it, none is allowed. Cookies are not sent.
 *
 * csrf() in main.ts answers 403 to POST, PUT, PATCH and DELETE from other origins. Pass it the same list:
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
