/** What a browser may do with whatever comes from here: run and show what is ours, and nothing else. */
import type { MiddlewareFunc } from "fw"

/** No inline script or style, no other host. What `fw dev` adds to pages needs no more. */
const content = [
  "default-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ")

export function policy(): MiddlewareFunc {
  return (next) => (c) => {
    c.setHeader("Content-Security-Policy", content)
    c.setHeader("Referrer-Policy", "same-origin")
    c.setHeader("X-Content-Type-Options", "nosniff")
    return next(c)
  }
}
