/** Wraps every route at and below /example. */
import type { MiddlewareFunc } from "fw"

const exampleMiddleware: MiddlewareFunc = (next) => (c) => next(c)

export function Middleware(): MiddlewareFunc {
  return exampleMiddleware
}
