/** Several middlewares as one, for a directory that has more than one. */
import { HttpError, type MiddlewareFunc } from "fw"

/** The first is outermost. Each is for guards, which pass a request on or answer it themselves. */
export function inOrder(...middleware: readonly MiddlewareFunc[]): MiddlewareFunc {
  return (next) =>
    middleware.reduceRight((inner, wrap) => {
      const handler = wrap(inner)
      return async (c) => {
        const answer = await handler(c)
        if (answer instanceof HttpError) throw answer
        return answer
      }
    }, next)
}
