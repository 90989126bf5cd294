/**
 * Lets scripts of other origins read answers of /example and below: those that CORS_ORIGINS lists, such as
 * "https://shop.example,https://admin.example". Without it, none. Cookies are not sent along.
 *
 * csrf() in main.ts answers 403 to POST, PUT, PATCH and DELETE of other origins: give it the same list, as
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
